import { assert, describe, layer } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { examples, SEED } from "../../../../scripts/Laws.ts"
import { type Random, randomOf } from "../../../service/test/Random.ts"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { reportSearchLocale } from "../../src/tokens/SearchLocale.ts"
import { SEARCHED_DATABASES } from "./SearchLocales.ts"
import { expectedIds, pagedIds, type SearchScope } from "./SearchPages.ts"

const TOKENS = 120
/** In each database. */
const CASES = examples(30, 200)

/** Letters in both cases, all that a pattern could mean something else by, and what has no trigram. */
const LETTERS = [..."aAbBcC%_\\*?.^$[](){}|+'\" \n-Éж狗币😀1"]
/** Letters of long words, and some between them. */
const WORD_LETTERS = [..."aAbBcCdÉж狗币1aAbBcCdÉЖ狗币1 -,"]
const TAGS = ["dog", "cat"]
const OWNERS = [sampleAddress(), sampleAddress()]
const DAYS = ["2026-01-01", "2026-01-02", "2026-01-03"]

const oneOf = <A>(random: Random, all: ReadonlyArray<A>): A => all[random(all.length)]!
const textOf = (random: Random, lengthMax: number, letters = LETTERS): string =>
  Array.from({ length: 1 + random(lengthMax) }, () => oneOf(random, letters)).join("")
const isHeads = (random: Random): boolean => random(4) === 0

/** Registered tokens with texts of these letters, many of them at the same time. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  const random = randomOf(SEED)
  const mints: Array<string> = []
  for (let count = 0; count < TOKENS; count++) {
    const mintAddress = sampleAddress()
    mints.push(mintAddress)
    yield* sql`
      insert into tokens ${sql.insert({
        id: crypto.randomUUID(),
        mintAddress,
        name: textOf(random, 8),
        symbol: textOf(random, 3),
        description: isHeads(random)
          ? oneOf(random, mints)
          : textOf(random, 30, oneOf(random, [LETTERS, WORD_LETTERS])),
        totalSupply: "1",
        decimals: 6,
        owner: oneOf(random, OWNERS),
        launchpad: oneOf(random, ["launchpad_a", "launchpad_b"]),
        active: isHeads(random),
        verified: isHeads(random),
        createdAt: new Date(`${oneOf(random, DAYS)}T12:00:00Z`),
        updatedAt: new Date(),
        deletedAt: random(10) === 0 ? new Date() : null,
        tags: TAGS.filter(() => isHeads(random)),
      })}`
  }
  return mints
})

/** A part of a token's texts, sometimes with a letter changed. */
const partOfText = Effect.fn(function* (random: Random) {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly text: string }>`
    select ${random(2) === 0 ? sql`upper(text)` : sql`text`} as text from (
      select symbol || e'\n' || name || e'\n' || description as text from tokens order by mint_address
    ) texts`
  const letters = [...oneOf(random, rows).text]
  const start = random(letters.length)
  const part = letters.slice(start, start + 1 + random(16))
  if (isHeads(random)) part[random(part.length)] = oneOf(random, WORD_LETTERS)
  return part.join("")
})

const scopeOf = (random: Random): SearchScope => ({
  ...(isHeads(random) && { owner: oneOf(random, OWNERS) }),
  ...(isHeads(random) && { tag: oneOf(random, [...TAGS, "absent"]) }),
  ...(isHeads(random) && { launchpad: oneOf(random, ["launchpad_a", "launchpad_b"] as const) }),
  ...(isHeads(random) && { active: oneOf(random, ["true", "false"] as const) }),
  ...(isHeads(random) && { verified: oneOf(random, ["true", "false"] as const) }),
  ...(isHeads(random) && { startDate: `${oneOf(random, DAYS)}T12:00:00Z` }),
  ...(isHeads(random) && { endDate: `${oneOf(random, DAYS)}T12:00:00Z` }),
})

for (const [nth, { database, kind, said: lacking }] of SEARCHED_DATABASES.entries())
  describe(`Any search in a database ${kind}`, () => {
    layer(database)((it) => {
      it.effect(
        "finds exactly the tokens that contain the term, ranked, each once, however little it reads for a page",
        () =>
          Effect.gen(function* () {
            const mints = yield* fill
            const random = randomOf(SEED + 1 + nth)
            let found = 0
            for (let count = 0; count < CASES; count++) {
              const isPart = random(2) === 0
              const some = random(10) === 0 ? oneOf(random, mints) : textOf(random, 4)
              const term = (isPart ? yield* partOfText(random) : some).trim()
              if (term === "") continue
              const scope = scopeOf(random)
              const bounds = {
                ...{ newest: random(40), common: random(4), candidates: 1 + random(30), far: 1 + random(20) },
              }
              const expected = yield* expectedIds(term, scope)
              const limit = 1 + random(6)
              const pages = yield* pagedIds(term, scope, { limit, bounds })
              const said = JSON.stringify({ term, scope, bounds, limit })
              assert.deepStrictEqual(pages.flat(), expected, said)
              for (const page of pages) assert.isAtMost(page.length, limit, said)
              found += expected.length
              // An offset skips exactly so many of them, on as many pages as it takes.
              const offset = random(expected.length + 2)
              const further = yield* pagedIds(term, scope, { limit, bounds, offset })
              assert.deepStrictEqual(further.flat(), expected.slice(offset), JSON.stringify({ said, offset }))
            }
            assert.isAbove(found, CASES / 2)
          }),
      )

      it.effect("is of a locale, and what that lacks is said at the start", () =>
        Effect.gen(function* () {
          const logged: Array<string> = []
          const recording = Logger.layer([
            Logger.make(({ logLevel, message }) => void logged.push(`${logLevel} ${String(message)}`)),
          ])
          yield* Effect.provide(reportSearchLocale, recording)
          assert.lengthOf(logged, lacking.length)
          for (const [at, line] of logged.entries()) assert.match(line, lacking[at]!)
        }),
      )
    })
  })
