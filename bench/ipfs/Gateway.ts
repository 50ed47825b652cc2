import { type ChildProcess, fork } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import * as Database from "@launch-registry/postgres/Database"
import { buildDag } from "@launch-registry/ipfs/Dag"
import { IpfsContent } from "@launch-registry/ipfs/IpfsContent"
import { Effect, Layer } from "effect"
import { answerOf, ask } from "../ChildAnswer.ts"
import { BenchDatabase } from "../ingest/BenchDatabase.ts"
import type { Fetched, Order } from "./GatewayClientMain.ts"
import { gatewayReport, type Run } from "./GatewayReport.ts"
import { CONTENT_TYPE, GATEWAY_CONTESTANTS, type GatewayContestant, type Places } from "./GatewayServers.ts"

/** The same files from the gateway and from a file server of the same framework, with separate processes for servers and client. */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    connections: { type: "string", default: "32" },
    sizes: { type: "string", default: "4096,51200,1048576,10485760" },
    only: { type: "string", default: Object.keys(GATEWAY_CONTESTANTS).join(",") },
  },
})
/** Below the gateway's default cache size. */
const HOT_BYTES = 48 * 1_048_576
const say = (text: string) => void process.stdout.write(`${text}\n`)

const folder = mkdtempSync(join(tmpdir(), "registry-bench-"))
const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

const database = await BenchDatabase.start()
await database.renew()
const places: Places = { database: database.address, folder }
const connections = Number(values.connections)
say(`${cpus().length} cores, Node ${process.version}. PostgreSQL: ${database.settings}.\n`)

/** As many files of each size as connections, so that concurrent requests are for different files. */
const sizes = values.sizes.split(",").map(Number)
const cidsOf = new Map<number, ReadonlyArray<string>>()
await Effect.runPromise(
  Effect.gen(function* () {
    const { store } = yield* IpfsContent
    for (const size of sizes) {
      const cids: Array<string> = []
      for (let index = 0; index < connections; index++) {
        const bytes = randomBytes(size)
        const dag = buildDag(bytes)
        yield* store(dag, { contentType: CONTENT_TYPE })
        cids.push(dag.root.toString())
        writeFileSync(join(folder, dag.root.toString()), bytes)
      }
      cidsOf.set(size, cids)
    }
  }).pipe(Effect.provide(IpfsContent.layer.pipe(Layer.provide(Database.layer(database.address))))),
)
/** The cache holds this many; only the gateway without a cache is asked for all. */
const askedOf = (name: GatewayContestant, size: number) =>
  cidsOf.get(size)!.slice(0, name === "cold" ? connections : Math.max(1, Math.floor(HOT_BYTES / size)))

const children: Array<ChildProcess> = []
const started = (file: string, args: ReadonlyArray<string>): ChildProcess => {
  const child = fork(pathOf(file), args)
  children.push(child)
  return child
}

try {
  const names = values.only.split(",") as ReadonlyArray<GatewayContestant>
  const servers: Array<{ readonly name: GatewayContestant; readonly child: ChildProcess; readonly url: string }> = []
  for (const name of names) {
    const child = started("GatewayServerMain.ts", [name, JSON.stringify(places)])
    servers.push({ name, child, url: await answerOf<string>(child) })
  }
  const client = started("GatewayClientMain.ts", [])
  await answerOf(client)
  const runs: Array<Run> = []
  for (const sizeBytes of sizes) {
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const { child, name, url } of servers) {
        const cpuFrom = await ask<number>(child, "cpu")
        const order: Order = {
          url,
          cids: askedOf(name, sizeBytes),
          folder,
          connections,
          millis: Number(values.seconds) * 1_000,
        }
        const fetched = await ask<Fetched>(client, order)
        // Includes the warm-up, which has about a fifth of the requests.
        const cpuMillis = ((await ask<number>(child, "cpu")) - cpuFrom) / 1.2
        runs.push({ ...fetched, name, sizeBytes, round, cpuMicros: (cpuMillis * 1_000) / fetched.requests })
      }
    }
  }
  say(gatewayReport(runs, connections))
} finally {
  for (const child of children) child.disconnect()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
