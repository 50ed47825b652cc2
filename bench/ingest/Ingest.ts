import { fork } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { BenchDatabase } from "./BenchDatabase.ts"
import type { Contestant } from "./Contestant.ts"
import { CONTESTANTS } from "./Contestants.ts"
import { syncMicros } from "./DiskLatency.ts"
import { ingestRatios, type Run, report } from "./IngestReport.ts"
import type { Taken } from "./RunMain.ts"
import { INSTALL_SQUID } from "./Squid.ts"
import { FAULTS_TEXT, writeWorkload } from "./Workload.ts"

/**
 * From the JSON of raw transactions to committed trades: all contestants alternate over the same deliveries, each time on an
 * empty database. `--against <checkout>` includes ours of another checkout.
 */
const { values } = parseArgs({
  options: {
    transactions: { type: "string", default: "60000" },
    rounds: { type: "string", default: "5" },
    only: { type: "string", default: "" },
    against: { type: "string", default: "" },
  },
})
const say = (text: string) => void process.stdout.write(`${text}\n`)

const folder = mkdtempSync(join(tmpdir(), "registry-bench-"))
const file = join(folder, "deliveries.ndjson")
const warmUpFile = join(folder, "warm-up.ndjson")

const isAsked = ({ name }: Contestant) => values.only === "" || values.only.split(",").includes(name)
const here = CONTESTANTS.filter((contestant) => isAsked(contestant) && contestant.isInstalled)
const elsewhere = values.against
  .split(",")
  .flatMap((checkout) =>
    checkout === ""
      ? []
      : here.flatMap((one) => (one.name === "ours" ? { ...one, about: `${one.about} (${checkout})`, checkout } : [])),
  )
const contestants = [
  ...here.map((one) => ({ ...one, contestant: one.name, bench: import.meta.dirname })),
  ...elsewhere.map((one) => ({
    ...one,
    name: `ours of ${one.checkout}`,
    contestant: one.name,
    bench: join(resolve(one.checkout), "bench/ingest"),
  })),
]
for (const { isInstalled, name } of CONTESTANTS.filter(isAsked))
  if (!isInstalled) say(`${name} is left out: it is not installed (${INSTALL_SQUID}).`)

const database = await BenchDatabase.start()
const { transactions } = await writeWorkload(file, Number(values.transactions))
await writeWorkload(warmUpFile, Number(values.transactions), { seed: 3 })
say(`${transactions} raw transactions, ${FAULTS_TEXT}; ${cpus().length} cores, Node ${process.version}.`)
say(`PostgreSQL: ${database.settings}.`)

const runOne = async ({ bench, contestant, name, writes }: (typeof contestants)[number]): Promise<Run> => {
  await database.renew()
  const { address, warmUpAddress } = database
  const child = fork(join(bench, "RunMain.ts"), [
    contestant,
    file,
    warmUpFile,
    JSON.stringify(address),
    JSON.stringify(warmUpAddress),
  ])
  const message = () =>
    new Promise<unknown>((resolve, reject) => {
      child.once("message", resolve)
      child.once("exit", (code) => reject(new Error(`${name} ended with ${code}`)))
    })
  await message()
  await database.settle()
  const wal = await database.walBytes()
  const cpu = database.cpuMillis()
  const answer = message()
  child.send("go")
  const taken = (await answer) as Taken
  const databaseCpuMillis = database.cpuMillis() - cpu
  const walBytes = (await database.walBytes()) - wal
  return { name, ...taken, databaseCpuMillis, walBytes, digest: writes ? await database.tradesDigest() : undefined }
}

const runs: Array<Run> = []
const syncs: Array<number> = []
try {
  for (let round = 0; round < Number(values.rounds); round++) {
    syncs.push(syncMicros(folder))
    for (const contestant of contestants) {
      const run = await runOne(contestant)
      const expected = runs.find(({ digest }) => digest !== undefined)
      if (run.digest !== undefined && expected !== undefined && run.digest !== expected.digest)
        throw new Error(`${run.name} wrote other trades (${run.digest}) than ${expected.name} (${expected.digest})`)
      runs.push(run)
    }
  }
  say(`A write and fdatasync of 8 KB before each round: ${syncs.map((micros) => micros.toFixed(0)).join(", ")} µs.\n`)
  say(report(contestants, runs, transactions))
  for (const { checkout } of elsewhere)
    say(`ours against ours of ${checkout}: ${ingestRatios(runs, `ours of ${checkout}`)}`)
} finally {
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
