import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { searchRanks } from "../../src/tokens/SearchRanks.ts"
import { searchReads } from "../../src/tokens/SearchReads.ts"
import { beginSearch, type SearchBounds, searchTokens } from "../../src/tokens/SearchTokens.ts"
import { PLAN_MODES, planOf, readingOf, rowsReadBy } from "../PreparedPlans.ts"
import { few, fillSearchedTokens, many, mintOf, NARROW, OLD, SCOPES, TOKENS } from "./SearchedTokens.ts"
import { fillScripts, SCRIPT_NAMES, SCRIPT_TERMS } from "./SearchedScripts.ts"
import { expectedIds, pagedIds, type SearchScope } from "./SearchPages.ts"

/** What is known of the fewest tokens, and how many are looked at: 1,000 are of `few`, 400 are rare, 67 verified, 46 scarce. */
const COUNTED: ReadonlyArray<{ scope: SearchScope; bound: number; count: number; looked: number }> = [
  { scope: { owner: few }, bound: 2_000, count: 1_000, looked: 1_000 },
  { scope: { owner: few, tag: "rare" }, bound: 2_000, count: 400, looked: 400 },
  { scope: { owner: few, tag: "often" }, bound: 2_000, count: 1_000, looked: 1_000 },
  { scope: { owner: many, tag: "rare" }, bound: 2_000, count: 400, looked: 400 },
  { scope: { owner: many, verified: "true", tag: "rare" }, bound: 2_000, count: 67, looked: 67 },
  { scope: { owner: many, verified: "true", tag: "scarce" }, bound: 2_000, count: 46, looked: 46 },
  { scope: { owner: "somebody5", verified: "true", tag: "often" }, bound: 2_000, count: 1, looked: 1 },
  { scope: { owner: sampleAddress(), tag: "often" }, bound: 2_000, count: 0, looked: 0 },
  { scope: { owner: many, tag: "often" }, bound: 2_000, count: 2_001, looked: 0 },
]

const TERMS = [
  ...["same", "oldie", "OLDIE12", "s2", "s", "hundred 1", "Token", "common phrase", "needle", "seldom", "absent word"],
  ...["qx", "!", "%", "a_c", mintOf(777), sampleAddress()],
]

/** Every term, and some of them in every scope. */
const SEARCHES = [
  ...TERMS.map((term) => ({ term, scope: {} as SearchScope })),
  ...["same", "oldie", "needle"].flatMap((term) => SCOPES.map((scope) => ({ term, scope }))),
]

/** Tables of which rows are counted. */
const READ = ["tokens", "token_tags"]

const PAGE = { after: undefined, limit: 21, offset: 0 }
/** Three ranks may each look at the newest, ask an index, and look further; rows of a tag are read in two tables. */
const ROWS_MAX = 3 * 2 * (1_210 + 3_001 + 10_000)

/** Bounds that the offsets of most searches go beyond. */
const SMALL: SearchBounds = {
  ...{ scope: 50, near: 100, nearPerRow: 1, candidates: 150, far: 300 },
  ...{ skipWalks: 3, probe: 30, ranked: 30, textsMillis: 250 },
}

/** Newest tokens that are looked at to tell what hardly any token contains. */
const PROBE = 300

const plan = (mode: string, statement: Statement<unknown>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* beginSearch(sql, "")
    return yield* planOf(mode, statement)
  }).pipe((planning) => Effect.flatMap(SqlClient, (sql) => sql.withTransaction(planning)))

layer(Layer.provideMerge(Layer.effectDiscard(fillSearchedTokens), TestDatabase.layer))(
  "A search of many tokens",
  (it) => {
    it.effect("finds what reading them all finds, page by page, and ends early where only old tokens match", () =>
      Effect.gen(function* () {
        for (const { scope, term } of SEARCHES) {
          const expected = yield* expectedIds(term, scope)
          const found = (yield* pagedIds(term, scope, { limit: 700, atLeast: 1_500 })).flat()
          const said = JSON.stringify({ term, scope })
          assert.deepStrictEqual(found, expected.slice(0, found.length), said)
          assert.isAtLeast(found.length, Math.min(expected.length, 1_500), said)
        }
        // Few are verified, among the oldest of those that match: the first page has them.
        const [verified] = yield* pagedIds("seldom", { verified: "true" }, { limit: 100, atLeast: 1 })
        assert.deepStrictEqual(verified, yield* expectedIds("seldom", { verified: "true" }))
        assert.isNotEmpty(verified!)
        const [first, ...others] = yield* pagedIds("seldom", {}, { limit: 100, atLeast: 1 })
        assert.deepStrictEqual(first, [])
        assert.lengthOf(others.at(-1)!, 100)
      }),
    )

    it.effect("is exact where one of an owner, a tag and verified ones has few tokens, whichever it is", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const bounds = {
          ...{ scope: 50, near: 10, nearPerRow: 0, candidates: 10, far: 100 },
          ...{ skipWalks: 0, probe: 10, ranked: 0, textsMillis: 250 },
        }
        for (const scope of NARROW)
          for (const term of ["oldie", "seldom", "phrase", "token 1"]) {
            const expected = yield* expectedIds(term, scope)
            const range = { after: undefined, limit: TOKENS, offset: 0 }
            const { end, rows } = yield* searchTokens(sql, term, scope as never, range, undefined, bounds)
            const said = JSON.stringify({ term, scope })
            assert.deepStrictEqual(
              rows.map(({ id }) => id as string),
              expected,
              said,
            )
            assert.strictEqual(end, undefined, said)
          }
        assert.lengthOf(yield* expectedIds("seldom", { owner: many, tag: "scarce" }), 5)
        assert.lengthOf(yield* expectedIds("seldom", { verified: "true", tag: "scarce" }), 5)
      }),
    )

    it.effect("reads the tokens of the narrowest scope, and of no other one", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const ranks = searchRanks(sql, {
          text: "absent",
          lower: "absent",
          hasTrigram: true,
          letters: [],
          beyondAscii: [],
        })
        for (const { bound, count, looked, scope } of COUNTED)
          for (const mode of PLAN_MODES) {
            const statement = searchReads(sql, scope as never).readScope(ranks, { after: undefined, limit: 20 }, bound)
            const said = JSON.stringify({ scope, bound, mode })
            const nodes = yield* plan(mode, statement as Statement<unknown>)
            const byId = nodes.filter((node) => node["Index Name"] === "tokens_pkey")
            assert.strictEqual(
              byId.reduce((sum, node) => sum + rowsReadBy(node), 0),
              looked,
              said,
            )
            assert.strictEqual((yield* statement)[0]!.count, count, said)
          }
      }),
    )

    it.effect("goes on without the candidates of an index of texts that it has no time to compare", () =>
      Effect.gen(function* () {
        const bounds = {
          ...{ scope: 10, near: 10, nearPerRow: 0, candidates: TOKENS, far: 5_000, skipWalks: 5 },
          ...{ probe: TOKENS, ranked: 0, textsMillis: 250_000 },
        }
        const expected = yield* expectedIds("seldom", {})
        const inTime = yield* pagedIds("seldom", {}, { limit: TOKENS, bounds })
        assert.deepStrictEqual(inTime, [expected])
        const outOfTime = yield* pagedIds("seldom", {}, { limit: TOKENS, bounds: { ...bounds, textsMillis: 1 } })
        assert.deepStrictEqual(outOfTime.flat(), expected)
        assert.deepStrictEqual(outOfTime[0], [])
      }),
    )

    it.effect("reads no table as a whole, and few rows", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        for (const { scope, term } of SEARCHES) {
          const { rows, scans } = yield* readingOf(READ, searchTokens(sql, term, scope as never, PAGE))
          const said = JSON.stringify({ term, scope })
          assert.strictEqual(scans, 0, said)
          assert.isAtMost(rows, ROWS_MAX, said)
        }
      }),
    )

    it.effect("reads few rows to skip an offset, and says how many are left", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { candidates, far, probe, ranked, scope: scopeMax, skipWalks } = SMALL
        const rowsMax = 3 * 2 * (far + candidates + 1 + far) + 2 * skipWalks * far + 2 * scopeMax + probe + 3 * ranked
        let resumed = 0
        for (const { scope, term } of SEARCHES)
          for (const offset of [1, 30, 10_000]) {
            const range = { after: undefined, limit: 21, offset }
            const search = searchTokens(sql, term, scope as never, range, undefined, SMALL)
            const { found, rows, scans } = yield* readingOf(READ, search)
            const said = JSON.stringify({ term, scope, offset })
            assert.strictEqual(scans, 0, said)
            assert.isAtMost(rows, rowsMax, said)
            if (found.end !== undefined && found.toSkip > 0) {
              resumed++
              assert.isEmpty(found.rows, said)
              assert.isAtMost(found.toSkip, offset, said)
            }
          }
        assert.isAbove(resumed, 20)
      }),
    )

    it.effect("reads only the newest and what has the letters, for what hardly any token contains", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        for (const term of ["needle in", "a needle in hay", "needles", "absent word", "phrase common"])
          yield* Effect.gen(function* () {
            const expected = yield* expectedIds(term, {})
            const { found, rows } = yield* readingOf(READ, searchTokens(sql, term, {} as never, PAGE))
            assert.strictEqual(found.end, undefined, term)
            assert.deepStrictEqual(
              found.rows.map(({ id }) => id as string),
              expected,
              term,
            )
            // Before version 16 PostgreSQL reads a row ahead to number rows.
            assert.isAtMost(rows, PROBE + 1 + 3 * expected.length, term)
          }).pipe(sql.withTransaction)
      }),
    )

    it.effect("compares what starts with the term in an index alone", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const ranks = searchRanks(sql, {
          text: "oldie",
          lower: "oldie",
          hasTrigram: true,
          letters: [],
          beyondAscii: [],
        })
        const { readCandidates } = searchReads(sql, {})
        for (const { by, candidates, condition } of ranks)
          if (by === "prefix") {
            const statement = readCandidates(candidates[0]!, { condition, after: undefined, limit: 20 }, OLD)
            for (const mode of PLAN_MODES) {
              const nodes = yield* plan(mode, statement as Statement<unknown>)
              assert.deepStrictEqual(
                nodes.map((node) => node["Node Type"]),
                ["Index Only Scan"],
                mode,
              )
            }
          }
      }),
    )

    it.effect("walks no further than it needs to, whatever leads the index", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const wanted = { condition: sql`true`, after: undefined, limit: 20 }
        for (const scope of [{}, { active: "true" }, { active: "true", launchpad: "launchpad_a" }] as const)
          for (const mode of PLAN_MODES) {
            const nodes = yield* plan(mode, searchReads(sql, scope).walkScope(wanted, 500) as Statement<unknown>)
            const said = JSON.stringify({ scope, mode, nodes })
            // Before version 16 PostgreSQL reads a row ahead to number rows.
            assert.isAtMost(
              nodes.reduce((rows, node) => rows + rowsReadBy(node), 0),
              ...([21, said] as const),
            )
          }
      }),
    )

    it.effect("has statements that stop at their bound, with plans of either kind", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const bound = 500
        for (const text of ["oldie", "absent word"])
          for (const scope of SCOPES) {
            const ranks = searchRanks(sql, { text, lower: text, hasTrigram: true, letters: [], beyondAscii: [] })
            const reads = searchReads(sql, scope as never)
            const after = { createdAt: new Date("2026-01-15T00:00:00Z"), id: crypto.randomUUID() }
            for (const { by, candidates, condition } of ranks) {
              const statements = [
                reads.walkScope({ condition, after: undefined, limit: 20 }, bound),
                reads.walkScope({ condition, after, limit: 20 }, bound),
                ...(by === "symbol" ? [reads.walkSymbol(text, { condition, after, limit: 20 }, bound)] : []),
                ...(by === "prefix"
                  ? [reads.readCandidates(candidates[0]!, { condition, after, limit: 20 }, bound)]
                  : []),
                ...((scope.owner ?? scope.tag) || scope.verified === "true"
                  ? [reads.readScope(ranks, { after: undefined, limit: 20 }, bound)]
                  : []),
              ]
              for (const statement of statements)
                for (const mode of PLAN_MODES)
                  for (const node of yield* plan(mode, statement as Statement<unknown>)) {
                    const said = JSON.stringify({ text, scope, mode, node, statement: statement.compile()[0] })
                    assert.notInclude(node["Node Type"], "Seq Scan", said)
                    assert.isAtMost(rowsReadBy(node), bound + 1, said)
                  }
            }
          }
      }),
    )

    it.effect("finds any part of a name in any script on the first page, however old the token is", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* fillScripts
        for (const term of SCRIPT_TERMS) {
          const { found, rows, scans } = yield* readingOf(READ, searchTokens(sql, term, {} as never, PAGE))
          const names = found.rows.map(({ name, symbol }) => (symbol === "PLAIN" ? name : symbol) as string)
          const expected = SCRIPT_NAMES.filter((name) => name.toLowerCase().includes(term.toLowerCase()))
          assert.deepStrictEqual(names.sort(), [...expected, ...expected].sort(), term)
          assert.isUndefined(found.end, term)
          assert.strictEqual(scans, 0, term)
          assert.isAtMost(rows, ROWS_MAX, term)
        }
      }),
    )
  },
)
