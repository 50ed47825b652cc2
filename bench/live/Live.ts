import { mkdtempSync, rmSync } from "node:fs"
import { Agent, get } from "node:http"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { median, quantile } from "../Quantiles.ts"
import { ServiceProcess } from "../ServiceProcess.ts"
import { atRate, post, TAKES_WEBHOOKS, workload } from "./Swaps.ts"

/**
 * From the POST of a webhook with one swap until a reader of `GET /api/stream` has its event, at steady rates: this checkout and another
 * one in turn, each a process with everything embedded.
 */
const { values } = parseArgs({
  options: {
    against: { type: "string" },
    rates: { type: "string", default: "20,500" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "10" },
  },
})
const ROOT = join(import.meta.dirname, "../..")
const WAIT_MILLIS = 20_000
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** The times at which the stream told of the trades, by signature. */
const readStream = (url: string): Promise<{ readonly seen: Map<string, number>; readonly close: () => void }> =>
  new Promise((resolve, reject) => {
    const seen = new Map<string, number>()
    const reading = get(`${url}/api/stream?types=trade`, (answer) => {
      const lines = createInterface({ input: answer }).on("error", () => undefined)
      lines.on("line", (line) => {
        if (!line.startsWith("data:")) return
        const { signature } = JSON.parse(line.slice("data:".length)) as { readonly signature?: string }
        if (signature !== undefined && !seen.has(signature)) seen.set(signature, performance.now())
      })
      resolve({ seen, close: () => reading.destroy() })
    }).on("error", reject)
  })

const measure = async (checkout: string, rate: number, seed: number) => {
  const dataFolder = mkdtempSync(join(tmpdir(), "registry-live-"))
  const service = await ServiceProcess.start({ checkout, port: 3900, dataFolder, environment: TAKES_WEBHOOKS })
  try {
    const { launches, swaps } = workload(rate * Number(values.seconds), seed)
    for (const body of launches) await post(agent, service.url, body)
    await pause(2_000)
    const { close, seen } = await readStream(service.url)
    const began = new Map<string, number>()
    const acknowledged: Array<number> = []
    const sending: Array<Promise<void>> = []
    await atRate(swaps, rate, ({ body, signature }) => {
      const start = performance.now()
      began.set(signature, start)
      sending.push(post(agent, service.url, body).then(() => void acknowledged.push(performance.now() - start)))
    })
    await Promise.all(sending)
    const deadline = performance.now() + WAIT_MILLIS
    while ([...began.keys()].some((signature) => !seen.has(signature)) && performance.now() < deadline) await pause(50)
    close()
    const took = [...began].flatMap(([signature, start]) => (seen.has(signature) ? [seen.get(signature)! - start] : []))
    return { sent: began.size, took, acknowledged }
  } finally {
    await service.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

const say = (text: string) => void process.stdout.write(`${text}\n`)
const contestants = [
  { name: "this checkout", checkout: ROOT },
  ...(values.against === undefined ? [] : [{ name: "the other one", checkout: values.against }]),
]
say(`${values.rounds} rounds of ${values.seconds} s; ${cpus().length} cores, Node ${process.version}.\n`)
say(
  "| swaps/s | | sent | seen | acknowledged, median | on the stream, median | p90 | p99 |\n|---|---|---:|---:|---:|---:|---:|---:|",
)
for (const rate of values.rates.split(",").map(Number)) {
  const rounds = contestants.map(() => new Array<Awaited<ReturnType<typeof measure>>>())
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [at, { checkout }] of contestants.entries()) rounds[at]!.push(await measure(checkout, rate, round + 1))
  for (const [at, { name }] of contestants.entries()) {
    const all = rounds[at]!
    const of = (figure: (one: (typeof all)[number]) => number) => median(all.map(figure)).toFixed(1)
    say(
      `| ${rate} | ${name} | ${all.reduce((sum, { sent }) => sum + sent, 0)} | ${all.reduce((sum, { took }) => sum + took.length, 0)} | ${of(({ acknowledged }) => median(acknowledged))} ms | ${of(({ took }) => median(took))} ms | ${of(({ took }) => quantile(took, 0.9))} ms | ${of(({ took }) => quantile(took, 0.99))} ms |`,
    )
  }
}
agent.destroy()
