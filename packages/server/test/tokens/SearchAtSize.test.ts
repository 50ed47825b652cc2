import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { type SearchBounds, searchTokens } from "../../src/tokens/SearchTokens.ts"
import { readingOf } from "../PreparedPlans.ts"
import { fillSearchedTokens, many, mintOf, NARROW, SCOPES, TOKENS } from "./SearchedTokens.ts"
import { fillScripts, SCRIPT_NAMES, SCRIPT_TERMS } from "./SearchedScripts.ts"
import { expectedIds, pagedIds, type SearchScope } from "./SearchPages.ts"

const TERMS = [
  ...["same", "oldie", "OLDIE12", "s2", "s", "hundred 1", "Token", "common phrase", "needle", "seldom", "absent word"],
  ...["qx", "!", "%", "a_c", mintOf(777), sampleAddress()],
]

/** Every term, and some of them in every scope. */
const SEARCHES = [
  ...TERMS.map((term) => ({ term, scope: {} as SearchScope })),
  ...["same", "oldie", "needle"].flatMap((term) => SCOPES.map((scope) => ({ term, scope }))),
]

const PAGE = { after: undefined, limit: 21, offset: 0 }
/** Bounds that the offsets of most searches go beyond. */
const SMALL: SearchBounds = { newest: 50, common: 2, candidates: 150, far: 300 }

/** The newest, an index of all, and for each rank an index and a walk; before version 16 PostgreSQL reads a row ahead to number rows. */
const ROWS_MAX = SMALL.newest + SMALL.candidates + 4 * (SMALL.candidates + SMALL.far) + 10

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

    it.effect("is exact where the scope has few tokens, however little else is read", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const bounds = { newest: 50, common: 2, candidates: 10, far: 100 }
        for (const scope of NARROW)
          for (const term of ["oldie", "seldom", "phrase", "token 1"]) {
            const range = { after: undefined, limit: TOKENS, offset: 0 }
            const { end, rows } = yield* searchTokens(sql, term, scope as never, range, bounds)
            const ids = rows.map(({ id }) => id as string)
            assert.deepStrictEqual(ids, yield* expectedIds(term, scope), JSON.stringify({ term, scope }))
            assert.strictEqual(end, undefined)
          }
        assert.lengthOf(yield* expectedIds("seldom", { owner: many, tag: "scarce" }), 5)
        assert.lengthOf(yield* expectedIds("seldom", { verified: "true", tag: "scarce" }), 5)
      }),
    )

    it.effect("reads few rows, also to skip an offset, and says how many are left", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        let resumed = 0
        for (const { scope, term } of SEARCHES)
          for (const offset of [0, 1, 30, 10_000]) {
            const range = { after: undefined, limit: 21, offset }
            const search = searchTokens(sql, term, scope as never, range, SMALL)
            const { found, rows } = yield* readingOf(["tokens"], search)
            const said = JSON.stringify({ term, scope, offset })
            // What else a scope asks for is compared on the way.
            if (Object.keys(scope).length === 0) assert.isAtMost(rows, ROWS_MAX, said)
            if (found.end !== undefined && found.toSkip > 0) {
              resumed++
              assert.isEmpty(found.rows, said)
              assert.isAtMost(found.toSkip, offset, said)
            }
          }
        assert.isAbove(resumed, 20)
      }),
    )

    it.effect("finds what few tokens contain on the first page, however old they are", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        for (const term of ["needle in", "a needle in hay", "needles", "absent word", "phrase common"]) {
          const { end, rows } = yield* searchTokens(sql, term, {} as never, PAGE)
          const ids = rows.map(({ id }) => id as string)
          assert.deepStrictEqual(ids, yield* expectedIds(term, {}), term)
          assert.isUndefined(end, term)
        }
      }),
    )

    it.effect("finds any part of a name in any script on the first page, however old the token is", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* fillScripts
        for (const term of SCRIPT_TERMS) {
          const found = yield* searchTokens(sql, term, {} as never, PAGE)
          const names = found.rows.map(({ name, symbol }) => (symbol === "PLAIN" ? name : symbol) as string)
          const expected = SCRIPT_NAMES.filter((name) => name.toLowerCase().includes(term.toLowerCase()))
          assert.deepStrictEqual(names.sort(), [...expected, ...expected].sort(), term)
          assert.isUndefined(found.end, term)
        }
      }),
    )
  },
)
