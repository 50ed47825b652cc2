import { type ChildProcess, fork } from "node:child_process"
import { cpus } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { isDeepStrictEqual } from "node:util"
import { answerOf, ask } from "../ChildAnswer.ts"
import { cpuMillisOf, residentMibOf } from "../ProcessFigures.ts"
import { BenchDatabase } from "../ingest/BenchDatabase.ts"
import { startApi } from "./ApiProcess.ts"
import { filledTokens, pagesOf } from "./FilledTokens.ts"
import type { Order, Read } from "./ReadClientMain.ts"

/**
 * Everyday reads over loopback: the service with its access log as shipped, beside a server of `node:http` and `pg` and one
 * of Fastify that answer the same bodies from the same PostgreSQL. All alternate; `--against <checkout>` includes ours of
 * another checkout, `--node-options <options>` ours with these options of Node.js, `--replicas <n>` ours as so many processes
 * on the same PostgreSQL. CPU is that of the server's process for a
 * request.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
    connections: { type: "string", default: "64" },
    tokens: { type: "string", default: "100000" },
    against: { type: "string" },
    "node-options": { type: "string" },
    replicas: { type: "string" },
    only: { type: "string", default: "" },
    scenes: { type: "string", default: "" },
    "access-log": { type: "string", default: "true" },
    compression: { type: "string", default: "false" },
  },
})
const [rounds, seconds, connections, tokens] = [values.rounds, values.seconds, values.connections, values.tokens].map(
  Number,
) as [number, number, number, number]
const PAGE = ["/api/tokens?limit=20"]

interface Contestant {
  readonly name: string
  readonly isOurs: boolean
  readonly urls: ReadonlyArray<string>
  /** CPU time of its processes so far. */
  readonly cpuMillis: () => number
  /** Resident memory of its processes. */
  readonly mib: () => number
  readonly stop: () => Promise<void> | void
}

interface Scene {
  readonly name: string
  readonly paths: ReadonlyArray<string>
  readonly isConditional: boolean
  readonly acceptEncoding?: string
  /** Whether plain servers have no answer to compare with. */
  readonly isOursAlone?: boolean
}

const say = (text: string) => void process.stdout.write(`${text}\n`)
const median = (all: ReadonlyArray<number>) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!

const plain = async (name: string, main: string, address: string): Promise<Contestant> => {
  const child = fork(join(import.meta.dirname, main), [address])
  const url = await answerOf<string>(child)
  return {
    name,
    isOurs: false,
    urls: [url],
    cpuMillis: () => cpuMillisOf(child.pid!),
    mib: () => residentMibOf(child.pid!),
    stop: () => child.disconnect(),
  }
}

const ours = async (name: string, checkout: string, nodeOptions?: string): Promise<Contestant> => {
  const service = await startApi(database.address, {
    checkout,
    environment: {
      ...{ ACCESS_LOG: values["access-log"], COMPRESSION: values.compression },
      ...(nodeOptions !== undefined && { NODE_OPTIONS: nodeOptions }),
    },
  })
  return {
    name,
    isOurs: true,
    urls: [service.url],
    cpuMillis: () => service.cpuMillis,
    mib: () => service.residentMib,
    stop: () => service.stop(),
  }
}

/** Several of ours behind what shares connections among them. */
const together = (name: string, all: ReadonlyArray<Contestant>): Contestant => {
  const sum = (of: (one: Contestant) => number) => all.reduce((total, one) => total + of(one), 0)
  return {
    name,
    isOurs: true,
    urls: all.flatMap(({ urls }) => urls),
    cpuMillis: () => sum((one) => one.cpuMillis()),
    mib: () => sum((one) => one.mib()),
    stop: async () => void (await Promise.all(all.map(({ stop }) => stop()))),
  }
}

const load = async (
  client: ChildProcess,
  { cpuMillis, urls }: Contestant,
  { acceptEncoding, isConditional, paths }: Scene,
  millis: number,
) => {
  const before = cpuMillis()
  const order = { urls, paths, connections, millis, isConditional, ...(acceptEncoding && { acceptEncoding }) }
  const read = await ask<Read>(client, order satisfies Order)
  if (read.wrong > 0) throw new Error(`${urls.join()}: ${read.wrong} wrong answers`)
  return { ...read, micros: ((cpuMillis() - before) * 1_000) / read.requests }
}

const database = await BenchDatabase.start()
await database.renew()
const contestants: Array<Contestant> = []
try {
  const address = JSON.stringify(database.address)
  const first = await ours("ours", join(import.meta.dirname, "../.."))
  contestants.push(first)
  const ids = await filledTokens(first.urls[0]!, database.address, tokens)
  if (values.against !== undefined) contestants.push(await ours("against", resolve(values.against)))
  const nodeOptions = values["node-options"]
  if (nodeOptions !== undefined)
    contestants.push(await ours(`ours, ${nodeOptions}`, join(import.meta.dirname, "../.."), nodeOptions))
  if (values.replicas !== undefined) {
    const named = `ours, ${values.replicas} replicas`
    const all = Array.from({ length: Number(values.replicas) }, () => ours(named, join(import.meta.dirname, "../..")))
    contestants.push(together(named, await Promise.all(all)))
  }
  contestants.push(await plain("node:http", "PlainServerMain.ts", address))
  contestants.push(await plain("Fastify", "FastifyServerMain.ts", address))
  const asked = values.only === "" ? undefined : values.only.split(",")
  const taking = contestants.filter(({ name }) => asked === undefined || asked.some((start) => name.startsWith(start)))

  const byId = ids.map((id) => `/api/tokens/${id}`)
  const pages = pagesOf(ids.length)
  const all: ReadonlyArray<Scene> = [
    { name: "by id", paths: byId, isConditional: false },
    { name: "by id with ETag", paths: byId, isConditional: true, isOursAlone: true },
    { name: "page of 20", paths: PAGE, isConditional: false },
    { name: "page of 20 by gzip", paths: PAGE, isConditional: false, acceptEncoding: "gzip", isOursAlone: true },
    { name: "page of 20 by br", paths: PAGE, isConditional: false, acceptEncoding: "br", isOursAlone: true },
    { name: "another page of 20 each", paths: pages, isConditional: false },
    { name: "livez", paths: ["/livez"], isConditional: false },
  ]
  const wanted = values.scenes === "" ? undefined : values.scenes.split(",")
  const scenes = all.filter(({ name }) => wanted?.includes(name) ?? true)
  for (const path of [byId[0]!, "/api/tokens?limit=20", pages[7]!]) {
    const bodies = await Promise.all(
      taking.map(({ urls }) => fetch(`${urls[0]}${path}`).then((response) => response.json() as Promise<any>)), // oxlint-disable-line typescript/no-explicit-any
    )
    // Cursors are opaque, and each has its own.
    for (const body of bodies) if (body.pagination) body.pagination.nextCursor = ""
    if (bodies.some((body) => !isDeepStrictEqual(body, bodies[0])))
      throw new Error(`The answers of ${path} differ: ${bodies.map((body) => JSON.stringify(body)).join("\n")}`)
  }

  const client = fork(join(import.meta.dirname, "ReadClientMain.ts"))
  await answerOf(client)
  say(
    `${rounds} rounds of ${seconds} s, ${connections} connections, ${tokens} tokens; ${cpus().length} cores, Node ${process.version}; ` +
      `PostgreSQL ${database.settings}; access log of ours ${values["access-log"]}.`,
  )
  const figures = new Map<string, Array<Awaited<ReturnType<typeof load>>>>()
  const keyOf = (one: Contestant, scene: Scene) => `${scene.name}, ${one.name}`
  const pairs = scenes.flatMap((scene) =>
    taking.filter(({ isOurs }) => isOurs || scene.isOursAlone !== true).map((one) => [one, scene] as const),
  )
  for (const [one, scene] of pairs) {
    figures.set(keyOf(one, scene), [])
    await load(client, one, scene, seconds * 1_000)
  }
  for (let round = 0; round < rounds; round++)
    for (const [one, scene] of round % 2 === 0 ? pairs : pairs.toReversed())
      figures.get(keyOf(one, scene))!.push(await load(client, one, scene, seconds * 1_000))
  for (const scene of scenes) {
    const reading = pairs.flatMap(([one, asked]) => (asked === scene ? [one] : []))
    const ratesOf = (one: Contestant, asked: Scene) =>
      figures.get(keyOf(one, asked))?.map((f) => (f.requests * 1_000) / f.millis)
    /** The median over the rounds of what `one` serves for each request of the other. */
    const ratio = (one: Contestant, other: Contestant | undefined, asked: Scene | undefined) => {
      const base = other && asked && ratesOf(other, asked)
      return base === undefined
        ? ""
        : `${median(ratesOf(one, scene)!.map((rate, round) => rate / base[round]!)).toFixed(2)}x`
    }
    const base = reading.find(({ name }) => name === "node:http")
    const unconditional = scene.isConditional
      ? scenes.find(({ isConditional, paths }) => !isConditional && paths === scene.paths)
      : undefined
    say(
      `\n| ${scene.name} | requests/s | p50 | p99 | CPU for a request | memory | to ${scene.isConditional ? "itself without" : "node:http"} |`,
    )
    say("|---|---|---|---|---|---|---|")
    for (const one of reading) {
      const of = (field: "p50" | "p99" | "micros") =>
        median(figures.get(keyOf(one, scene))!.map((figure) => figure[field]))
      const to = scene.isConditional ? ratio(one, one, unconditional) : ratio(one, base, scene)
      say(
        `| ${one.name} | ${median(ratesOf(one, scene)!).toFixed(0)} | ${of("p50").toFixed(1)} ms | ${of("p99").toFixed(1)} ms | ${of("micros").toFixed(0)} µs | ${one.mib().toFixed(0)} MiB | ${to} |`,
      )
    }
  }
  client.disconnect()
} finally {
  for (const { stop } of contestants) await stop()
  await database.stop()
}
