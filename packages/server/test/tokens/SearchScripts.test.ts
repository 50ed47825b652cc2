import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { reportSearchLocale } from "../../src/tokens/SearchLocale.ts"
import { searchTokens } from "../../src/tokens/SearchTokens.ts"
import { SEARCHED_DATABASES } from "./SearchLocales.ts"
import { expectedIds, pagedIds } from "./SearchPages.ts"
import { fillScripts, SCRIPT_NAMES, SCRIPT_TERMS } from "./SearchedScripts.ts"

/** So few that nothing is found by looking at the newest, of whom there are more than that. */
const BOUNDS = { newest: 5, common: 2, candidates: 50, far: 20 }
const NEWER = 100

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* fillScripts
  // Common letters of each script are in many tokens, rare ones in few.
  yield* sql`
    insert into tokens (id, mint_address, name, symbol, description, total_supply, decimals, owner, launchpad, created_at, updated_at)
    select gen_random_uuid(), 'newer' || n, 'Token ' || n, 'S' || n, 'с é 🚀 的', 1, 6, 'somebody', 'launchpad_a',
      date '2026-01-01' + n * interval '1 minute', now()
    from generate_series(1, ${NEWER}::int) n`
  yield* sql`vacuum (analyze) tokens`
})

for (const { database, kind, said } of SEARCHED_DATABASES)
  describe(`In a database ${kind}`, () => {
    layer(Layer.provideMerge(Layer.effectDiscard(fill), database))((it) => {
      it.effect("a token is found on the first page by any part of its name, in any script", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          for (const term of SCRIPT_TERMS) {
            const expected = yield* expectedIds(term, {})
            const range = { after: undefined, limit: 21, offset: 0 }
            const { end, rows } = yield* searchTokens(sql, term, {} as never, range, BOUNDS)
            assert.deepStrictEqual(
              rows.map(({ id }) => id as string),
              expected,
              term,
            )
            assert.isNotEmpty(rows, term)
            assert.isUndefined(end, term)
          }
        }),
      )

      it.effect("what its locale lacks is said at the start", () =>
        Effect.gen(function* () {
          const logged: Array<string> = []
          const recording = Logger.layer([
            Logger.make(({ logLevel, message }) => void logged.push(`${logLevel} ${String(message)}`)),
          ])
          yield* Effect.provide(reportSearchLocale, recording)
          assert.lengthOf(logged, said.length)
          for (const [at, line] of logged.entries()) assert.match(line, said[at]!)
        }),
      )

      it.effect("every token is found by its own name and symbol, and by what they begin with", () =>
        Effect.gen(function* () {
          for (const name of SCRIPT_NAMES)
            for (const length of [1, 2, name.length]) {
              const term = [...name].slice(0, length).join("").trim()
              const [first] = yield* pagedIds(term, {}, { limit: 20, atLeast: 1, bounds: BOUNDS })
              assert.deepStrictEqual(first, (yield* expectedIds(term, {})).slice(0, first!.length), term)
              assert.isNotEmpty(first, term)
            }
        }),
      )
    })
  })
