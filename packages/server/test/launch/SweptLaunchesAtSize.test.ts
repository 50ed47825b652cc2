import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { BUILT_KINDS, builtLaunchSweep } from "../../src/launch/BuiltLaunchSweep.ts"
import { IndexerStatus } from "../../src/system/IndexerStatus.ts"
import { PLAN_MODES } from "../PlanNodes.ts"
import { inPlanMode, readingOf } from "../PreparedPlans.ts"

const BUILT = 40_000
const PENDING = 2_000
const BATCH = 200
const TABLES = ["launch_configs", "launch_deployments", "dbc_pools", "dbc_configs", "dbc_events"]

/** Many launches that were built long ago, one of three on chain; submissions that have ended, and some that have not. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  const createdAt = sql.literal("timestamptz 'epoch' - interval '60 days' + interval '1 second' * n")
  const all = sql`generate_series(1, ${BUILT}::int) n`
  const launched = sql`generate_series(3, ${BUILT}::int, 3) n`
  yield* sql`
    insert into launch_configs (config_address, signer, launchpad, quote_mint, token_type, token_decimals, created_at)
    select 'c' || n, 'w', 'launchpad_a', 'q', 0, 6, ${createdAt} from ${all}`
  yield* sql`
    insert into launch_deployments (base_mint, signer, uri, config_address, pool, name, symbol, metadata, created_at)
    select 'm' || n, 'w', 'u', 'c' || n, 'p' || n, 'n', 's', '{}', ${createdAt} from ${all}`
  yield* sql`
    insert into dbc_pools (pool, base_mint, quote_mint, config, creator, name, symbol, uri, pool_type, created_slot, created_at)
    select 'p' || n, 'm' || n, 'q', 'c' || n, 'another', 'n', 's', 'u', 0, n, now() from ${launched}`
  yield* sql`
    insert into dbc_configs (config, quote_mint, fee_claimer, leftover_receiver, created_slot)
    select 'c' || n, 'q', 'w', 'w', n from ${launched}`
  yield* sql`
    insert into dbc_events (ordinal, signature, type, pool, config, facts, block_time)
    select n * 10 + e, 's' || n, case e when 0 then 'PoolCreated' else 'CurveComplete' end, 'p' || n, 'c' || n,
      '{"creator": "w"}', now() from ${launched}, generate_series(0, 3) e`
  yield* sql`
    insert into launch_submissions (signature, transaction, signers, programs, blockhash, skips_preflight, state, version,
      attempts, sends, next_check_at, created_at, updated_at, settled_at)
    select 's' || n, case when n <= ${PENDING}::int then ''::bytea end, array['w' || n, 'm' || n * 10], '{}', '', true,
      'pending', 1, 0, 0, now(), now(), now(), case when n > ${PENDING}::int then now() end
    from generate_series(1, ${BUILT}::int) n`
  yield* sql.unsafe(`analyze ${TABLES.join(", ")}, launch_submissions`)
})

const upIndex = Layer.succeed(IndexerStatus, {
  report: Effect.die("not asked"),
  health: Effect.succeed({ status: "up" as const, detail: "proven" }),
})

layer(Layer.provideMerge(Layer.effectDiscard(fill), Layer.merge(TestDatabase.layer, upIndex)))(
  "Of many built launches",
  (it) => {
    it.effect("a batch is swept by indexes, whatever the plan", () =>
      Effect.gen(function* () {
        const sweep = yield* builtLaunchSweep
        for (const mode of PLAN_MODES)
          for (const kind of BUILT_KINDS) {
            const work = inPlanMode(mode, sweep(kind))
            const { found, rows, scans } = yield* readingOf([...TABLES, "launch_submissions"], work)
            // Two of three are not on chain; some of these are on their way.
            assert.isTrue(found.isFull)
            assert.isAbove(found.deleted, BATCH / 2, `${kind} ${mode}`)
            assert.isAtMost(found.deleted, BATCH, `${kind} ${mode}`)
            assert.strictEqual(scans, 0, `${kind} ${mode}`)
            assert.isAtMost(rows, PENDING + 10 * BATCH, `${kind} ${mode}`)
          }
      }),
    )
  },
)
