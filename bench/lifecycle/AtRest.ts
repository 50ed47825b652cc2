import { type ChildProcess, fork } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { bundle } from "../../bundle/Bundle.ts"
import { answerOf, ask } from "../ChildAnswer.ts"
import { BenchDatabase } from "../ingest/BenchDatabase.ts"
import { startApi } from "../read/ApiProcess.ts"
import { filledTokens } from "../read/FilledTokens.ts"
import type { Order, Read } from "../read/ReadClientMain.ts"
import { IMAGE_NODE_OPTIONS } from "./ImageOptions.ts"

/**
 * A process of role `api`, from its sources and as the bundle of the container image with its options: its start, its memory four
 * seconds later, what reads cost, and the peak of its memory meanwhile. Each round starts both, one after the other, on the same PostgreSQL; `--node-options
 * <options>` includes the bundle with these options of Node.js instead, as often as it is given ("" for the defaults).
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
    connections: { type: "string", default: "64" },
    tokens: { type: "string", default: "10000" },
    "node-options": { type: "string", multiple: true, default: [] },
  },
})
const [rounds, seconds, connections, tokens] = [values.rounds, values.seconds, values.connections, values.tokens].map(
  Number,
) as [number, number, number, number]
const REST_MILLIS = 4_000
const ROOT = join(import.meta.dirname, "../..")

interface Contestant {
  readonly name: string
  readonly checkout: string
  readonly main?: string
  readonly nodeOptions?: string
}

const FIGURES = ["start", "CPU of the start", "at rest", "page of 20", "by id", "after reads", "peak of reads"] as const
type Figures = Record<(typeof FIGURES)[number], number>
const UNITS: Readonly<Record<keyof Figures, string>> = {
  ...{ start: "ms", "CPU of the start": "ms", "at rest": "MiB", "after reads": "MiB", "peak of reads": "MiB" },
  ...{ "page of 20": "µs CPU", "by id": "µs CPU" },
}

const say = (text: string) => void process.stdout.write(`${text}\n`)
const median = (all: ReadonlyArray<number>) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!

const start = ({ nodeOptions, name: _name, ...started }: Contestant) =>
  startApi(database.address, {
    ...started,
    ...(nodeOptions !== undefined && { environment: { NODE_OPTIONS: nodeOptions } }),
  })

const measure = async (one: Contestant, client: ChildProcess, ids: ReadonlyArray<string>): Promise<Figures> => {
  const began = performance.now()
  const service = await start(one)
  try {
    const [millis, startCpu] = [performance.now() - began, service.cpuMillis]
    await pause(REST_MILLIS)
    const atRest = service.residentMib
    service.resetPeak()
    const cost = async (paths: ReadonlyArray<string>) => {
      const order = { urls: [service.url], paths, connections, millis: seconds * 1_000, isConditional: false }
      await ask<Read>(client, { ...order, millis: 1_000 } satisfies Order)
      const before = service.cpuMillis
      const { requests, wrong } = await ask<Read>(client, order satisfies Order)
      if (wrong > 0) throw new Error(`${one.name}: ${wrong} wrong answers`)
      return ((service.cpuMillis - before) * 1_000) / requests
    }
    return {
      ...{ start: millis, "CPU of the start": startCpu, "at rest": atRest },
      "page of 20": await cost(["/api/tokens?limit=20"]),
      "by id": await cost(ids.map((id) => `/api/tokens/${id}`)),
      "after reads": service.residentMib,
      "peak of reads": service.peakMib,
    }
  } finally {
    await service.stop()
  }
}

const folder = mkdtempSync(join(tmpdir(), "registry-rest-"))
const database = await BenchDatabase.start()
try {
  await bundle(join(folder, "dist"))
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"))
  await database.renew()
  const sources = { name: "sources", checkout: ROOT }
  const bundled = { name: "bundle", checkout: folder, main: "dist/service.mjs", nodeOptions: IMAGE_NODE_OPTIONS }
  const options = values["node-options"].map((nodeOptions) => ({
    ...{ ...bundled, name: `bundle, ${nodeOptions || "defaults"}`, nodeOptions },
  }))
  const contestants: ReadonlyArray<Contestant> = [sources, bundled, ...options]
  const filling = await start(sources)
  const ids = await filledTokens(filling.url, database.address, tokens)
  await filling.stop()
  const client = fork(join(ROOT, "bench/read/ReadClientMain.ts"))
  await answerOf(client)
  say(
    `${rounds} rounds, reads of ${seconds} s, ${connections} connections, ${tokens} tokens; ${cpus().length} cores, Node ${process.version}.\n`,
  )
  const figures = new Map<Contestant, Array<Figures>>(contestants.map((one) => [one, []]))
  for (let round = 0; round < rounds; round++)
    for (const one of round % 2 === 0 ? contestants : contestants.toReversed())
      figures.get(one)!.push(await measure(one, client, ids))
  client.disconnect()
  say(`| | ${contestants.map(({ name }) => name).join(" | ")} |`)
  say(`|---|${contestants.map(() => "---").join("|")}|`)
  for (const figure of FIGURES) {
    const cells = contestants.map((one) => {
      const all = figures.get(one)!.map((of) => of[figure])
      const ratio = median(all.map((value, round) => value / figures.get(sources)![round]![figure]))
      const to = one === sources ? "" : `, ${ratio.toFixed(2)}x`
      return `${median(all).toFixed(0)} ${UNITS[figure]}${to}`
    })
    say(`| ${figure} | ${cells.join(" | ")} |`)
  }
} finally {
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
