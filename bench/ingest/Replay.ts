import { fork } from "node:child_process"
import { cpus } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { BenchDatabase } from "./BenchDatabase.ts"
import { median } from "./IngestReport.ts"
import type { Replayed } from "./ReplayMain.ts"

/**
 * How fast all tables are rebuilt from the log, and whether memory grows with it: a number of transactions and ten times as
 * many, each in a process and a database of its own.
 */
const { values } = parseArgs({
  options: {
    transactions: { type: "string", default: "10000" },
    rounds: { type: "string", default: "3" },
  },
})
const FACTOR = 10
const RUN = fileURLToPath(new URL("ReplayMain.ts", import.meta.url))
const sizes = [Number(values.transactions), Number(values.transactions) * FACTOR]
const say = (text: string) => void process.stdout.write(`${text}\n`)
const thousands = (value: number): string => Math.round(value).toLocaleString("en-US")

const database = await BenchDatabase.start()
say(`${cpus().length} cores, Node ${process.version}; PostgreSQL: ${database.settings}.\n`)

const runOne = async (transactions: number): Promise<Replayed> => {
  await database.renew()
  const child = fork(RUN, [String(transactions), JSON.stringify(database.address)])
  const ended = new Promise((resolve) => child.once("exit", resolve))
  const replayed = await new Promise<Replayed>((resolve, reject) => {
    child.once("message", (message) => resolve(message as Replayed))
    child.once("exit", (code) => reject(new Error(`the replay ended with ${code}`)))
  })
  await ended
  if (!replayed.isSame) throw new Error(`${transactions} transactions gave other tables the second time`)
  return replayed
}

const runs = new Map<number, Array<Replayed>>(sizes.map((size) => [size, []]))
try {
  for (let round = 0; round < Number(values.rounds); round++)
    for (const size of sizes) runs.get(size)!.push(await runOne(size))
} finally {
  await database.stop()
}

const medianOf = (size: number, value: (run: Replayed) => number): number => median(runs.get(size)!.map(value))
say("| transactions | generated and ingested, tx/s | replayed, tx/s | most memory |\n|---|---|---|---|")
for (const size of sizes) {
  const cells = [
    thousands(medianOf(size, ({ transactions }) => transactions)),
    thousands(medianOf(size, ({ ingestMillis, transactions }) => (transactions * 1_000) / ingestMillis)),
    thousands(medianOf(size, ({ replayMillis, transactions }) => (transactions * 1_000) / replayMillis)),
    `${thousands(medianOf(size, ({ peakMegabytes }) => peakMegabytes))} MB`,
  ]
  say(`| ${cells.join(" | ")} |`)
}
const [small, large] = sizes.map((size) => medianOf(size, ({ peakMegabytes }) => peakMegabytes)) as [number, number]
say(`\n${FACTOR} times as many take ${(large / small).toFixed(2)} times the memory.`)
process.exit()
