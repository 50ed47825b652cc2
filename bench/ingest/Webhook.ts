import { fork } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { answerOf, ask } from "../ChildAnswer.ts"
import { BenchDatabase } from "./BenchDatabase.ts"
import { syncMicros } from "./DiskLatency.ts"
import type { Sent } from "./WebhookClientMain.ts"
import { type Received, type Scene, webhookReport } from "./WebhookReport.ts"
import { WEBHOOK_CONTESTANTS } from "./WebhookServers.ts"
import { FAULTS_TEXT, writeWorkload } from "./Workload.ts"

/**
 * From a POST of raw transactions to its 200: all contestants alternate, a server and its senders in separate processes.
 * `--against <checkout>` includes ours of another checkout.
 */
const { values } = parseArgs({
  options: {
    transactions: { type: "string", default: "30000" },
    rounds: { type: "string", default: "5" },
    only: { type: "string", default: "" },
    against: { type: "string", default: "" },
    scenes: { type: "string", default: "1,2,3" },
  },
})
/** Solana lands some 1,500 transactions a second besides votes, for all programs together. */
const WHOLE_CHAIN_PER_SECOND = 1_500
const SCENES: ReadonlyArray<Scene> = [
  { perPost: 1, connections: 64, rate: 2 * WHOLE_CHAIN_PER_SECOND },
  { perPost: 1, connections: 64, rate: 0 },
  { perPost: 20, connections: 16, rate: 0 },
]
const say = (text: string) => void process.stdout.write(`${text}\n`)
const HERE = import.meta.dirname

const folder = mkdtempSync(join(tmpdir(), "registry-bench-"))
const database = await BenchDatabase.start()
say(`${values.transactions} raw transactions, ${FAULTS_TEXT}; ${cpus().length} cores, Node ${process.version}.`)
say(`PostgreSQL: ${database.settings}.`)
say(`A write and fdatasync of 8 KB: ${syncMicros(folder).toFixed(0)} µs.\n`)

const asked = values.only === "" ? undefined : values.only.split(",")
const here = WEBHOOK_CONTESTANTS.filter(({ name }) => asked?.includes(name) ?? true).map((one) => ({
  ...one,
  contestant: one.name,
  bench: HERE,
}))
const others = values.against === "" ? [] : values.against.split(",")
const elsewhere = others.flatMap((checkout) =>
  here
    .filter(({ isOurs }) => isOurs)
    .map((one) => ({
      ...one,
      name: `${one.name} of ${checkout}`,
      about: `${one.about} (${checkout})`,
      bench: join(resolve(checkout), "bench/ingest"),
    })),
)
const receivers = [...here, ...elsewhere]
const pairs = elsewhere.map(({ contestant, name }) => [contestant, name] as const)

const runOne = async (scene: Scene, file: string, perPost: number, one: (typeof receivers)[number]) => {
  await database.renew()
  const server = fork(join(one.bench, "WebhookServerMain.ts"), [one.contestant, JSON.stringify(database.address)])
  const url = await answerOf<string>(server)
  const rate = String(scene.rate / perPost)
  const client = fork(join(HERE, "WebhookClientMain.ts"), [url, file, String(scene.connections), rate])
  await answerOf(client)
  const [cpuFrom, databaseFrom] = [await ask<number>(server, "go"), database.cpuMillis()]
  const sent = await ask<Sent>(client, "go")
  const cpuMillis = (await ask<number>(server, "go")) - cpuFrom
  const databaseCpuMillis = database.cpuMillis() - databaseFrom
  const gone = new Promise((done) => server.once("exit", done))
  server.disconnect()
  await gone
  process.stderr.write(`${one.name}: ${sent.latencies.length} POSTs, CPU ${cpuMillis.toFixed(0)} ms\n`)
  return { name: one.name, cpuMillis, databaseCpuMillis, ...sent }
}

try {
  for (const number of values.scenes.split(",")) {
    const scene = SCENES[Number(number) - 1]!
    const file = join(folder, `deliveries-${scene.perPost}.ndjson`)
    // Half of it is sent before the clock starts.
    const { bodies, transactions } = await writeWorkload(file, 2 * Number(values.transactions), {
      perBody: scene.perPost,
    })
    const perPost = transactions / bodies
    const received: Array<Received> = []
    for (let round = 0; round < Number(values.rounds); round++)
      for (const one of receivers) received.push(await runOne(scene, file, perPost, one))
    say(webhookReport(scene, receivers, received, perPost, pairs))
  }
} finally {
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
