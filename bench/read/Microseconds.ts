import { type ChildProcess, fork } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { answerOf, ask } from "../ChildAnswer.ts"
import type { ServiceProcess } from "../fuzz/ServiceProcess.ts"
import { BenchDatabase } from "../ingest/BenchDatabase.ts"
import { startApi } from "./ApiProcess.ts"
import { filledTokens, pagesOf } from "./FilledTokens.ts"
import { functionsOf, partOf, PARTS, type ProfiledFunction } from "./ProfileParts.ts"
import type { Order, Read } from "./ReadClientMain.ts"

/**
 * Where the microseconds of a request go: the api role from its sources as it is deployed, a profile of the whole process while
 * 64 connections ask. A part's microseconds are its share of the samples, of the CPU time that Linux counts for the process
 * without a profile. `--against <checkout>` takes another checkout in turn, `--functions` prints the
 * most expensive functions of the last round as well.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
    connections: { type: "string", default: "64" },
    tokens: { type: "string", default: "100000" },
    against: { type: "string" },
    functions: { type: "boolean", default: false },
    scenes: { type: "string", default: "" },
  },
})
const [rounds, seconds, connections, tokens] = [values.rounds, values.seconds, values.connections, values.tokens].map(
  Number,
) as [number, number, number, number]
const SHOWN_MAX = 80

interface Contestant {
  readonly name: string
  readonly service: ServiceProcess
  /** Where it writes a profile. */
  readonly file: string
}

interface Spent {
  readonly micros: number
  readonly perSecond: number
  readonly functions: ReadonlyArray<ProfiledFunction>
}

const say = (text: string) => void process.stdout.write(`${text}\n`)
const sum = (all: ReadonlyArray<number>) => all.reduce((total, one) => total + one, 0)
const median = (all: ReadonlyArray<number>) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!

const PRELOAD = pathToFileURL(join(import.meta.dirname, "ProfilePreload.ts")).href

const started = async (name: string, checkout: string): Promise<Contestant> => {
  const file = join(folder, name)
  const environment = { PROFILE_FILE: file, NODE_OPTIONS: `--import ${PRELOAD}` }
  return { name, service: await startApi(database.address, { checkout, environment }), file }
}

const loaded = async (client: ChildProcess, order: Order): Promise<Read> => {
  const read = await ask<Read>(client, order)
  if (read.wrong > 0) throw new Error(`${order.urls.join()}${order.paths[0]}: ${read.wrong} wrong answers`)
  return read
}

/** Microseconds of a request by the function at the top of the stack, from a profile of the process beside its CPU time without one. */
const measured = async ({ file, service }: Contestant, client: ChildProcess, order: Order) => {
  const before = service.cpuMillis
  const { millis, requests } = await loaded(client, order)
  const micros = ((service.cpuMillis - before) * 1_000) / requests
  rmSync(file, { force: true })
  service.signal("SIGUSR2")
  await loaded(client, order)
  service.signal("SIGUSR2")
  while (!existsSync(file)) await pause(20)
  return {
    micros,
    perSecond: (requests * 1_000) / millis,
    functions: functionsOf(JSON.parse(readFileSync(file, "utf8")), micros),
  }
}

const folder = mkdtempSync(join(tmpdir(), "registry-profiles-"))
const database = await BenchDatabase.start()
await database.renew()
const contestants: Array<Contestant> = []
try {
  contestants.push(await started("this checkout", join(import.meta.dirname, "../..")))
  const ids = await filledTokens(contestants[0]!.service.url, database.address, tokens)
  if (values.against !== undefined) contestants.push(await started("against", resolve(values.against)))
  const client = fork(join(import.meta.dirname, "ReadClientMain.ts"))
  await answerOf(client)
  const byId = ids.map((id) => `/api/tokens/${id}`)
  const pages = pagesOf(ids.length)
  const orders: ReadonlyArray<readonly [string, Partial<Order>]> = [
    ["GET by id", { paths: byId }],
    ["GET by id with ETag", { paths: byId, isConditional: true }],
    ["GET a page of 20", { paths: ["/api/tokens?limit=20"] }],
    ["GET another page of 20 each", { paths: pages }],
    ["POST a record of a transaction", { paths: ["/api/transactions"], posted: "record" }],
    ["POST a token", { paths: ["/api/tokens"], posted: "token" }],
    ["POST a token with tags and a configuration", { paths: ["/api/tokens"], posted: "launch" }],
  ]
  say(
    `${rounds} rounds of ${seconds} s without a profile and ${seconds} s with one, ${connections} connections, ${tokens} tokens; ` +
      `${cpus().length} cores, Node ${process.version}; PostgreSQL ${database.settings}.`,
  )
  const wanted = values.scenes === "" ? undefined : values.scenes.split(",")
  for (const [scene, order] of orders.filter(([scene]) => wanted?.includes(scene) ?? true)) {
    const all = new Map<Contestant, Array<Spent>>(contestants.map((one) => [one, []]))
    for (let round = -1; round < rounds; round++)
      for (const one of round % 2 === 0 ? contestants : contestants.toReversed()) {
        const plain = { connections, millis: seconds * 1_000, urls: [one.service.url], isConditional: false, paths: [] }
        const spent = await measured(one, client, { ...plain, ...order })
        // The first round warms up.
        if (round >= 0) all.get(one)!.push(spent)
      }
    say(`\n| ${scene}, µs | ${contestants.map(({ name }) => name).join(" | ")} |`)
    say(`|---|${contestants.map(() => "---:|").join("")}`)
    const row = (name: string, of: (spent: Spent) => number) =>
      say(`| ${name} | ${contestants.map((one) => median(all.get(one)!.map(of)).toFixed(1)).join(" | ")} |`)
    for (const part of PARTS)
      row(part, ({ functions }) => sum(functions.flatMap((one) => (partOf(one) === part ? [one.micros] : []))))
    row("CPU of a request", ({ micros }) => micros)
    row("requests/s", ({ perSecond }) => perSecond)
    if (!values.functions) continue
    for (const { functions } of contestants.map((one) => all.get(one)!.at(-1)!)) {
      say("")
      for (const { functionName, micros, url } of functions.toSorted((a, b) => b.micros - a.micros).slice(0, SHOWN_MAX))
        say(`${micros.toFixed(2)} µs ${functionName} ${url}`)
    }
  }
  client.disconnect()
} finally {
  for (const { service } of contestants) await service.stop()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
