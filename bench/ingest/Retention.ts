import { cpus, loadavg } from "node:os"
import { parseArgs } from "node:util"
import type { LeaderReport } from "@launch-registry/domain/system/LeaderReport"
import { reconcileStatements } from "@launch-registry/indexer/finality/ReconcileStatements"
import { IngestLog } from "@launch-registry/indexer/inbox/IngestLog"
import { leaseStatements } from "@launch-registry/indexer/leader/Lease"
import { reportStatements } from "@launch-registry/indexer/leader/ReportStatements"
import { poolEntries } from "@launch-registry/indexer/pools/PoolEntries"
import { sweepInbox } from "@launch-registry/indexer/retention/Retention"
import { tradingWindowStatements } from "@launch-registry/indexer/sink/TradingWindows"
import { Effect, Logger, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { generateBlocks } from "../../packages/indexer/fixtures/GenerateTransactions.ts"
import { BenchDatabase } from "./BenchDatabase.ts"
import { median } from "./IngestReport.ts"
import { indexLayer, ingestAll, lead } from "./Ours.ts"

/**
 * What retention costs a transaction of the log, beside taking it in: its row and its part of a segment are deleted in batches, and
 * vacuum frees their space.
 */
const { values } = parseArgs({
  options: { transactions: { type: "string", default: "60000" }, rounds: { type: "string", default: "3" } },
})
const PER_BLOCK = 20
const FIRST_SLOT = 300_000_000
const YEAR_SECONDS = 31_536_000
const count = Number(values.transactions)
const rounds = Number(values.rounds)
const slots = count / PER_BLOCK
const say = (text: string) => void process.stdout.write(`${text}\n`)

const bodies = [
  ...generateBlocks({
    ...{ seed: 7, transactionsPerSlot: PER_BLOCK, slots, firstSlot: FIRST_SLOT },
    firstBlockTime: Math.floor(Date.now() / 1_000) - YEAR_SECONDS,
  }),
].map(({ transactions }) => Buffer.from(JSON.stringify(transactions)))

const report: LeaderReport = {
  ...{ cluster: null, otherCluster: null, originSlot: String(FIRST_SLOT), finalizedSlot: null, source: "webhook" },
  ...{ reconcileSeconds: 60, slotMillis: 250, missing: 0, dropped: 0, problem: null },
}

interface Cost {
  readonly millis: number
  readonly cpuMillis: number
  readonly databaseMillis: number
}

const database = await BenchDatabase.start()

const costOf = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const [from, cpuFrom, databaseFrom] = [performance.now(), process.cpuUsage(), database.cpuMillis()]
    yield* work
    const { system, user } = process.cpuUsage(cpuFrom)
    const cost: Cost = {
      millis: performance.now() - from,
      cpuMillis: (system + user) / 1_000,
      databaseMillis: database.cpuMillis() - databaseFrom,
    }
    return cost
  })

const run = async () => {
  await database.renew()
  const runtime = ManagedRuntime.make(indexLayer(database.address))
  const work = Effect.gen(function* () {
    const sql = yield* SqlClient
    const fence = yield* lead
    const taken = yield* costOf(ingestAll(bodies, fence))
    const head = yield* (yield* IngestLog).head
    yield* reportStatements(sql).write("leader", report, new Date())
    yield* sql`insert into coverage values (${FIRST_SLOT}, ${FIRST_SLOT + slots}, 'rpc', now(), 0)`
    yield* reconcileStatements(sql).setCheckedOffset(head)
    yield* poolEntries(sql).setCheckedOffset(head)
    // As if the pools that curves migrated to were proven as well.
    yield* sql`
      insert into followed_pools (pool, venue, from_slot, active_slot, followed_at, due_at)
      select distinct migrated_pool, 'damm_v2', min(migrated_slot), min(migrated_slot), now(), now() from dbc_pools
      where migrated_pool is not null group by migrated_pool`
    yield* sql`
      insert into pool_coverage (pool, from_slot, to_slot, proven_by, proven_at, log_offset)
      select pool, from_slot, ${FIRST_SLOT + slots}, 'rpc', now(), 0 from followed_pools`
    yield* tradingWindowStatements(sql).refresh(fence)
    const deleted = yield* costOf(sweepInbox({ inboxDays: 1 }, fence))
    const vacuumed = yield* costOf(sql`vacuum inbox_transactions, inbox_segments`)
    const [left] = yield* sql<{ readonly rows: number }>`select count(*)::integer as rows from inbox_transactions`
    yield* leaseStatements(sql).release(fence)
    return { taken, deleted, vacuumed, left: left!.rows }
  })
  const result = await runtime.runPromise(Effect.provide(work, Logger.layer([])))
  await runtime.dispose()
  return result
}

say(`${cpus().length} cores, Node ${process.version}; PostgreSQL: ${database.settings}.`)
say(`${count} transactions; load of the machine before: ${loadavg()[0]!.toFixed(2)}.\n`)
const runs: Array<Awaited<ReturnType<typeof run>>> = []
try {
  await run()
  for (let round = 0; round < rounds; round++) runs.push(await run())
} finally {
  await database.stop()
}
const micros = (step: "taken" | "deleted" | "vacuumed", of: (cost: Cost) => number) =>
  `${((median(runs.map((one) => of(one[step]))) * 1_000) / count).toFixed(1)} µs`
say("| a transaction is | time | CPU of the indexer | CPU of PostgreSQL |\n|---|---|---|---|")
for (const [name, step] of [
  ["taken in and folded", "taken"],
  ["deleted from the log", "deleted"],
  ["vacuumed", "vacuumed"],
] as const)
  say(
    `| ${name} | ${micros(step, ({ millis }) => millis)} | ${micros(step, ({ cpuMillis }) => cpuMillis)} | ${micros(step, ({ databaseMillis }) => databaseMillis)} |`,
  )
say(`\n${runs.map(({ left }) => left).join(", ")} transactions were left.`)
process.exit()
