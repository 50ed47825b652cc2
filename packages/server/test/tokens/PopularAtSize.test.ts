import { assert, layer } from "@effect/vitest"
import { WINDOW_LENGTHS } from "@launch-registry/domain/tokens/TradingWindow"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SEED } from "../../../../scripts/Laws.ts"
import { type Random, randomOf } from "../../../service/test/Random.ts"
import { rankPopular } from "../../src/tokens/PopularRanks.ts"
import { popularTokens } from "../../src/tokens/PopularTokens.ts"
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

const idsOf = Effect.fn(function* (
  interval: (typeof INTERVALS)[number],
  scope: SearchScope,
  limit: number,
  newest?: number,
) {
  const sql = yield* SqlClient
  const rows = yield* popularTokens(sql, { interval, limit, filter: scope as never, isRanked: false }, newest)
  return rows.map(({ id }) => id as string)
})

const rank = (places?: number) => Effect.flatMap(SqlClient, (sql) => rankPopular(sql, places))

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
  it.effect("are those that ranking every token gives, where all of them have a place", () =>
    Effect.gen(function* () {
      yield* rank(TOKENS)
      for (const interval of INTERVALS)
        for (const scope of SCOPES) {
          const said = JSON.stringify({ interval, scope })
          assert.deepStrictEqual(yield* idsOf(interval, scope, 50), yield* expectedIds(interval, scope, 50), said)
        }
    }),
  )

  it.effect("are the best of all, and of a scope with few tokens, and fill the page of any other", () =>
    Effect.gen(function* () {
      const random = randomOf(SEED)
      for (let count = 0; count < 40; count++) {
        const [interval, scope, limit] = [INTERVALS[random(5)]!, scopeOf(random), 1 + random(30)]
        const [places, newest] = [1 + random(400), 30 + random(1_000)]
        yield* rank(places)
        const all = yield* expectedIds(interval, {}, Math.min(places, limit))
        assert.deepStrictEqual((yield* idsOf(interval, {}, limit, newest)).slice(0, all.length), all)
        const found = yield* idsOf(interval, scope, limit, newest)
        const inScope = yield* expectedIds(interval, scope, TOKENS)
        const said = JSON.stringify({ interval, scope, limit, places, newest })
        if (inScope.length <= newest) assert.deepStrictEqual(found, inScope.slice(0, limit), said)
        assert.lengthOf(found, Math.min(limit, inScope.length), said)
        // In the order of all.
        const order = found.map((id) => inScope.indexOf(id))
        assert.deepStrictEqual(
          order,
          [...new Set(order)].toSorted((left, right) => left - right),
          said,
        )
        assert.notInclude(order, -1, said)
      }
    }),
  )

  it.effect("are ranked again by writing what has changed alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = Effect.map(
        sql<{ readonly place: string; readonly xmin: string }>`
          select span || ' ' || place as place, xmin::text as xmin from popular_ranks order by 1`,
        (rows) => new Map(rows.map(({ place, xmin }) => [place, xmin])),
      )
      yield* rank()
      const before = yield* rows
      yield* rank()
      assert.deepStrictEqual(yield* rows, before)
      yield* sql`
        update tokens set deleted_at = now() where id in (select token_id from popular_ranks where span = '5m' and place = 3)`
      yield* rank()
      const after = yield* rows
      assert.strictEqual(after.get("5m 2"), before.get("5m 2"))
      assert.notStrictEqual(after.get("5m 3"), before.get("5m 3"))
      assert.deepStrictEqual(yield* idsOf("5m", {}, 10), yield* expectedIds("5m", {}, 10))
    }),
  )
})
