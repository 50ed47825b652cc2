import { fork } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { answerOf, ask } from "../ChildAnswer.ts"
import { BenchDatabase } from "./BenchDatabase.ts"
import { syncMicros } from "./DiskLatency.ts"
import type { Sent } from "./WebhookClientMain.ts"
import { type Received, webhookReport } from "./WebhookReport.ts"
import { WEBHOOK_CONTESTANTS } from "./WebhookServers.ts"
import { FAULTS_TEXT, writeWorkload } from "./Workload.ts"

/** From a POST of raw transactions to its 200: every contestant in turn, a server and its senders in processes of their own. */
const { values } = parseArgs({
  options: {
    transactions: { type: "string", default: "30000" },
    rounds: { type: "string", default: "5" },
    only: { type: "string", default: "" },
  },
})
const SCENES = [
  { perPost: 1, connections: 64 },
  { perPost: 20, connections: 16 },
] as const
const say = (text: string) => void process.stdout.write(`${text}\n`)

const folder = mkdtempSync(join(tmpdir(), "registry-bench-"))
const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

const contestants = WEBHOOK_CONTESTANTS.filter(
  ({ name }) => values.only === "" || values.only.split(",").includes(name),
)
const database = await BenchDatabase.start()
say(`${values.transactions} raw transactions, ${FAULTS_TEXT}; ${cpus().length} cores, Node ${process.version}.`)
say(`PostgreSQL: ${database.settings}.`)
say(`A write and fdatasync of 8 KB: ${syncMicros(folder).toFixed(0)} µs.\n`)

try {
  for (const scene of SCENES) {
    const file = join(folder, `deliveries-${scene.perPost}.ndjson`)
    // Half of it is sent before the clock starts.
    const transactions = await writeWorkload(file, 2 * Number(values.transactions), { perBody: scene.perPost })
    const received: Array<Received> = []
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const { name } of contestants) {
        await database.renew()
        const server = fork(pathOf("WebhookServerMain.ts"), [name, JSON.stringify(database.address)])
        const url = await answerOf<string>(server)
        const client = fork(pathOf("WebhookClientMain.ts"), [url, file, String(scene.connections)])
        await answerOf(client)
        const cpuFrom = await ask<number>(server, "go")
        const sent = await ask<Sent>(client, "go")
        const cpuMillis = (await ask<number>(server, "go")) - cpuFrom
        received.push({ name, cpuMillis, ...sent })
        const gone = new Promise((resolve) => server.once("exit", resolve))
        server.disconnect()
        await gone
      }
    }
    const perPost = transactions / (2 * received[0]!.latencies.length)
    say(webhookReport(scene, contestants, received, perPost))
  }
} finally {
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
