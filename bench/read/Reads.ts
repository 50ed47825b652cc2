import { type ChildProcess, fork } from "node:child_process"
import { cpus } from "node:os"
import { join, resolve } from "node:path"
import { isDeepStrictEqual, parseArgs } from "node:util"
import { BenchDatabase } from "../BenchDatabase.ts"
import { answerOf, ask, cpuMillisOf } from "../Processes.ts"
import { median } from "../Quantiles.ts"
import type { Order, Read } from "./ReadClientMain.ts"
import { fillTokens, startApi } from "./StartedApi.ts"

/**
 * Everyday reads over loopback: the service with its access log as shipped, beside a server of `node:http` and `pg` and one
 * of Fastify that answer the same bodies from the same PostgreSQL. All alternate; `--against <checkout>` includes ours of
 * another checkout. CPU is that of the server's process for a request.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
    connections: { type: "string", default: "64" },
    tokens: { type: "string", default: "100000" },
    against: { type: "string" },
  },
})
const ROOT = join(import.meta.dirname, "../..")
const say = (text: string) => void process.stdout.write(`${text}\n`)

interface Contestant {
  readonly name: string
  readonly url: string
  /** CPU time of its process so far. */
  readonly cpuMillis: () => number
  readonly stop: () => Promise<void> | void
}

const plain = async (name: string): Promise<Contestant> => {
  const child = fork(join(import.meta.dirname, "PlainServerMain.ts"), [name, JSON.stringify(database.address)])
  const url = await answerOf<string>(child)
  return { name, url, cpuMillis: () => cpuMillisOf(child.pid!), stop: () => child.disconnect() }
}

const ours = async (name: string, checkout: string): Promise<Contestant> => {
  const service = await startApi(database.address, { checkout })
  return { name, url: service.url, cpuMillis: () => service.cpuMillis, stop: () => service.stop() }
}

interface Scene {
  readonly name: string
  readonly paths: ReadonlyArray<string>
  /** Plain servers have no ETags. */
  readonly isConditional: boolean
}

/** So many pages of 20 that all differ. */
const pagesOf = (count: number) =>
  Array.from(
    { length: count },
    (_, at) => `/api/tokens?limit=20&endDate=${new Date(Date.now() - at * 50_000).toISOString()}`,
  )

const load = async (client: ChildProcess, { cpuMillis, url }: Contestant, { isConditional, paths }: Scene) => {
  const before = cpuMillis()
  const millis = Number(values.seconds) * 1_000
  const order: Order = { url, paths, connections: Number(values.connections), millis, isConditional }
  const read = await ask<Read>(client, { ...order })
  if (read.wrong > 0) throw new Error(`${url}: ${read.wrong} wrong answers`)
  return { ...read, micros: ((cpuMillis() - before) * 1_000) / read.requests }
}

/** The servers must answer alike, but for cursors, which are opaque. */
const compare = async (contestants: ReadonlyArray<Contestant>, path: string) => {
  const bodies = await Promise.all(
    contestants.map(async ({ url }) => {
      const body = (await (await fetch(`${url}${path}`)).json()) as { pagination?: { nextCursor: unknown } }
      if (body.pagination !== undefined) body.pagination.nextCursor = ""
      return body
    }),
  )
  if (bodies.some((body) => !isDeepStrictEqual(body, bodies[0])))
    throw new Error(`The answers of ${path} differ: ${bodies.map((body) => JSON.stringify(body)).join("\n")}`)
}

const database = await BenchDatabase.start()
await database.renew()
const contestants: Array<Contestant> = []
try {
  contestants.push(await ours("ours", ROOT))
  const ids = await fillTokens(contestants[0]!.url, database.address, Number(values.tokens))
  if (values.against !== undefined) contestants.push(await ours("against", resolve(values.against)))
  const isOurs = new Set(contestants)
  contestants.push(await plain("node:http"), await plain("Fastify"))

  const byId = ids.map((id) => `/api/tokens/${id}`)
  const pages = pagesOf(ids.length)
  const scenes: ReadonlyArray<Scene> = [
    { name: "by id", paths: byId, isConditional: false },
    { name: "by id with ETag", paths: byId, isConditional: true },
    { name: "page of 20", paths: ["/api/tokens?limit=20"], isConditional: false },
    { name: "another page of 20 each", paths: pages, isConditional: false },
  ]
  for (const path of [byId[0]!, "/api/tokens?limit=20", pages[7]!]) await compare(contestants, path)

  const client = fork(join(import.meta.dirname, "ReadClientMain.ts"))
  await answerOf(client)
  say(
    `${values.rounds} rounds of ${values.seconds} s, ${values.connections} connections, ${values.tokens} tokens; ` +
      `${cpus().length} cores, Node ${process.version}; PostgreSQL ${database.settings}.`,
  )
  const pairs = scenes.flatMap((scene) =>
    contestants
      .filter((one) => isOurs.has(one) || !scene.isConditional)
      .map((one) => ({ one, scene, figures: new Array<Awaited<ReturnType<typeof load>>>() })),
  )
  // Warms up code and connections.
  for (const { one, scene } of pairs) await load(client, one, scene)
  for (let round = 0; round < Number(values.rounds); round++)
    for (const { figures, one, scene } of round % 2 === 0 ? pairs : pairs.toReversed())
      figures.push(await load(client, one, scene))
  client.disconnect()

  say("\n| | | requests/s | p50 | p99 | CPU for a request | to node:http |\n|---|---|---:|---:|---:|---:|---:|")
  for (const { figures, one, scene } of pairs) {
    const rate = (all: typeof figures) => all.map(({ millis, requests }) => (requests * 1_000) / millis)
    const base = pairs.find((pair) => pair.scene === scene && pair.one.name === "node:http")
    const baseRates = base && rate(base.figures)
    const of = (field: "p50" | "p99" | "micros") => median(figures.map((figure) => figure[field]))
    const cells = [
      ...[scene.name, one.name, median(rate(figures)).toFixed(0), `${of("p50").toFixed(1)} ms`],
      ...[`${of("p99").toFixed(1)} ms`, `${of("micros").toFixed(0)} µs`],
      baseRates ? `${median(rate(figures).map((each, round) => each / baseRates[round]!)).toFixed(2)}x` : "",
    ]
    say(`| ${cells.join(" | ")} |`)
  }
} finally {
  for (const { stop } of contestants) await stop()
  await database.stop()
}
