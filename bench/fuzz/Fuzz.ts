import { randomInt } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Cluster } from "../../demo/Cluster.ts"
import { FUZZ_KNOWN, FUZZ_SAMPLES, FUZZ_WALLET } from "../../packages/service/test/fuzz/FuzzSamples.ts"
import { fuzzRun } from "../../packages/service/test/fuzz/FuzzRun.ts"
import type { OpenApiDocument } from "../../packages/service/test/fuzz/OpenApi.ts"
import { ServiceProcess } from "./ServiceProcess.ts"

/** Sends requests from the service's own /openapi.json to a process with everything embedded, and checks every answer. */
const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    seed: { type: "string", default: String(randomInt(1_000_000)) },
    port: { type: "string", default: "4200" },
    checkout: { type: "string", default: join(import.meta.dirname, "../..") },
  },
})
const [requests, seed, port] = [values.requests, values.seed, values.port].map(Number) as [number, number, number]
const SHOWN_MAX = 3
/** Launches are refused to wallets that cannot pay. */
const LAMPORTS = 100_000_000_000n
const EVERY = 2_000

const say = (text: string) => void process.stdout.write(`${text}\n`)

const dataFolder = mkdtempSync(join(tmpdir(), "registry-fuzz-"))
const chainPort = port + 1
const service = await ServiceProcess.start({
  ...{ checkout: values.checkout, port, dataFolder },
  environment: { LOCAL_CHAIN_PORT: String(chainPort) },
})
try {
  await new Cluster(`http://127.0.0.1:${chainPort}`).airdrop(FUZZ_WALLET, LAMPORTS)
  say(`${requests} requests, seed ${seed}, Node ${process.version}; ${service.residentMib} MiB after the start.`)
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApiDocument
  const figures = await fuzzRun({
    ...{ url: service.url, document, seed, requests, samples: FUZZ_SAMPLES, known: FUZZ_KNOWN },
    onProgress: (done) => void (done % EVERY === 0 && say(`${done} sent, ${service.residentMib} MiB`)),
  })
  const statuses = [...new Set([...figures.counts.values()].flatMap((each) => [...each.keys()]))].sort()
  say(`\n| operation | ${statuses.join(" | ")} |\n|---|${statuses.map(() => "---|").join("")}`)
  for (const [operation, counts] of figures.counts)
    say(`| ${operation} | ${statuses.map((status) => counts.get(status) ?? "").join(" | ")} |`)
  say(
    `\n${service.peakMib} MiB at most, ${figures.largestBytes} bytes the largest answer, ${Math.round(figures.slowestMillis)} ms the slowest.`,
  )
  const faults = Map.groupBy(figures.violations, ({ fault, operationId }) => `${operationId}: ${fault}`)
  say(`${figures.violations.length} violations of ${faults.size} kinds.`)
  for (const [kind, violations] of faults) {
    say(`\n${violations.length} × ${kind}`)
    for (const { shown } of violations.slice(0, SHOWN_MAX)) say(shown.replaceAll(/^/gm, "    "))
  }
  if (!service.isRunning) say(`\nThe service ended: ${service.output}`)
  if (faults.size > 0 || !service.isRunning) process.exitCode = 1
} finally {
  await service.stop()
  rmSync(dataFolder, { recursive: true, force: true })
}
