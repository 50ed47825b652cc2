import { cpus, loadavg } from "node:os"
import { parseArgs } from "node:util"
import { leaseStatements } from "@launch-registry/indexer/leader/Lease"
import { hourOf } from "@launch-registry/indexer/partitions/PartitionedRange"
import { plannedTree } from "@launch-registry/indexer/partitions/PartitionTree"
import { switchTables } from "@launch-registry/indexer/replay/SwitchTables"
import { digestOf } from "@launch-registry/indexer/replay/Digest"
import { shadowTables } from "@launch-registry/indexer/sink/ShadowTables"
import { Effect, Logger, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { generateBlocks } from "../../packages/indexer/fixtures/GenerateTransactions.ts"
import { BenchDatabase } from "./BenchDatabase.ts"
import { median } from "./IngestReport.ts"
import { indexLayer, ingestAll, lead } from "./Ours.ts"

/**
 * What partitions cost the indexer: the same transactions into tables with and without partitions, in turn, on one server and in one process. Of the
 * partitions of trades and of minute candles all but the last ones are empty, as before old facts leave; the transactions fall into two of each.
 */
const { values } = parseArgs({
  options: {
    transactions: { type: "string", default: "60000" },
    rounds: { type: "string", default: "5" },
    partitions: { type: "string", default: "16" },
  },
})
const PER_BLOCK = 20
const FIRST_SLOT = 300_000_000
const count = Number(values.transactions)
const rounds = Number(values.rounds)
const partitions = Number(values.partitions)
const slots = count / PER_BLOCK
const say = (text: string) => void process.stdout.write(`${text}\n`)

/** The hour begins in the middle of the transactions. */
const middle = 1_795_003_200
const firstBlockTime = Math.floor(middle - slots * 0.2)
const bodies = [
  ...generateBlocks({ seed: 7, transactionsPerSlot: PER_BLOCK, slots, firstSlot: FIRST_SLOT, firstBlockTime }),
].map(({ transactions }) => Buffer.from(JSON.stringify(transactions)))

/** So many partitions, of which the last but one ends in the middle of the transactions. */
const boundsUpTo = (end: bigint, width: bigint) =>
  Array.from({ length: partitions }, (_, index) => end - width * BigInt(partitions - 2 - index))
const bounds = {
  trades: boundsUpTo(BigInt(FIRST_SLOT + slots / 2), BigInt(slots)),
  minutes: boundsUpTo(hourOf(new Date(middle * 1_000)), 1n),
}

const cut = Effect.gen(function* () {
  const sql = yield* SqlClient
  const shadow = shadowTables(sql)
  const prepare = Effect.andThen(shadow.create("the log", plannedTree(bounds)), shadow.progress)
  yield* switchTables(
    sql,
    Effect.map(prepare, (progress) => progress!),
  )
  yield* sql`delete from cursors`
})

interface Run {
  readonly millis: number
  readonly cpuMillis: number
  readonly databaseMillis: number
  readonly digest: string
}

const database = await BenchDatabase.start()
const run = async (isCut: boolean): Promise<Run> => {
  await database.renew()
  const runtime = ManagedRuntime.make(indexLayer(database.address))
  const work = Effect.gen(function* () {
    const sql = yield* SqlClient
    const fence = yield* lead
    if (isCut) yield* cut
    const [from, cpuFrom, databaseFrom] = [performance.now(), process.cpuUsage(), database.cpuMillis()]
    yield* ingestAll(bodies, fence)
    const millis = performance.now() - from
    const { system, user } = process.cpuUsage(cpuFrom)
    const databaseMillis = database.cpuMillis() - databaseFrom
    yield* leaseStatements(sql).release(fence)
    const digest = JSON.stringify(yield* digestOf(sql))
    return { millis, cpuMillis: (system + user) / 1_000, databaseMillis, digest }
  })
  const result = await runtime.runPromise(Effect.provide(work, Logger.layer([])))
  await runtime.dispose()
  return result
}

say(`${cpus().length} cores, Node ${process.version}; PostgreSQL: ${database.settings}.`)
say(`${count} transactions, ${partitions} partitions; load of the machine before: ${loadavg()[0]!.toFixed(2)}.\n`)
const plain: Array<Run> = []
const parted: Array<Run> = []
try {
  await run(false)
  for (let round = 0; round < rounds; round++)
    for (const isCut of round % 2 === 0 ? [false, true] : [true, false]) (isCut ? parted : plain).push(await run(isCut))
} finally {
  await database.stop()
}
if (new Set([...plain, ...parted].map(({ digest }) => digest)).size !== 1) throw new Error("The tables differ")

const perTransaction = (runs: ReadonlyArray<Run>, of: (one: Run) => number) =>
  `${Math.round((median(runs.map(of)) * 1_000) / count)} µs`
say("| | transactions/s | CPU of the indexer | CPU of PostgreSQL |\n|---|---|---|---|")
for (const [name, runs] of [
  ["without partitions", plain],
  ["with partitions", parted],
] as const)
  say(
    `| ${name} | ${Math.round((count * 1_000) / median(runs.map(({ millis }) => millis)))} | ${perTransaction(runs, ({ cpuMillis }) => cpuMillis)} | ${perTransaction(runs, ({ databaseMillis }) => databaseMillis)} |`,
  )
const ratios = plain.map((one, index) => one.millis / parted[index]!.millis)
const cpuRatios = plain.map(
  (one, index) => (one.cpuMillis + one.databaseMillis) / (parted[index]!.cpuMillis + parted[index]!.databaseMillis),
)
say(
  `\nWith partitions, by pairs: ${median(ratios).toFixed(2)} times the rate (${ratios.map((ratio) => ratio.toFixed(2)).join(", ")}), ${median(cpuRatios).toFixed(2)} times the transactions per CPU time (${cpuRatios.map((ratio) => ratio.toFixed(2)).join(", ")}). All tables are the same.`,
)
process.exit()
