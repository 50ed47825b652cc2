import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { follow, launch, launchConfig } from "./ChainLaunches.ts"

/** Large tables that were scanned while the index was followed. */
const readWhole = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* Effect.gen(function* () {
    // The planner would scan tables as small as these.
    yield* sql`select set_config('enable_seqscan', 'off', true)`
    yield* follow
    const rows = yield* sql<{ readonly relname: string }>`
      select relname from pg_stat_xact_user_tables
      where seq_scan > 0 and relname in ('tokens', 'token_tags', 'transactions', 'dbc_pools', 'dbc_events')`
    return rows.map(({ relname }) => relname)
  }).pipe(sql.withTransaction)
})

layer(TestServer.layer())("A large registry", (it) => {
  it.effect("is not scanned for a launch, a new creator, a migration, or a rollback", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { baseMint, pool, signature } = yield* launch({ config: yield* launchConfig() })
      assert.deepStrictEqual(yield* readWhole, [])
      yield* commitChanges(sampleChange("creator", baseMint, { pool }))
      yield* commitChanges(sampleChange("graduation", baseMint, { pool, stage: "migrated" }))
      assert.deepStrictEqual(yield* readWhole, [])
      yield* sql`delete from dbc_pools where pool = ${pool}`
      yield* sql`delete from dbc_events where pool = ${pool}`
      yield* commitChanges(sampleChange("revert", "", { signature, mintAddresses: [baseMint], pools: [pool] }))
      assert.deepStrictEqual(yield* readWhole, [])
      const left = yield* sql`select 1 from transactions where base_token = ${baseMint}`
      assert.lengthOf(left, 0)
    }),
  )
})
