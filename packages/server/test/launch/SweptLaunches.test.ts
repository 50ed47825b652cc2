import { assert, describe, it } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { rolledBack } from "../../../service/test/retention/RolledBack.ts"
import { provenIndex } from "../../../service/test/retention/SweptContent.ts"
import { SOL } from "../../../service/test/Samples.ts"
import { sweepBuiltLaunches } from "../../src/launch/BuiltLaunchSweep.ts"
import { IndexerStatus } from "../../src/system/IndexerStatus.ts"
import { builtLaunches } from "../../src/tokens/BuiltLaunch.ts"

const overProvenIndex = Layer.effectDiscard(provenIndex).pipe(
  Layer.provideMerge(IndexerStatus.layer),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(Logger.layer([])),
)

const sweepNow = Effect.flatten(sweepBuiltLaunches)

/** So many days before the time that tests begin with. */
const daysAgo = (days: number) => new Date(-days * 86_400_000)

/** A deployment of a mint, as it is stored. */
const deploy = Effect.fnUntraced(function* (mint: string, createdAt: Date, fields: object = {}) {
  const sql = yield* SqlClient
  yield* sql`insert into launch_deployments ${sql.insert({
    ...{ baseMint: mint, signer: "creator", uri: `https://${mint}`, name: mint, symbol: "S" },
    ...{ configAddress: `${mint} config`, pool: `${mint} pool`, metadata: "{}", createdAt, ...fields },
  })}`
})

/** What the builders store of a launch of `name`. */
const build = Effect.fnUntraced(function* (name: string, createdAt: Date) {
  const sql = yield* SqlClient
  const facts = { signer: "creator", launchpad: "launchpad_a", quoteMint: SOL, tokenType: 0, tokenDecimals: 6 }
  yield* sql`insert into launch_configs ${sql.insert({ configAddress: `${name} config`, ...facts, createdAt })}`
  yield* deploy(name, createdAt)
})

/** The launch of `name` as the indexer has it. */
const launch = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient
  const pool = { pool: `${name} pool`, baseMint: name, quoteMint: SOL, config: `${name} config`, creator: "creator" }
  yield* sql`insert into dbc_pools ${sql.insert({
    ...{ ...pool, name, symbol: "S", uri: `https://${name}`, poolType: 0 },
    ...{ createdSlot: 1n, createdAt: daysAgo(1) },
  })}`
})

const submit = Effect.fnUntraced(function* (signature: string, signers: ReadonlyArray<string>) {
  const sql = yield* SqlClient
  yield* sql`
    insert into launch_submissions (signature, transaction, signers, programs, blockhash, skips_preflight, state, version,
      attempts, sends, next_check_at, created_at, updated_at)
    values (${signature}, '', ${signers}::text[], '{}', '', true, 'pending', 1, 0, 0, 'infinity', now(), now())`
})

/** Of what launches configurations and deployments are stored. */
const left = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<Readonly<Record<"configs" | "deployments", string | null>>>`
    select (select string_agg(replace(config_address, ' config', ''), ' ' order by config_address) from launch_configs) as configs,
      (select string_agg(base_mint, ' ' order by base_mint, uri) from launch_deployments) as deployments`
  return [row!.configs, row!.deployments]
})

describe("What was built of launches", () => {
  it.effect("is deleted after thirty days, unless it is on chain or on its way there", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const name of ["abandoned", "configured", "launched", "submitted"]) yield* build(name, daysAgo(31))
      yield* build("young", daysAgo(29))
      yield* launch("launched")
      yield* sql`
        insert into dbc_configs (config, quote_mint, fee_claimer, leftover_receiver, created_slot)
        values ('configured config', ${SOL}, '', '', 1)`
      yield* submit("s", ["creator", "submitted config", "submitted"])
      yield* sweepNow
      const launches = "launched submitted young"
      assert.deepStrictEqual(yield* left, [`configured ${launches}`, launches])
      assert.lengthOf([...(yield* builtLaunches(sql, ["launched"])).values()], 1)
      yield* sql`update launch_submissions set settled_at = now(), transaction = null`
      yield* TestClock.adjust("2 days")
      yield* sweepNow
      // What was on its way when it was looked at stays.
      assert.deepStrictEqual(yield* left, ["configured launched submitted", "launched submitted"])
    }).pipe(Effect.provide(overProvenIndex)),
  )

  it.effect("for a mint that is on chain is deleted where the chain has another launch of it", () =>
    Effect.gen(function* () {
      yield* launch("known")
      yield* build("known", daysAgo(40))
      const forged = { configAddress: "forged", pool: "forged" }
      for (const [index, fields] of [{ signer: "stranger" }, { uri: "https://elsewhere" }, forged].entries())
        yield* deploy("known", daysAgo(39 - index), fields)
      yield* sweepNow
      assert.deepStrictEqual(yield* left, ["known", "known"])
    }).pipe(Effect.provide(overProvenIndex)),
  )

  it.effect("is all looked at, in batches, also where many rows are of one moment", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`
        insert into launch_deployments (base_mint, signer, uri, config_address, pool, name, symbol, metadata, created_at)
        select mint, 'creator', 'https://' || mint, mint || ' config', mint || ' pool', mint, 'S', '{}',
          timestamptz 'epoch' - interval '60 days' + interval '1 second' * (n / 350)
        from generate_series(1, 1500) n, concat('m', n) mint`
      for (const name of ["m7", "m750", "m1500"]) yield* launch(name)
      yield* sweepNow
      assert.deepStrictEqual(yield* left, [null, "m1500 m7 m750"])
    }).pipe(Effect.provide(overProvenIndex)),
  )

  it.effect("stays while the index may lack launches", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* build("abandoned", daysAgo(31))
      for (const lost of [
        sql`update leases set expires_at = '2000-01-01'`,
        sql`update indexer_reports set report = report || '{"source":"off"}'`,
        sql`
          insert into dead_letters (log_offset, position, slot, signature, reason, module_hash)
          values (1, 0, 1, 's', 'r', 'm')`,
      ]) {
        yield* Effect.gen(function* () {
          yield* lost
          yield* sweepNow
          assert.deepStrictEqual(yield* left, ["abandoned", "abandoned"])
        }).pipe(rolledBack)
      }
      yield* sweepNow
      assert.deepStrictEqual(yield* left, [null, null])
    }).pipe(Effect.provide(overProvenIndex)),
  )
})
