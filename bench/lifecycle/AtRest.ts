import { type ChildProcess, fork } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { bundle } from "../../bundle/Bundle.ts"
import { BenchDatabase } from "../BenchDatabase.ts"
import { answerOf, ask } from "../Processes.ts"
import { median } from "../Quantiles.ts"
import type { Order, Read } from "../read/ReadClientMain.ts"
import { type ApiOptions, fillTokens, startApi } from "../read/StartedApi.ts"

/**
 * A process of role `api`, from its sources and as the bundle of the container image with its options of Node.js: its start, its memory
 * four seconds later, after reads of tokens by id, and the peak meanwhile. Each round starts both on the same PostgreSQL.
 */
const { values } = parseArgs({
  options: { rounds: { type: "string", default: "5" }, seconds: { type: "string", default: "4" } },
})
const REST_MILLIS = 4_000
const TOKENS = 10_000
const ROOT = join(import.meta.dirname, "../..")
const NODE_OPTIONS = /NODE_OPTIONS=(\S+)/.exec(readFileSync(join(ROOT, "Dockerfile"), "utf8"))![1]!

const measure = async (options: ApiOptions, client: ChildProcess, ids: ReadonlyArray<string>) => {
  const began = performance.now()
  const service = await startApi(database.address, options)
  try {
    const figures = { "start, ms": performance.now() - began, "CPU of the start, ms": service.cpuMillis }
    await pause(REST_MILLIS)
    const atRest = service.residentMib
    service.resetPeak()
    const paths = ids.map((id) => `/api/tokens/${id}`)
    const order: Order = {
      ...{ url: service.url, paths, connections: 64, millis: Number(values.seconds) * 1_000, isConditional: false },
    }
    const { wrong } = await ask<Read>(client, { ...order })
    if (wrong > 0) throw new Error(`${wrong} wrong answers`)
    return {
      ...{ ...figures, "at rest, MiB": atRest, "after reads, MiB": service.residentMib },
      "peak of reads, MiB": service.peakMib,
    }
  } finally {
    await service.stop()
  }
}

const say = (text: string) => void process.stdout.write(`${text}\n`)
const folder = mkdtempSync(join(tmpdir(), "registry-rest-"))
const database = await BenchDatabase.start()
try {
  await bundle(join(folder, "dist"))
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"))
  await database.renew()
  const filling = await startApi(database.address, { checkout: ROOT })
  const ids = await fillTokens(filling.url, database.address, TOKENS)
  await filling.stop()
  const contestants: ReadonlyArray<ApiOptions> = [
    { checkout: ROOT },
    { checkout: folder, main: "dist/service.mjs", environment: { NODE_OPTIONS } },
  ]
  const client = fork(join(ROOT, "bench/read/ReadClientMain.ts"))
  await answerOf(client)
  const figures = contestants.map(() => new Array<Awaited<ReturnType<typeof measure>>>())
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [at, options] of contestants.entries()) figures[at]!.push(await measure(options, client, ids))
  client.disconnect()
  say(`${values.rounds} rounds, ${TOKENS} tokens; ${cpus().length} cores, Node ${process.version}.\n`)
  say("| medians | sources | bundle |\n|---|---:|---:|")
  for (const name of Object.keys(figures[0]![0]!) as Array<keyof (typeof figures)[number][number]>)
    say(`| ${name} | ${figures.map((all) => median(all.map((one) => one[name])).toFixed(0)).join(" | ")} |`)
} finally {
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
