/**
 * `node bench/scale-out/Reads.ts [rounds]`: CPU that PostgreSQL's primary and its standby take for a thousand reads of tokens by id, with reads
 * on the primary and with the standby in DATABASE_READ_URL, in turn. Both servers, the service and its callers are on this machine, so CPU is
 * counted and not time.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import * as Database from "@launch-registry/postgres/Database"
import { ReadReplicas } from "@launch-registry/postgres/replicas/ReadReplicas"
import { ofProcess } from "@launch-registry/postgres/SharedClock"
import { replicatedDatabase, Standby } from "../../packages/service/test/replicas/ReplicatedDatabase.ts"
import { sampleAddress, tokenDraft } from "../../packages/service/test/Samples.ts"
import { TestServer } from "../../packages/service/test/TestServer.ts"

const ROUNDS = Number(process.argv[2] ?? 5)
const READS = 4_000
const TOKENS = 500
const CALLERS = 16
/** As Linux counts them on every platform that Node.js runs on. */
const MILLIS_PER_TICK = 10

const fieldsOf = (pid: string): ReadonlyArray<string> => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  // The name, in brackets, may contain anything.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
}

/** CPU of a server so far, in milliseconds: of its postmaster, its children, and those that have ended. */
const cpuOf = (folder: string): number => {
  const [postmaster = ""] = readFileSync(join(folder, "postgres", "data", "postmaster.pid"), "utf8").split("\n")
  const own = (fields: ReadonlyArray<string>): number => Number(fields[11]) + Number(fields[12])
  const ended = fieldsOf(postmaster)
  let ticks = own(ended) + Number(ended[13]) + Number(ended[14])
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    try {
      const fields = fieldsOf(pid)
      if (fields[1] === postmaster) ticks += own(fields)
    } catch {
      // It has ended meanwhile.
    }
  return ticks * MILLIS_PER_TICK
}

const median = (values: ReadonlyArray<number>): string =>
  (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]! / (READS / 1_000)).toFixed(1)

const measure = Effect.gen(function* () {
  const { request, url } = yield* TestServer
  const { folder, primary } = yield* Standby
  const replicas = (yield* ReadReplicas)!
  const ids = yield* Effect.all(
    Array.from({ length: TOKENS }, () =>
      Effect.map(
        request("/api/tokens", { json: tokenDraft({ mintAddress: sampleAddress() }) }),
        ({ body }) => body.data.id as string,
      ),
    ),
    { concurrency: 8 },
  )
  const written = yield* replicas.written
  while (replicas.choose(written) === undefined) yield* Effect.sleep(100)
  const database = Layer.provideMerge(Database.layer(primary.address), ofProcess)
  const alone = yield* Effect.map(
    Effect.provideService(Layer.build(TestServer.layer({ database: database as never })), ReadReplicas, undefined),
    (context) => context.mapUnsafe.get(TestServer.key) as TestServer["Service"],
  )
  const servers = [
    { name: "primary alone", url: alone.url, primary: [] as Array<number>, standby: [] as Array<number> },
    { name: "with a replica", url, primary: [] as Array<number>, standby: [] as Array<number> },
  ]
  const read = (base: string) =>
    Effect.promise(async () => {
      let next = 0
      const caller = async (): Promise<void> => {
        while (next < READS) {
          const response = await fetch(`${base}/api/tokens/${ids[next++ % TOKENS]}`)
          if (!response.ok) throw new Error(String(response.status))
          await response.arrayBuffer()
        }
      }
      await Promise.all(Array.from({ length: CALLERS }, caller))
    })
  for (const { url: base } of servers) yield* read(base)
  for (let round = 0; round < ROUNDS; round++)
    for (const server of servers) {
      const before = [cpuOf(primary.folder), cpuOf(folder)] as const
      yield* read(server.url)
      server.primary.push(cpuOf(primary.folder) - before[0])
      server.standby.push(cpuOf(folder) - before[1])
    }
  process.stdout.write(`CPU in milliseconds for 1,000 reads by id, medians of ${ROUNDS} rounds of ${READS}\n`)
  for (const { name, primary: own, standby } of servers)
    process.stdout.write(`  ${name.padEnd(16)} primary ${median(own)}, standby ${median(standby)}\n`)
})

const server = TestServer.layer({ database: replicatedDatabase as never }) as Layer.Layer<TestServer | Standby>

await Effect.runPromise(measure.pipe(Effect.scoped, Effect.provide(server)))
