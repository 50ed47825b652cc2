import { fork } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { Agent, get } from "node:http"
import { cpus, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { setTimeout as pause } from "node:timers/promises"
import { tokenDraft } from "../../packages/service/test/Samples.ts"
import { freePort } from "../../packages/service/test/RunningService.ts"
import { answerOf, ask } from "../ChildAnswer.ts"
import { ServiceProcess } from "../fuzz/ServiceProcess.ts"
import { median } from "../ingest/IngestReport.ts"
import type { StormOrder, StormReport } from "./StormMain.ts"

/**
 * How long a read takes beside a storm of uploads that are small and costly to decode, and at rest, in turn; also of another checkout
 * (`--against`). Everything is on one machine: the service, its database, the storm and the reader.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "15" },
    uploads: { type: "string", default: "100" },
    addresses: { type: "string", default: "10" },
    against: { type: "string" },
  },
})
const PATH = "/api/tokens?limit=20"
const TOKENS = 40
const BETWEEN_READS_MILLIS = 10
const REST_SECONDS = 4
/** The service has come to rest when it takes less CPU than this in half a second. */
const QUIET_MILLIS = 60

const agent = new Agent({ keepAlive: true })
const read = (url: string) =>
  new Promise<number>((done, failed) => {
    const from = performance.now()
    get(`${url}${PATH}`, { agent }, (response) =>
      response
        .resume()
        .on("end", () =>
          response.statusCode === 200 ? done(performance.now() - from) : failed(new Error(`${response.statusCode}`)),
        ),
    ).on("error", failed)
  })

const readFor = async (url: string, seconds: number): Promise<ReadonlyArray<number>> => {
  const millis: Array<number> = []
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; await pause(BETWEEN_READS_MILLIS))
    millis.push(await read(url))
  return millis
}

const untilQuiet = async (service: ServiceProcess): Promise<void> => {
  for (let before = -Infinity; service.cpuMillis - before > QUIET_MILLIS; await pause(500)) before = service.cpuMillis
}

const checkouts = [
  ...(values.against === undefined ? [] : [["before", resolve(values.against)] as const]),
  ["now", join(import.meta.dirname, "../..")] as const,
]
const folder = mkdtempSync(join(tmpdir(), "registry-storm-"))
const storming = fork(join(import.meta.dirname, "StormMain.ts"))
await answerOf(storming)

const started = []
try {
  for (const [name, checkout] of checkouts) {
    const port = await freePort()
    const service = await ServiceProcess.start({ checkout, port, dataFolder: join(folder, name) })
    for (let token = 0; token < TOKENS; token++)
      await fetch(`${service.url}/api/tokens`, {
        ...{ method: "POST", body: JSON.stringify(tokenDraft()), headers: { "content-type": "application/json" } },
      })
    const none = new Array<number>()
    started.push({
      name,
      port,
      service,
      rest: [...none],
      beside: [...none],
      ratios: [...none],
      cpu: [...none],
      peak: 0,
      statuses: {} as Record<string, number>,
    })
  }
  // The first round warms up.
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const one of started) {
      const { port, service, statuses } = one
      await untilQuiet(service)
      const rest = await readFor(service.url, REST_SECONDS)
      service.resetPeak()
      const cpuBefore = service.cpuMillis
      const order: StormOrder = {
        ...{ port, uploads: Number(values.uploads), addresses: Number(values.addresses) },
        millis: Number(values.seconds) * 1_000,
      }
      const storm = ask<StormReport>(storming, order)
      const beside = await readFor(service.url, Number(values.seconds))
      const report = await storm
      if (round === 0) continue
      one.cpu.push((service.cpuMillis - cpuBefore) / Number(values.seconds) / 10)
      one.peak = Math.max(one.peak, service.peakMib)
      one.rest.push(...rest)
      one.beside.push(...beside)
      one.ratios.push(median(beside) / median(rest))
      for (const [status, count] of Object.entries(report)) statuses[status] = (statuses[status] ?? 0) + count
    }
  }
} finally {
  storming.disconnect()
  for (const { service } of started) await service.stop()
  rmSync(folder, { recursive: true, force: true })
}

const at = (all: ReadonlyArray<number>, share: number) =>
  all.toSorted((left, right) => left - right)[Math.floor((all.length - 1) * share)]!
const shown = (all: ReadonlyArray<number>) => `${median(all).toFixed(1)} / ${at(all, 0.99).toFixed(1)}`
process.stdout.write(
  `${cpus().length} cores, Node ${process.version}. ${values.uploads} uploads in flight from ${values.addresses} addresses, ${values.rounds} rounds of ${values.seconds} s. GET ${PATH}, p50 / p99 in ms.\n\n`,
)
process.stdout.write(
  "| | at rest | beside the storm | p50 against rest (least to most) | CPU of the service | peak memory | uploads answered |\n|---|---|---|---|---|---|---|\n",
)
for (const { beside, cpu, name, peak, ratios, rest, statuses } of started) {
  const ratio = `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`
  const answers = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
  const cells = [
    name,
    shown(rest),
    shown(beside),
    ratio,
    `${median(cpu).toFixed(0)} %`,
    `${peak} MiB`,
    answers.join(", "),
  ]
  process.stdout.write(`| ${cells.join(" | ")} |\n`)
}
process.exit(0)
