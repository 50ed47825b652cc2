import { assert, layer } from "@effect/vitest"
import { WINDOW_LENGTHS } from "@launch-registry/domain/tokens/TradingWindow"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql/SqlClient"
import { SEED } from "../../../../scripts/Laws.ts"
import { type Random, randomOf } from "../../../service/test/Random.ts"
import { KnownScopes } from "../../src/tokens/KnownScopes.ts"
import { popularReads } from "../../src/tokens/PopularReads.ts"
import { rankingReads } from "../../src/tokens/RankingReads.ts"
import { beginPopular, type PopularBounds, popularTokens } from "../../src/tokens/PopularTokens.ts"
import { planOf, readingOf, rowsReadBy } from "../PreparedPlans.ts"
import { fillRanked, TOKENS } from "./RankedTokens.ts"
import type { SearchScope } from "./SearchPages.ts"

const SCOPES: ReadonlyArray<SearchScope> = [
  {},
  ...(["often", "rare", "absent"] as const).map((tag) => ({ tag })),
  { tag: "often", launchpad: "launchpad_b" },
  { tag: "rare", active: "false" },
  { tag: "often", verified: "true" },
  { launchpad: "launchpad_b" },
  { active: "false" },
  { launchpad: "launchpad_a", active: "true" },
  { startDate: "2026-01-03T00:00:00Z", endDate: "2026-01-04T00:00:00Z" },
  { tag: "often", startDate: "2026-01-03T00:00:00Z" },
]

const INTERVALS = Object.keys(WINDOW_LENGTHS) as ReadonlyArray<keyof typeof WINDOW_LENGTHS>

/** Ids by ranking every token. */
const rankAll = Effect.fn(function* (interval: string, scope: SearchScope, limit: number) {
  const sql = yield* SqlClient
  // Its plans would rest on what the planner believes.
  yield* sql`select set_config('enable_nestloop', 'off', true)`
  const { active, endDate, launchpad, startDate, tag, verified } = scope
  const rows = yield* sql<{ readonly id: string }>`
    select t.id from tokens t
    left join trading_windows seen on seen.span = ${interval} and seen.base_mint = t.mint_address and seen.traders > 0
    left join recorded_windows recorded on recorded.span = ${interval} and recorded.base_mint = t.mint_address
    where t.deleted_at is null
      and launchpad = coalesce(${launchpad ?? null}::text, launchpad)
      and active = coalesce(${active ?? null}::boolean, active)
      and verified = coalesce(${verified ?? null}::boolean, verified)
      and created_at >= coalesce(${startDate ?? null}::timestamptz, created_at)
      and created_at <= coalesce(${endDate ?? null}::timestamptz, created_at)
      and (${tag ?? null}::text is null or t.id in (select token_id from token_tags where tag = ${tag ?? null}))
    order by seen.traders desc nulls last, seen.quote_volume desc nulls last,
      recorded.traders desc nulls last, recorded.quote_volume desc nulls last, t.created_at desc, t.id desc
    limit ${limit}`
  return rows.map(({ id }) => id)
})

const expectedIds = (...asked: Parameters<typeof rankAll>) =>
  Effect.flatMap(SqlClient, (sql) => sql.withTransaction(rankAll(...asked)))

const idsOf = (
  interval: (typeof INTERVALS)[number],
  scope: SearchScope,
  limit: number,
  bounds?: PopularBounds,
  scopes?: KnownScopes,
) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.map(
      popularTokens(sql, { interval, limit, filter: scope as never, isRanked: false }, scopes, bounds),
      (rows) => rows.map(({ id }) => id as string),
    ),
  )

/** Tables of which rows are counted. */
const READ = ["tokens", "token_tags", "trading_windows", "recorded_windows"]

const LIMIT = 10
const BOUNDS = { few: 30, tagged: 150, scope: 300, near: 200, ranked: 700, newest: 500 }
/** The near ones of two rankings with their tokens, and a scope counted; then two rankings compared with the scope, with what may be of it; and the newest with records of ties. */
const ROWS_MAX = 2 * 2 * 200 + 301 + 4 * (700 + 200) + 500 + 2 * LIMIT

const RANGE = { found: [], limit: LIMIT, bound: 700 }

const scopeOf = (random: Random): SearchScope => {
  const oneOf = <A>(...all: ReadonlyArray<A>): A => all[random(all.length)]!
  return {
    ...(random(3) === 0 && { tag: oneOf("often", "rare", "dull", "absent") }),
    ...(random(3) === 0 && { launchpad: oneOf("launchpad_a", "launchpad_b") }),
    ...(random(3) === 0 && { active: oneOf("true", "false") }),
    ...(random(6) === 0 && { verified: oneOf("true", "false") }),
    ...(random(4) === 0 && { startDate: `2026-01-0${1 + random(4)}T00:00:00Z` }),
    ...(random(4) === 0 && { endDate: `2026-01-0${4 + random(3)}T00:00:00Z` }),
  }
}

layer(Layer.provideMerge(Layer.effectDiscard(fillRanked), TestDatabase.layer))("Popular tokens of many", (it) => {
  it.effect("are those that ranking every token gives", () =>
    Effect.gen(function* () {
      for (const interval of INTERVALS)
        for (const scope of SCOPES) {
          const said = JSON.stringify({ interval, scope })
          assert.deepStrictEqual(yield* idsOf(interval, scope, 50), yield* expectedIds(interval, scope, 50), said)
        }
    }),
  )

  it.effect("are each of the scope, once, and as many as asked for, however little is read", () =>
    Effect.gen(function* () {
      const random = randomOf(SEED)
      const all = { few: 0, tagged: 0, scope: 0, near: 100, ranked: 24_000, newest: TOKENS }
      for (let count = 0; count < 30; count++) {
        const [interval, scope, limit] = [INTERVALS[random(5)]!, scopeOf(random), 1 + random(30)]
        const expected = yield* expectedIds(interval, scope, limit)
        const said = JSON.stringify({ interval, scope, limit })
        // However early a ranking is cut, among tokens that are traded as much as each other, too.
        const cut = { ...all, scope: TOKENS, near: 1, ranked: 1 + random(400) }
        for (const enough of [all, { ...all, scope: TOKENS }, cut])
          assert.deepStrictEqual(yield* idsOf(interval, scope, limit, enough), expected, said)
        const bounds = {
          few: random(30),
          tagged: random(40),
          scope: random(50),
          near: 1 + random(50),
          ranked: 1 + random(400),
          newest: TOKENS,
        }
        const scopes = new KnownScopes()
        const found = yield* idsOf(interval, scope, limit, bounds, scopes)
        // What was learned of the scope changes only how it is read.
        for (const other of [limit, 1 + random(30), 1 + random(30)]) {
          const [known, unknown] = [scopes, undefined].map((scopes) => idsOf(interval, scope, other, bounds, scopes))
          assert.deepStrictEqual(yield* known!, yield* unknown!, `${said} ${other}`)
        }
        assert.strictEqual(found.length, expected.length, said)
        assert.strictEqual(new Set(found).size, found.length, said)
        const inScope = new Set(yield* expectedIds(interval, scope, TOKENS))
        for (const id of found) assert.isTrue(inScope.has(id), said)
      }
    }),
  )

  it.effect("are the same whether mints are looked up in one pass or one by one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const interval of INTERVALS)
        for (const scope of SCOPES)
          yield* Effect.gen(function* () {
            yield* beginPopular(sql)
            const [inOnePass, oneByOne] = yield* Effect.forEach([true, false], (inOnePass) =>
              popularReads(sql, interval, scope as never, inOnePass).readScope(50, TOKENS),
            )
            assert.deepStrictEqual(oneByOne, inOnePass, JSON.stringify({ interval, scope }))
            const ranked = yield* Effect.forEach([true, false], (inOnePass) =>
              rankingReads(sql, interval, scope as never, inOnePass).readRankingOfFew("trading_windows", RANGE),
            )
            assert.deepStrictEqual(ranked[0], ranked[1], JSON.stringify({ interval, scope }))
          }).pipe(sql.withTransaction)
    }),
  )

  it.effect("are looked up by number, and by mint where there is none", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const scope = { startDate: "2026-01-03T00:00:00Z", endDate: "2026-01-04T00:00:00Z" }
      const [tokens] = yield* sql<{ readonly numbered: number; readonly others: number }>`
        select count(mint_number)::int as numbered, (count(*) - count(mint_number))::int as others from tokens
        where created_at between ${scope.startDate} and ${scope.endDate}`
      for (const inOnePass of [true, false]) {
        const nodes = yield* Effect.andThen(
          beginPopular(sql),
          planOf("force_generic_plan", popularReads(sql, "7d", scope, inOnePass).readScope(LIMIT, TOKENS)),
        ).pipe(sql.withTransaction)
        const rowsBy = (index: string) =>
          nodes
            .filter((node) => node["Index Name"] === index && node["Relation Name"] === "trading_windows")
            .reduce((rows, node) => rows + rowsReadBy(node), 0)
        assert.isAtLeast(tokens!.numbered, 900)
        // Rows of many lookups are an average.
        assert.approximately(rowsBy("trading_windows_numbered"), tokens!.numbered, 10)
        assert.isAtLeast(rowsBy("trading_windows_pkey"), 1)
        assert.isAtMost(rowsBy("trading_windows_pkey"), tokens!.others)
      }
    }),
  )

  it.effect("of a tag are ranked without reading tokens but the best", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [tags] = yield* sql<{ readonly all: number }>`
        select count(*)::int as all from token_tags where tag = 'often'`
      assert.isAtLeast(tags!.all, 1_500)
      for (const inOnePass of [true, false]) {
        const nodes = yield* Effect.andThen(
          beginPopular(sql),
          planOf("force_generic_plan", popularReads(sql, "7d", { tag: "often" }, inOnePass).readScope(LIMIT, TOKENS)),
        ).pipe(sql.withTransaction)
        const rowsOf = (table: string) =>
          nodes.filter((node) => node["Relation Name"] === table).reduce((rows, node) => rows + rowsReadBy(node), 0)
        // They are counted first.
        assert.strictEqual(rowsOf("token_tags"), 2 * tags!.all)
        assert.isAtMost(rowsOf("tokens"), 2 * LIMIT)
      }
    }),
  )

  it.effect("of a ranking are found by hashes of their mints, whatever the planner believes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const inOnePass of [true, false])
        for (const table of ["trading_windows", "recorded_windows"] as const)
          for (const [scope, index] of [
            [{ active: "false" }, "tokens_hashed"],
            [{ launchpad: "launchpad_b" }, "tokens_hashed"],
            [{ tag: "dull", active: "false" }, "token_tags_hashed"],
          ] as const) {
            const read = rankingReads(sql, "7d", scope, inOnePass).readRankingOfFew(table, RANGE)
            const nodes = yield* Effect.andThen(beginPopular(sql), planOf("force_generic_plan", read)).pipe(
              sql.withTransaction,
            )
            const said = JSON.stringify({ inOnePass, table, scope, nodes })
            const names = new Set(
              nodes
                .filter((node) => node["Relation Name"]!.startsWith("token"))
                .map((node) => node["Index Name"] ?? ""),
            )
            assert.isTrue(names.has(index), said)
            for (const name of names) assert.match(name, /hashed|mint|pkey/, said)
            // The ranking, and at most as many of the scope as are ranked, with their tokens.
            assert.isAtMost(
              nodes.reduce((rows, node) => rows + rowsReadBy(node), 0),
              ...([5 * RANGE.bound, said] as const),
            )
          }
    }),
  )

  it.effect("are found without reading a table as a whole, and few rows", () =>
    Effect.gen(function* () {
      for (const interval of INTERVALS)
        for (const scope of [...SCOPES, { tag: "dull" }, { tag: "dull", active: "false" as const }]) {
          const { rows, scans } = yield* readingOf(READ, idsOf(interval, scope, LIMIT, BOUNDS))
          const said = JSON.stringify({ interval, scope })
          assert.strictEqual(scans, 0, said)
          assert.isAtMost(rows, ROWS_MAX, said)
        }
    }),
  )

  it.effect("of a scope that is known to be large are read without counting it again, until ten minutes later", () =>
    Effect.gen(function* () {
      const scopes = new KnownScopes()
      const read = (interval: (typeof INTERVALS)[number], scope: SearchScope) =>
        Effect.map(readingOf(READ, idsOf(interval, scope, LIMIT, BOUNDS, scopes)), ({ rows }) => rows)
      const [first, again] = [yield* read("7d", { tag: "dull" }), yield* read("7d", { tag: "dull" })]
      // The scope up to either bound, and the near ones, of which not all have a token.
      const known = BOUNDS.tagged + BOUNDS.scope + BOUNDS.near
      assert.isAtLeast(first - again, known)
      // In another interval the best may be in it.
      const other = yield* read("24h", { tag: "dull" })
      assert.isAtLeast(other - (yield* read("24h", { tag: "dull" })), BOUNDS.near)
      yield* TestClock.adjust("10 minutes")
      assert.isAtLeast((yield* read("7d", { tag: "dull" })) - again, known)
    }),
  )

  it.effect("of a scope that few of the best are in are compared with as many of these as were enough before", () =>
    Effect.gen(function* () {
      const scopes = new KnownScopes()
      const read = Effect.map(
        readingOf(READ, idsOf("6h", { tag: "often" }, LIMIT, { ...BOUNDS, near: 20 }, scopes)),
        ({ rows }) => rows,
      )
      const first = yield* read
      // Where others are as much traded as the last of these, more are read until they are enough.
      for (let count = 0; count < 3; count++) yield* read
      assert.isAtMost(yield* read, first / 2)
    }),
  )
})
