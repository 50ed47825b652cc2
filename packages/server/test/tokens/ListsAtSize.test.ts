import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import type { Position } from "@launch-registry/http/answers/Cursor"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomOf } from "../../../service/test/Random.ts"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { listTokens, type TokenScope } from "../../src/tokens/ListTokens.ts"
import { readingOf } from "../PreparedPlans.ts"

const TOKENS = 30_000
const LIMIT = 20

const [few, many, all] = [sampleAddress(), sampleAddress(), sampleAddress()]

/** Few tokens are inactive or of the second launchpad, and these are old; no token of `all` has the tag `odd`. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  // On a busy machine it takes longer than a statement may.
  yield* sql`select set_config('statement_timeout', '0', true)`
  yield* sql`
    insert into tokens (id, mint_address, name, symbol, total_supply, decimals, owner, launchpad, active, tags, created_at,
      updated_at)
    select gen_random_uuid(), left(${few}, -5) || replace((10000 + n)::text, '0', 'z'), 'Token ' || n, 'S' || n, 1, 6,
      case when n % 3000 = 0 then ${few} when n % 5 = 1 then ${many} when n % 2 = 0 then ${all} else 'somebody' || n end,
      case when n between 101 and 160 then 'launchpad_b' else 'launchpad_a' end, n not between 121 and 400,
      array_remove(array[case when n % 3 = 0 then 'often' end, case when n % 500 = 0 then 'rare' end,
        case when n < 8000 and n % 4 = 0 then 'seldom' end, case when n % 2 = 1 then 'odd' end], null),
      date '2026-01-01' + (n / 3) * interval '1 minute', now()
    from generate_series(1, ${TOKENS}::int) n`
  yield* sql`update tokens set verified = true where substr(symbol, 2)::int % 700 = 0`
  yield* sql`update tokens set deleted_at = now() where symbol in ('S7', 'S19998')`
  yield* sql`analyze tokens, token_tags`
}).pipe((work) => Effect.flatMap(SqlClient, (sql) => sql.withTransaction(work)))

const mintOf = (n: number) => few.slice(0, -5) + String(10_000 + n).replaceAll("0", "z")

const VALUES: { readonly [Field in keyof TokenScope]-?: ReadonlyArray<TokenScope[Field]> } = {
  owner: [undefined, undefined, few, many, all, sampleAddress()],
  tag: [undefined, undefined, "often", "rare", "seldom", "odd", "absent"],
  launchpad: [undefined, undefined, "launchpad_a", "launchpad_b"],
  active: [undefined, undefined, "true", "false"],
  verified: [undefined, undefined, undefined, "true", "false"],
  startDate: [undefined, undefined, undefined, "2026-01-01T01:00:00Z"],
  endDate: [undefined, undefined, undefined, "2026-01-02T00:00:00Z"],
  mints: [undefined, undefined, undefined, undefined, [mintOf(130), mintOf(7), mintOf(9_000), few]],
}

/** Some combination of filters. */
const scopeOf = (random: (below: number) => number): TokenScope => {
  const chosen = Object.entries(VALUES).flatMap(([field, values]) => {
    const value = values[random(values.length)]
    return value === undefined ? [] : [[field, value] as const]
  })
  return Object.fromEntries(chosen)
}

const WORST: ReadonlyArray<TokenScope> = [
  {},
  { owner: many },
  { owner: few },
  { owner: all, active: "false" },
  { owner: many, launchpad: "launchpad_b" },
  { owner: all, tag: "seldom" },
  { owner: all, tag: "odd" },
  { tag: "often", active: "false" },
  { tag: "often", launchpad: "launchpad_b" },
  { tag: "seldom" },
  { launchpad: "launchpad_a" },
  { launchpad: "launchpad_b" },
  { launchpad: "launchpad_b", active: "false" },
  { active: "false" },
  { verified: "true" },
  { verified: "true", tag: "often", active: "false" },
  { verified: "false", owner: many },
  { endDate: "2026-01-01T06:00:00Z" },
  { owner: all, endDate: "2026-01-01T06:00:00Z" },
  { mints: [mintOf(130), mintOf(29_000), few] },
]

/** Ids by reading every token. */
const expectedIds = Effect.fn(function* (scope: TokenScope) {
  const sql = yield* SqlClient
  const { active, endDate, launchpad, mints, owner, startDate, tag, verified } = scope
  const rows = yield* sql<{ readonly id: string }>`
    select id from tokens
    where deleted_at is null
      and owner = coalesce(${owner ?? null}::text, owner)
      and launchpad = coalesce(${launchpad ?? null}::text, launchpad)
      and active = coalesce(${active ?? null}::boolean, active)
      and verified = coalesce(${verified ?? null}::boolean, verified)
      and created_at >= coalesce(${startDate ?? null}::timestamptz, created_at)
      and created_at <= coalesce(${endDate ?? null}::timestamptz, created_at)
      and (${mints === undefined}::boolean or mint_address = any(${mints ?? []}::text[]))
      and (${tag ?? null}::text is null or id in (select token_id from token_tags where tag = ${tag ?? null}))
    order by created_at desc, id desc`
  return rows.map(({ id }) => id)
})

/** Ids page by page from an offset on, until the list ends or there are `atLeast` so many. */
const pagedIds = Effect.fn(function* (scope: TokenScope, limit: number, atLeast: number, offset = 0) {
  const sql = yield* SqlClient
  const ids: Array<string> = []
  let after: Position | undefined
  while (ids.length < atLeast) {
    const rows = yield* listTokens(sql, scope, { after, limit, offset: after === undefined ? offset : 0 })
    ids.push(...rows.map(({ id }) => id as string))
    if (rows.length < limit) break
    after = rows.at(-1) as Position | undefined
  }
  return ids
})

/** Filters that an index begins with. */
const SINGLE: ReadonlyArray<TokenScope> = [
  {},
  { owner: many },
  { owner: few },
  { tag: "seldom" },
  { launchpad: "launchpad_a" },
  { launchpad: "launchpad_b" },
  { active: "false" },
  { verified: "true" },
  { endDate: "2026-01-01T06:00:00Z" },
]

layer(Layer.provideMerge(Layer.effectDiscard(fill), TestDatabase.layer))("A list of many tokens", (it) => {
  it.effect("has what reading them all finds, page by page from any offset on, whatever the filters", () =>
    Effect.gen(function* () {
      const random = randomOf(28)
      for (const scope of [...WORST, ...Array.from({ length: 30 }, () => scopeOf(random))]) {
        const expected = yield* expectedIds(scope)
        const offset = random(Math.min(expected.length, 2_000) + 2)
        for (const [limit, atLeast, skipped] of [
          [1_000, 2_000, 0],
          [LIMIT, 60, offset],
        ] as const) {
          const found = yield* pagedIds(scope, limit, atLeast, skipped)
          const said = JSON.stringify({ scope, skipped })
          assert.deepStrictEqual(found, expected.slice(skipped, skipped + found.length), said)
          assert.isAtLeast(found.length, Math.min(expected.length - skipped, atLeast), said)
        }
      }
    }),
  )

  it.effect("reads little more than a page by the index of a filter", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const scope of SINGLE) {
        const list = listTokens(sql, scope, { after: undefined, limit: LIMIT, offset: 0 })
        const { rows, scans } = yield* readingOf(["tokens", "token_tags"], list)
        assert.strictEqual(scans, 0, JSON.stringify(scope))
        // Where one token in five is found, all are as good.
        assert.isAtMost(rows, 6 * LIMIT, JSON.stringify(scope))
      }
    }),
  )
})
