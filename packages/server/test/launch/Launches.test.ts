import type { Launch } from "@launch-registry/domain/launch/Launch"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomOf } from "../../../service/test/Random.ts"
import { type Answer, TestServer } from "../../../service/test/TestServer.ts"
import { launchRows, type LaunchPosition, type LaunchScope } from "../../src/launch/ListLaunches.ts"
import { dataAt } from "../tokens/TokenRequests.ts"
import { ordinalOf, sampleTrade } from "./IndexedTrades.ts"
import { compareAll, MADE_OF, manyLaunches } from "./ManyLaunches.ts"

const EVERYTHING: LaunchScope = {
  ...{ sort: "newest", stage: undefined, registered: "any" },
  ...{ configs: undefined, creator: undefined, quoteMint: undefined, mints: undefined },
}

const [config, creator, quoteMint] = [MADE_OF.configs[1], MADE_OF.creators[1], MADE_OF.quotes[1]]

const SCOPES: ReadonlyArray<Partial<LaunchScope>> = [
  {},
  ...(["true", "false"] as const).map((registered) => ({ registered })),
  ...(["curve", "completed", "migrated"] as const).map((stage) => ({ stage, registered: "true" as const })),
  ...[
    { configs: [config] },
    { configs: [...MADE_OF.configs, config] },
    { creator },
    { quoteMint },
    { configs: [config, quoteMint], creator, registered: "false" as const },
  ],
  ...[
    { configs: [config], stage: "migrated" as const },
    { creator, quoteMint },
  ],
]

const SORTED: ReadonlyArray<LaunchScope> = [
  ...SCOPES.map((scope) => ({ ...EVERYTHING, ...scope })),
  ...SCOPES.filter(({ stage }) => stage === undefined || stage === "curve").map((scope): LaunchScope => ({
    ...EVERYTHING,
    ...scope,
    sort: "progress",
    stage: "curve",
  })),
  ...SCOPES.filter(({ stage }) => stage === undefined || stage === "migrated").map((scope): LaunchScope => ({
    ...EVERYTHING,
    ...scope,
    sort: "graduated",
    stage: "migrated",
  })),
]

/** Every launch of a scope in order, by what the tables of the index and the registry say. */
const expected = Effect.fn(function* (scope: LaunchScope) {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly pool: string; readonly key: bigint; readonly isIn: boolean }>`
    select p.pool,
      case ${scope.sort} when 'newest' then extract(epoch from p.created_at) when 'graduated' then extract(epoch from p.migrated_at)
        else trunc((select quote_reserve from trades t where t.base_mint = p.base_mint) / 85000) end::bigint as key,
      (${scope.registered} = 'any' or ${scope.registered} = (exists (
        select from tokens t where t.mint_address = p.base_mint and t.deleted_at is null))::text)
      and coalesce(p.config = any(${scope.configs ?? null}::text[]), true) and coalesce(p.creator = ${scope.creator ?? null}, true)
      and coalesce(p.quote_mint = ${scope.quoteMint ?? null}, true)
      and (${scope.mints === undefined}::boolean or p.base_mint = any(${scope.mints ?? []}::text[]))
      and coalesce(${scope.stage ?? null} = case when p.migrated_at is not null then 'migrated'
        when p.completed_slot is not null then 'completed' else 'curve' end, true) as is_in
    from dbc_pools p`
  return rows
    .filter(({ isIn }) => isIn)
    .toSorted((a, b) => (a.key === b.key ? (a.pool < b.pool ? 1 : -1) : a.key < b.key ? 1 : -1))
    .map(({ pool }) => pool)
})

/** The same by pages. */
const paged = Effect.fn(function* (scope: LaunchScope, limit: number) {
  const sql = yield* SqlClient
  const pools: Array<string> = []
  let after: LaunchPosition | undefined
  for (;;) {
    const rows = yield* launchRows(sql, scope, { after, limit })
    pools.push(...rows.map(({ pool }) => pool))
    if (rows.length < limit) return pools
    const { key, pool } = rows.at(-1)!
    after = { key: Number(key), pool }
  }
})

layer(TestServer.layer(), { timeout: "60 seconds" })("A list of launches", (it) => {
  it.effect("has each launch of its scope once, in order, whatever the pages", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`delete from dbc_pools`
      yield* manyLaunches(300)
      yield* compareAll
      const some = yield* sql<{ readonly baseMint: string }>`
        select base_mint from dbc_pools order by created_slot * 7919 % 1000 limit 100`
      const mints = [...some.map(({ baseMint }) => baseMint), MADE_OF.quotes[0]]
      for (const scope of [...SORTED, ...SORTED.map((scope) => ({ ...scope, mints }))]) {
        const all = yield* expected(scope)
        const said = JSON.stringify(scope)
        assert.deepStrictEqual(yield* paged(scope, 7), all, said)
      }
      assert.lengthOf(yield* expected(EVERYTHING), 300)
      assert.lengthOf(yield* expected({ ...EVERYTHING, mints }), 100)
    }),
  )

  it.effect("is paged over HTTP by a cursor of its order, with tokens and figures", () =>
    Effect.gen(function* () {
      const { fetch, request } = yield* TestServer
      const sql = yield* SqlClient
      for (const [query, scope] of [
        ["", { registered: "true" }],
        ["registered=any&sort=progress", { sort: "progress", stage: "curve" }],
        ["registered=false&sort=graduated", { registered: "false", sort: "graduated", stage: "migrated" }],
        [`registered=any&config=${config}&stage=completed`, { configs: [config], stage: "completed" }],
        [`registered=any&config=${MADE_OF.configs.join(",")}&sort=progress`, { sort: "progress", stage: "curve" }],
      ] as ReadonlyArray<readonly [string, Partial<LaunchScope>]>) {
        const path = `/api/launch/pools?include=market&limit=9&${query}`
        const launches: Array<Launch> = []
        let cursor: string | null = null
        do {
          const { body, status }: Answer = yield* request(cursor === null ? path : `${path}&cursor=${cursor}`)
          assert.strictEqual(status, 200, JSON.stringify(body))
          launches.push(...body.data)
          cursor = body.pagination.nextCursor
        } while (cursor !== null)
        const pools = launches.map(({ pool }) => pool as string)
        assert.deepStrictEqual(pools, yield* expected({ ...EVERYTHING, ...scope }), query)
        for (const { mintAddress, market, pool, stage, token } of launches) {
          if (scope.registered !== undefined) assert.strictEqual(token !== null, scope.registered === "true")
          if (token !== null) assert.strictEqual(token.mintAddress, mintAddress)
          assert.deepInclude(market, { pool, stage })
        }
        const progress = launches.map(({ market }) => market!.quoteProgress!)
        if (scope.sort === "progress")
          assert.deepStrictEqual(
            progress,
            progress.toSorted((a, b) => b - a),
          )
      }
      for (const [query, path] of [
        ["sort=progress&stage=migrated", "query.stage"],
        ["sort=graduated&stage=curve", "query.stage"],
        [`config=${config},`, "query.config"],
        [`config=${Array.from({ length: 21 }, () => config).join(",")}`, "query.config"],
      ] as const) {
        const { body, status } = yield* request(`/api/launch/pools?${query}`)
        assert.strictEqual(status, 400, query)
        assert.strictEqual(body.issues[0].path, path)
      }
      const url = "/api/launch/pools?limit=5&include=market"
      const etag = (yield* fetch(url)).headers.get("etag")!
      assert.strictEqual((yield* fetch(url, { headers: { "if-none-match": etag } })).status, 304)
      const [row] = (yield* dataAt(url)) as ReadonlyArray<Launch>
      const next = sampleTrade({ baseMint: row!.mintAddress, ordinal: ordinalOf(1_000_000n) })
      yield* sql`insert into trades ${sql.insert({ ...next, nextSqrtPrice: "99362933813224380" })}`
      assert.strictEqual((yield* fetch(url, { headers: { "if-none-match": etag } })).status, 200)
    }),
  )

  it.effect("has each launch that is not traded between two of its pages once, whatever the others do", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { request } = yield* TestServer
      const random = randomOf(7)
      const listed = yield* sql<{ readonly pool: string }>`select pool from launch_listings where stage = 'curve'`
      const traded = new Set(listed.map(({ pool }) => pool).filter(() => random(3) === 0))
      const seen: Array<string> = []
      let cursor: string | null = null
      do {
        const query: string = cursor === null ? "" : `&cursor=${cursor}`
        const { body }: Answer = yield* request(`/api/launch/pools?registered=any&sort=progress&limit=9${query}`)
        seen.push(...body.data.map(({ pool }: Launch) => pool as string))
        cursor = body.pagination.nextCursor
        for (const pool of traded)
          yield* sql`update launch_listings set progress = ${random(1_000_000)}::integer where pool = ${pool}`
      } while (cursor !== null)
      const others = listed.map(({ pool }) => pool).filter((pool) => !traded.has(pool))
      assert.isAbove(others.length, 9)
      assert.sameMembers(
        seen.filter((pool) => !traded.has(pool)),
        others,
      )
      yield* compareAll
    }),
  )

  it.effect("goes on after a launch whose pool was reverted meanwhile", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const sql = yield* SqlClient
      for (const [query, scope] of [
        [`registered=any&quoteMint=${quoteMint}`, { quoteMint }],
        ["registered=false", { registered: "false" }],
      ] as ReadonlyArray<readonly [string, Partial<LaunchScope>]>) {
        const listed = yield* expected({ ...EVERYTHING, ...scope })
        // The list of launches follows a moment later.
        const reverted = listed.filter((_, at) => at % 3 === 1)
        yield* sql`delete from dbc_pools where pool = any(${reverted}::text[])`
        const pools: Array<string> = []
        let cursor: string | null = null
        do {
          const path: string = `/api/launch/pools?limit=2&${query}${cursor === null ? "" : `&cursor=${cursor}`}`
          const { body }: Answer = yield* request(path)
          pools.push(...body.data.map(({ pool }: Launch) => pool as string))
          cursor = body.pagination.nextCursor
        } while (cursor !== null)
        const left = listed.filter((pool) => !reverted.includes(pool))
        assert.deepStrictEqual(pools, left, query)
      }
    }),
  )
})
