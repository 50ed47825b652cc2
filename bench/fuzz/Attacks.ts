import { fork } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { setTimeout as pause } from "node:timers/promises"
import { tokenDraft } from "../../packages/service/test/Samples.ts"
import { ask } from "../ChildAnswer.ts"
import * as bodies from "./AttackBodies.ts"
import { type Attack, type AttackOutcome, atOnce, type HeldSockets, held } from "./Attackers.ts"
import { ServiceProcess } from "./ServiceProcess.ts"

/**
 * The cost of each attack for the service of a checkout: memory, the longest latency of other requests, the largest answer, and
 * remaining connections. Each attack has its own process of the service; all share one data folder.
 */
const { values } = parseArgs({
  options: {
    checkout: { type: "string", default: join(import.meta.dirname, "../..") },
    port: { type: "string", default: "4210" },
    /** How long idle connections are watched. */
    seconds: { type: "string", default: "60" },
    /** Tokens in the registry, of 4 kB each. */
    tokens: { type: "string", default: "5000" },
    only: { type: "string", default: "" },
  },
})
const SEEDED_AT_ONCE = 16
const DESCRIPTION = "d".repeat(4_000)

const port = Number(values.port)
const holdMillis = Number(values.seconds) * 1_000
const say = (text: string) => void process.stdout.write(`${text}\n`)

const head = (method: string, path: string, more = "") => `${method} ${path} HTTP/1.1\r\nhost: a\r\n${more}\r\n`
const posted = head("POST", "/api/tokens", "content-type: application/json\r\ncontent-length: 100000\r\n")
const manyMints = `/api/tokens?mints=${Array(100).fill("So11111111111111111111111111111111111111112").join(",")}`
const manyNames = `/api/tokens?${Array.from({ length: 1_500 }, (_, index) => `q${index}=1`).join("&")}`

const times = (name: string, count: number, request: Parameters<typeof atOnce>[2]): Attack => ({
  name: `${name}, ${count} at once`,
  run: (context) => atOnce(context, count, request),
})
const sockets = (name: string, options: HeldSockets): Attack => ({
  name: `${options.count} ${name}`,
  run: (context) => held(context, options),
})
const gets = (name: string, count: number, path: string): Attack => ({
  name: `${name}, ${count} at once`,
  run: async ({ url }) => {
    const answers = await Promise.all(
      Array.from({ length: count }, async () => {
        const response = await fetch(`${url}${path}`)
        return [String(response.status), (await response.arrayBuffer()).byteLength] as const
      }),
    )
    const statuses = Object.fromEntries(
      [...Map.groupBy(answers, ([status]) => status)].map(([status, all]) => [status, all.length]),
    )
    return { statuses, largestBytes: Math.max(...answers.map(([, bytes]) => bytes)) } satisfies AttackOutcome
  },
})

const ATTACKS: ReadonlyArray<Attack> = [
  times("1 MB of invalid liquidityWeights", 1, bodies.weights),
  times("1 MB of invalid liquidityWeights", 10, bodies.weights),
  times("9,900 invalid liquidityWeights", 10, bodies.fewerWeights),
  times("1 MB of empty tags", 10, bodies.tags),
  times("9,900 tags that are too long", 10, bodies.fewerTags),
  times("9,900 tags of lone surrogates", 10, bodies.fewerSurrogates),
  times("9,900 tags of NUL", 10, bodies.fewerNuls),
  times("90,000 unknown keys", 10, bodies.unknownKeys),
  times("9,900 unknown keys", 10, bodies.fewerKeys),
  times("one key of 1 MB", 10, bodies.longKey),
  gets("100 mints", 200, manyMints),
  gets("1,500 unknown parameters", 200, manyNames),
  times("PNG with 5 GiB of text in 20 chunks", 10, bodies.inflatingText),
  times("PNG with a profile of 256 MiB", 10, bodies.inflatingProfile),
  times("PNG of one pixel with 256 MiB of data", 10, bodies.inflatingData),
  times("PNG of 40 million pixels", 10, bodies.manyPixels),
  sockets("unread GET /api/tokens", { count: 100, first: head("GET", "/api/tokens"), isRead: false }),
  sockets("unread event streams", { count: 200, first: head("GET", "/api/stream"), isRead: false }),
  sockets("idle connections", { count: 1_000, first: "", isRead: true }),
  sockets("connections after one request", { count: 1_000, first: head("GET", "/livez"), isRead: true }),
  sockets("JSON bodies of a byte a second", { count: 200, first: posted, drip: " ", isRead: true }),
  sockets("JSON bodies that stop", { count: 200, first: `${posted}{`, isRead: true }),
  sockets("heads of a byte a second", { count: 200, first: "GET / HTTP/1.1\r\nx: ", drip: "a", isRead: true }),
]

const seed = async (url: string, count: number): Promise<void> => {
  let left = count
  const register = async () => {
    while (left-- > 0) {
      const body = JSON.stringify(tokenDraft({ description: DESCRIPTION }))
      const answer = await fetch(`${url}/api/tokens`, {
        ...{ method: "POST", body, headers: { "content-type": "application/json" } },
      })
      if (answer.status !== 201) throw new Error(`no token: ${await answer.text()}`)
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: SEEDED_AT_ONCE }, register))
}

const dataFolder = mkdtempSync(join(tmpdir(), "registry-attacks-"))
const start = () => ServiceProcess.start({ checkout: values.checkout, port, dataFolder })

const measured = async ({ name, run }: Attack): Promise<string> => {
  const service = await start()
  try {
    // Load everything that is loaded on first use.
    await Promise.all(["/api/tokens?limit=1", "/openapi.json", "/"].map((path) => fetch(`${service.url}${path}`)))
    await pause(1_000)
    const before = service.residentMib
    service.resetPeak()
    const probe = fork(join(import.meta.dirname, "LatencyProbeMain.ts"), [`${service.url}/livez`])
    const { alive, largestBytes, statuses } = await run({ url: service.url, holdMillis })
    const longest = await ask<number>(probe, "longest")
    probe.kill()
    const answers = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
    const grown = service.isRunning ? `${service.peakMib - before} MiB` : "the service ended"
    const cells = [name, grown, `${Math.round(longest)} ms`, largestBytes === 0 ? "" : String(largestBytes)]
    return `| ${[...cells, answers.join(", "), alive ?? ""].join(" | ")} |`
  } finally {
    await service.stop()
  }
}

try {
  const service = await start()
  await seed(service.url, Number(values.tokens))
  await service.stop()
  say(
    `${cpus().length} cores, Node ${process.version}, ${values.tokens} tokens; connections watched for ${values.seconds} s.\n`,
  )
  say(
    "| attack | memory at its peak, above before | longest GET /livez meanwhile | largest answer, bytes | answers | still connected |",
  )
  say("|---|---|---|---|---|---|")
  for (const attack of ATTACKS) if (attack.name.includes(values.only)) say(await measured(attack))
} finally {
  rmSync(dataFolder, { recursive: true, force: true })
}
