import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import { cpus, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { generateBlocks } from "../../packages/indexer/fixtures/GenerateTransactions.ts"
import { freePort } from "../../packages/service/test/RunningService.ts"
import { median } from "../Quantiles.ts"
import { ServiceProcess } from "../ServiceProcess.ts"

/**
 * Memory of the local start with its chain, all in one process, before and after webhooks of one transaction each: resident, its part of
 * V8's heap and of buffers, and what is mapped from files. `--node` names further options of Node.js to start it with in turn, and
 * `--against <checkout>` another checkout.
 */
const { values } = parseArgs({
  options: {
    webhooks: { type: "string", default: "5000" },
    rounds: { type: "string", default: "3" },
    node: { type: "string", multiple: true, default: [] },
    against: { type: "string" },
  },
})
const ROOT = join(import.meta.dirname, "../..")
const SECRET = "the-secret-of-the-memory-bench-for-a-minute"
const PER_SLOT = 20
const SENDERS = 8
const RETRY_MILLIS = 500
const MIB = 1024 * 1024
const agent = new Agent({ keepAlive: true, maxSockets: SENDERS })

/** Whether it was taken; a sender repeats what was answered with 503. */
const post = (url: string, body: string): Promise<boolean> =>
  new Promise((resolved, reject) => {
    const headers = { "content-type": "application/json", authorization: SECRET }
    const sent = request(`${url}/api/webhooks/helius`, { agent, headers, method: "POST" }, (answer) => {
      answer.resume().on("end", () => {
        if (answer.statusCode === 200 || answer.statusCode === 503) resolved(answer.statusCode === 200)
        else reject(new Error(`The webhook was answered with ${answer.statusCode}`))
      })
    })
    sent.on("error", reject).end(body)
  })

const bodies = (count: number): ReadonlyArray<string> => {
  const slots = Math.ceil(count / PER_SLOT)
  const firstBlockTime = Math.floor(Date.now() / 1000) - Math.ceil(slots * 0.4)
  return [
    ...generateBlocks({ seed: 1, slots, transactionsPerSlot: PER_SLOT, dammShare: 0, firstBlockTime, isLarge: false }),
  ]
    .flatMap(({ transactions }) => transactions)
    .slice(0, count)
    .map((transaction) => JSON.stringify([transaction]))
}

/** Resident MiB of what is mapped from files: the program of Node.js, addons and libraries. */
const mappedMib = (pid: number): number => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  return Number(/RssFile:\s+(\d+) kB/.exec(status)![1]) / 1024
}

const partsOf = async (service: ServiceProcess) => {
  const text = await (await fetch(`${service.url}/metrics`)).text()
  const mib = (name: string) =>
    Number(new RegExp(`^launch_registry_${name}(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(text)![1]) / MIB
  return {
    resident: service.residentMib,
    "heap in use": mib("heap_used_bytes"),
    buffers: mib("external_memory_bytes"),
    "of files": mappedMib(service.pid),
  }
}

const measure = async ({ checkout, node }: { readonly checkout: string; readonly node: string }) => {
  const dataFolder = mkdtempSync(join(tmpdir(), "registry-memory-"))
  const environment = {
    ...{ HELIUS_WEBHOOK_SECRET: SECRET, INDEXER_SOURCE: "webhook", INDEXER_RECONCILE_SECONDS: "3600" },
    ...{ NODE_OPTIONS: node, LOCAL_CHAIN_PORT: String(await freePort()) },
  }
  const service = await ServiceProcess.start({ checkout, port: await freePort(), dataFolder, environment })
  try {
    const started = await partsOf(service)
    const left = [...sent]
    const send = async () => {
      for (let body = left.shift(); body !== undefined; body = left.shift())
        while (!(await post(service.url, body))) await pause(RETRY_MILLIS)
    }
    await Promise.all(Array.from({ length: SENDERS }, send))
    return { started, after: await partsOf(service), peak: service.peakMib, seconds: service.cpuMillis / 1_000 }
  } finally {
    await service.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

const sent = bodies(Number(values.webhooks))
const say = (text: string) => void process.stdout.write(`${text}\n`)
const contestants = [
  { name: "as it starts", checkout: ROOT, node: "" },
  ...values.node.map((node) => ({ name: node, checkout: ROOT, node })),
  ...(values.against === undefined ? [] : [{ name: "against", checkout: resolve(values.against), node: "" }]),
]
const all = contestants.map((one) => ({ one, figures: new Array<Awaited<ReturnType<typeof measure>>>() }))
for (let round = 0; round < Number(values.rounds); round++)
  for (const { figures, one } of all) figures.push(await measure(one))
agent.destroy()
say(`${sent.length} webhooks, ${values.rounds} rounds; ${cpus().length} cores, Node ${process.version}.\n`)
const parts = Object.keys(all[0]!.figures[0]!.after) as Array<keyof Awaited<ReturnType<typeof partsOf>>>
say(
  `| medians, MiB | | ${parts.join(" | ")} | peak | CPU with the start |\n|---|---|${parts.map(() => "---:|").join("")}---:|---:|`,
)
for (const { figures, one } of all)
  for (const when of ["started", "after"] as const) {
    const cells = parts.map((part) => median(figures.map((figure) => figure[when][part])).toFixed(0))
    say(
      `| ${one.name} | ${when} | ${cells.join(" | ")} | ${median(figures.map(({ peak }) => peak)).toFixed(0)} | ${median(figures.map(({ seconds }) => seconds)).toFixed(1)} s |`,
    )
  }
