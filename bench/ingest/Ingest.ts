import { fork } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { BenchDatabase } from "../BenchDatabase.ts"
import { answerOf, ask } from "../Processes.ts"
import { median } from "../Quantiles.ts"
import type { Taken } from "./RunMain.ts"
import { hasSquid, INSTALL_SQUID } from "./Squid.ts"
import { FAULTS_TEXT, writeWorkload } from "./Workload.ts"

/**
 * From the JSON of raw transactions to committed trades: all contestants alternate over the same deliveries, each time on an
 * empty database, and must leave the same rows. `--against <checkout>` includes ours of another checkout.
 */
const { values } = parseArgs({
  options: {
    transactions: { type: "string", default: "60000" },
    rounds: { type: "string", default: "5" },
    only: { type: "string", default: "" },
    against: { type: "string" },
  },
})
const say = (text: string) => void process.stdout.write(`${text}\n`)

interface Run extends Taken {
  readonly databaseCpuMillis: number
  readonly walBytes: number
}

/** By their name in `RunMain`. All leave the same rows in `trades`. */
const CONTESTANTS: Readonly<Record<string, string>> = {
  ours: "ours: all received kept, every table derived",
  sqd: "SQD typeorm-store 1.9.2: trades alone",
  unnest: "by hand, unnest 500 x 2: trades alone",
  copy: "by hand, COPY 500 x 2 and ON CONFLICT: trades alone",
}
const names = Object.keys(CONTESTANTS).filter((name) => values.only === "" || values.only.split(",").includes(name))
if (!hasSquid && names.includes("sqd")) say(`sqd is left out: it is not installed (${INSTALL_SQUID}).`)
const contestants = [
  ...names
    .filter((name) => name !== "sqd" || hasSquid)
    .map((name) => ({ ...{ name, about: CONTESTANTS[name]!, bench: import.meta.dirname } })),
  ...(values.against === undefined
    ? []
    : [{ name: "ours", about: `ours of ${values.against}`, bench: join(resolve(values.against), "bench/ingest") }]),
].map((one) => ({ ...one, runs: new Array<Run>() }))

const folder = mkdtempSync(join(tmpdir(), "registry-bench-"))
const database = await BenchDatabase.start()
const file = join(folder, "deliveries.ndjson")
const warmUpFile = join(folder, "warm-up.ndjson")

let digest: string | undefined
const runOne = async ({ about, bench, name, runs }: (typeof contestants)[number]) => {
  await database.renew()
  const { address, warmUpAddress } = database
  const addresses = [JSON.stringify(address), JSON.stringify(warmUpAddress)]
  const child = fork(join(bench, "RunMain.ts"), [name, file, warmUpFile, ...addresses])
  await answerOf(child)
  await database.settle()
  const [wal, cpu] = [await database.walBytes(), database.cpuMillis()]
  const taken = await ask<Taken>(child, "go")
  runs.push({
    ...taken,
    databaseCpuMillis: database.cpuMillis() - cpu,
    walBytes: (await database.walBytes()) - wal,
  })
  const found = await database.tradesDigest()
  digest ??= found
  if (found !== digest) throw new Error(`${about} wrote other trades (${found}) than the first (${digest})`)
}

try {
  const transactions = await writeWorkload(file, Number(values.transactions))
  await writeWorkload(warmUpFile, Number(values.transactions), 3)
  say(`${transactions} raw transactions, ${FAULTS_TEXT}; ${cpus().length} cores, Node ${process.version}.`)
  say(`PostgreSQL: ${database.settings}.\n`)
  for (let round = 0; round < Number(values.rounds); round++) for (const one of contestants) await runOne(one)

  say("| | tx/s | CPU/tx: Node + PostgreSQL | WAL bytes/tx | ours to it |\n|---|---:|---:|---:|---:|")
  for (const { about, runs } of contestants) {
    const of = (value: (run: Run) => number) => median(runs.map((run) => value(run) / transactions))
    /** Of the runs of a round. */
    const ratio = median(runs.map(({ millis }, round) => millis / contestants[0]!.runs[round]!.millis))
    const cells = [
      ...[about, Math.round(1_000 / of(({ millis }) => millis)).toLocaleString("en-US")],
      `${(of((run) => run.cpuMillis) * 1_000).toFixed(0)} + ${(of((run) => run.databaseCpuMillis) * 1_000).toFixed(0)} µs`,
      ...[of((run) => run.walBytes).toFixed(0), `${ratio.toFixed(2)}x`],
    ]
    say(`| ${cells.join(" | ")} |`)
  }
} finally {
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
