import { fork } from "node:child_process"
import { cpus } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { BenchDatabase } from "../BenchDatabase.ts"
import { answerOf, ask, cpuMillisOf } from "../Processes.ts"
import { median } from "../Quantiles.ts"
import type { Order, Read } from "./ReadClientMain.ts"
import { startApi } from "./StartedApi.ts"

/**
 * What every request pays before its handler: `GET /livez`, which reads nothing, beside a server of `node:http` that answers the same
 * bytes. All alternate; `--against <checkout>` includes ours of another checkout. CPU is that of the server's process for a request.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    connections: { type: "string", default: "64" },
    against: { type: "string" },
  },
})
const PATH = "/livez"
const say = (text: string) => void process.stdout.write(`${text}\n`)

interface Contestant {
  readonly name: string
  readonly url: string
  readonly cpuMillis: () => number
  readonly stop: () => Promise<void> | void
}

const ours = async (name: string, checkout: string): Promise<Contestant> => {
  const service = await startApi(database.address, { checkout })
  return { name, url: service.url, cpuMillis: () => service.cpuMillis, stop: () => service.stop() }
}

const bare = async (body: string): Promise<Contestant> => {
  const child = fork(join(import.meta.dirname, "BareServerMain.ts"), [body])
  const url = await answerOf<string>(child)
  return { name: "node:http", url, cpuMillis: () => cpuMillisOf(child.pid!), stop: () => child.disconnect() }
}

const database = await BenchDatabase.start()
await database.renew()
const contestants: Array<Contestant> = []
const client = fork(join(import.meta.dirname, "ReadClientMain.ts"))
try {
  await answerOf(client)
  contestants.push(await ours("ours", join(import.meta.dirname, "../..")))
  if (values.against !== undefined) contestants.push(await ours("against", resolve(values.against)))
  contestants.push(await bare(await (await fetch(`${contestants[0]!.url}${PATH}`)).text()))

  const load = async ({ cpuMillis, url }: Contestant) => {
    const before = cpuMillis()
    const millis = Number(values.seconds) * 1_000
    const order: Order = { url, paths: [PATH], connections: Number(values.connections), millis, isConditional: false }
    const read = await ask<Read>(client, { ...order })
    if (read.wrong > 0) throw new Error(`${url}: ${read.wrong} wrong answers`)
    return { rate: (read.requests * 1_000) / read.millis, micros: ((cpuMillis() - before) * 1_000) / read.requests }
  }
  const all = contestants.map((one) => ({ one, figures: new Array<Awaited<ReturnType<typeof load>>>() }))
  for (const { one } of all) await load(one)
  for (let round = 0; round < Number(values.rounds); round++)
    for (const { figures, one } of round % 2 === 0 ? all : all.toReversed()) figures.push(await load(one))

  say(`${values.rounds} rounds of ${values.seconds} s, ${values.connections} connections; `)
  say(`${cpus().length} cores, Node ${process.version}.\n`)
  say("| GET /livez | requests/s | CPU for a request | to node:http |\n|---|---:|---:|---:|")
  const base = all.at(-1)!.figures
  for (const { figures, one } of all) {
    const rate = median(figures.map((figure) => figure.rate))
    const ratio = median(figures.map((figure, round) => figure.rate / base[round]!.rate))
    say(
      `| ${one.name} | ${rate.toFixed(0)} | ${median(figures.map(({ micros }) => micros)).toFixed(1)} µs | ${ratio.toFixed(2)}x |`,
    )
  }
} finally {
  client.disconnect()
  for (const { stop } of contestants) await stop()
  await database.stop()
}
