import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import type { Position } from "@launch-registry/http/answers/Cursor"
import { newestRows } from "@launch-registry/postgres/IndexRanges"
import type { ListBounds } from "@launch-registry/postgres/ListRows"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomOf } from "../../../service/test/Random.ts"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { listTokens, type TokenScope, waysToTokens } from "../../src/tokens/ListTokens.ts"
import { inPlanMode, PLAN_MODES, planOf, readingOf, rowsReadBy } from "../PreparedPlans.ts"

const TOKENS = 30_000
const LIMIT = 20

const [few, many, all] = [sampleAddress(), sampleAddress(), sampleAddress()]

/** Few tokens are inactive or of the second launchpad, and these are old; no token of `all` has the tag `odd`. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
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
  yield* sql`
    insert into token_tags (tag, token_id, launchpad, active, created_at, mint_address)
    select tag, id, launchpad, active, created_at, mint_address from tokens, unnest(tags) tag`
  yield* sql`update tokens set verified = true where substr(symbol, 2)::int % 700 = 0`
  yield* sql`update tokens set deleted_at = now() where symbol in ('S7', 'S19998')`
  yield* sql`delete from token_tags where token_id in (select id from tokens where deleted_at is not null)`
  yield* sql`analyze tokens, token_tags`
})

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
const pagedIds = Effect.fn(function* (
  ...[scope, limit, atLeast, bounds, offset = 0]: [TokenScope, number, number, ListBounds?, number?]
) {
  const sql = yield* SqlClient
  const ids: Array<string> = []
  let after: Position | undefined
  let left = offset
  while (ids.length < atLeast) {
    const { end, rows, toSkip = 0 } = yield* listTokens(sql, scope, { after, limit, offset: left }, bounds)
    left = toSkip
    ids.push(...rows.map(({ id }) => id as string))
    const last = rows.at(-1)
    if (end !== undefined) after = { createdAt: end[0], id: end[1] }
    else if (rows.length === limit) after = { createdAt: last!.createdAt, id: last!.id as string }
    else return ids
  }
  return ids
})

const BOUNDS: ListBounds = { near: 30, nearPerRow: 1, few: 80, far: 100, skipWalks: 5 }

/** Tables that a list reads. */
const READ = ["tokens", "token_tags"]

layer(Layer.provideMerge(Layer.effectDiscard(fill), TestDatabase.layer))("A list of many tokens", (it) => {
  it.effect("has what reading them all finds, page by page, whatever the filters", () =>
    Effect.gen(function* () {
      const random = randomOf(28)
      const scopes = [...WORST, ...Array.from({ length: 30 }, () => scopeOf(random))]
      for (const scope of scopes) {
        const expected = yield* expectedIds(scope)
        const said = JSON.stringify(scope)
        for (const [limit, atLeast, bounds] of [
          [1_000, 2_000, undefined],
          [LIMIT, 200, BOUNDS],
        ] as const) {
          const found = yield* pagedIds(scope, limit, atLeast, bounds)
          assert.deepStrictEqual(found, expected.slice(0, found.length), said)
          assert.isAtLeast(found.length, Math.min(expected.length, atLeast), said)
        }
      }
    }),
  )

  it.effect("skips exactly so many of them, on as many pages as it takes", () =>
    Effect.gen(function* () {
      const random = randomOf(29)
      for (const scope of [...WORST, ...Array.from({ length: 30 }, () => scopeOf(random))]) {
        const expected = yield* expectedIds(scope)
        for (const bounds of [BOUNDS, { ...BOUNDS, skipWalks: 1 }]) {
          const offset = random(Math.min(expected.length, 2_000) + 2)
          const found = yield* pagedIds(scope, LIMIT, 60, bounds, offset)
          const said = JSON.stringify({ scope, offset })
          assert.deepStrictEqual(found, expected.slice(offset, offset + found.length), said)
          assert.isAtLeast(found.length, Math.min(expected.length - offset, 60), said)
        }
      }
    }),
  )

  it.effect("reads few rows to skip an offset, and says how many are left", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { far, few: fewMax, skipWalks } = BOUNDS
      const scopes: ReadonlyArray<TokenScope> = [
        { owner: all, tag: "odd" },
        { owner: all, tag: "odd", verified: "false" },
        { owner: all, tag: "odd", verified: "false", active: "true" },
        { owner: all, tag: "seldom" },
      ]
      for (const scope of scopes)
        for (const offset of [1, 500, 10_000]) {
          const list = listTokens(sql, scope, { after: undefined, limit: LIMIT, offset }, BOUNDS)
          const { found, rows, scans } = yield* readingOf(READ, list)
          const ways = waysToTokens(sql, scope).length
          const said = JSON.stringify({ scope, offset })
          assert.strictEqual(scans, 0, said)
          // Each walk is near and far, with a count; of tags in two tables.
          assert.isAtMost(rows, 2 * (skipWalks + 2 * ways) * (2 * far + fewMax + 1), said)
          if (scope.tag === "seldom") continue
          assert.isDefined(found.end, said)
          assert.strictEqual(found.toSkip, offset, said)
        }
    }),
  )

  it.effect("fills its pages where enough of the newest match, and ends a page early where all indexes are long", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const read = (scope: TokenScope) => listTokens(sql, scope, { after: undefined, limit: LIMIT, offset: 0 }, BOUNDS)
      for (const scope of [
        { owner: many, active: "true" },
        { tag: "often", owner: all },
      ] as const) {
        const { end, rows } = yield* read(scope)
        assert.lengthOf(rows, LIMIT)
        assert.isUndefined(end)
      }
      const { end, rows } = yield* read({ owner: all, tag: "odd" })
      assert.lengthOf(rows, 0)
      assert.isDefined(end)
    }),
  )

  it.effect("does not look for old matches among the newest tokens, or the newest of a tag", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const scopes: ReadonlyArray<TokenScope> = [
        { owner: many, active: "false" },
        { tag: "often", active: "false" },
        { tag: "often", launchpad: "launchpad_b", active: "false" },
      ]
      for (const mode of PLAN_MODES)
        for (const scope of scopes) {
          const list = listTokens(sql, scope, { after: undefined, limit: LIMIT, offset: 0 })
          const { found, rows } = yield* inPlanMode(mode, readingOf(READ, list))
          const said = JSON.stringify({ mode, scope })
          assert.isNotEmpty(found.rows, said)
          assert.isAtMost(rows, 8 * LIMIT, said)
        }
    }),
  )

  it.effect("reads no table as a whole, and few rows, with plans of either kind", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      // Three walks and two counts, of tags in two tables.
      const rowsMax = 2 * (BOUNDS.near + BOUNDS.nearPerRow * LIMIT + 2 * BOUNDS.far + 3 * BOUNDS.few)
      for (const mode of PLAN_MODES)
        for (const scope of WORST) {
          const list = listTokens(sql, scope, { after: undefined, limit: LIMIT, offset: 0 }, BOUNDS)
          const { rows, scans } = yield* inPlanMode(mode, readingOf(READ, list))
          const said = JSON.stringify({ mode, scope })
          assert.strictEqual(scans, 0, said)
          assert.isAtMost(rows, rowsMax, said)
        }
    }),
  )

  it.effect("is read from the index that begins with its filter, and no more of it than the page has", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const used = new Set<string>()
      for (const { mints: _mints, ...scope } of WORST)
        for (const way of waysToTokens(sql, scope)) {
          const statement = sql`${newestRows(sql, way, "t.*", LIMIT)}`
          for (const mode of PLAN_MODES)
            for (const node of yield* planOf(mode, statement)) {
              const said = JSON.stringify({ scope, mode, node, statement: statement.compile()[0] })
              assert.include(node["Node Type"], "Index", said)
              // Both values of `active`, where only the launchpad is given.
              assert.isAtMost(rowsReadBy(node), 2 * LIMIT, said)
              used.add(node["Index Name"]!)
            }
        }
      assert.deepStrictEqual([...used].toSorted(), [
        ...["token_tags_recent", "tokens_active", "tokens_launchpad", "tokens_owner", "tokens_recent"],
        "tokens_verified",
      ])
    }),
  )
})
