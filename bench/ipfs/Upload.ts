import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { cpus } from "node:os"
import { createHistogram, monitorEventLoopDelay } from "node:perf_hooks"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { BenchDatabase } from "../ingest/BenchDatabase.ts"
import { GATEWAY_CONTESTANTS } from "./GatewayServers.ts"
import type { Uploaded, UploadOrder } from "./UploadClientMain.ts"

/**
 * How long the event loop of the whole service stalls during an image upload: the form, the checks, the decoding, the
 * DAG, the database. The client is a separate process. Requests without an upload are the control.
 */
const { values } = parseArgs({ options: { rounds: { type: "string", default: "40" } } })
const WARM_UP = 8
const RESOLUTION_MILLIS = 1
const CASES: ReadonlyArray<readonly [name: string, side: number | undefined]> = [
  ["nothing: GET /api/ipfs/health", undefined],
  ["64 KiB", 256],
  ["1 MiB", 1_024],
  ["10 MiB", 3_238],
]

const say = (text: string) => void process.stdout.write(`${text}\n`)
const database = await BenchDatabase.start()
await database.renew()
const url = await GATEWAY_CONTESTANTS.service.start({ database: database.address, folder: "" })
const client: ChildProcess = fork(fileURLToPath(new URL("UploadClientMain.ts", import.meta.url)))
await once(client, "message")

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MILLIS })
const request = async (order: UploadOrder): Promise<{ readonly uploaded: Uploaded; readonly stallMillis: number }> => {
  delay.reset()
  delay.enable()
  client.send(order)
  const [uploaded] = (await once(client, "message")) as [Uploaded]
  delay.disable()
  return { uploaded, stallMillis: Math.max(0, delay.max / 1e6 - RESOLUTION_MILLIS) }
}

const stalls = CASES.map(() => createHistogram())
const times = CASES.map(() => createHistogram())
const bytes = CASES.map(() => 0)
let seed = 1
for (let round = -WARM_UP; round < Number(values.rounds); round++) {
  for (const [at, [, side]] of CASES.entries()) {
    const { stallMillis, uploaded } = await request({ url, side, seed: seed++ })
    if (round < 0) continue
    stalls[at]!.record(Math.max(1, Math.round(stallMillis * 1_000)))
    times[at]!.record(Math.max(1, Math.round(uploaded.millis * 1_000)))
    bytes[at] = uploaded.bytes
  }
}

const millis = (micros: number) => `${(micros / 1_000).toFixed(1)} ms`
say(`${cpus().length} cores, Node ${process.version}. PostgreSQL: ${database.settings}. ${values.rounds} rounds.\n`)
say("| uploaded | bytes | answered after, median | longest stall of the loop: median | p90 | worst |")
say("|---|---|---|---|---|---|")
for (const [at, [name]] of CASES.entries()) {
  const [stall, time] = [stalls[at]!, times[at]!]
  const cells = [millis(time.percentile(50)), ...[50, 90, 100].map((percent) => millis(stall.percentile(percent)))]
  say(`| ${name} | ${bytes[at]} | ${cells.join(" | ")} |`)
}
client.disconnect()
await database.stop()
process.exit(0)
