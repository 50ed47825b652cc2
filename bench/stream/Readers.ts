/**
 * `node bench/stream/Readers.ts [readers] [seconds] [launches]`: what readers of the event stream cost one process, each of which follows a mint of its own:
 * memory while nothing happens, and while ten commits a second come with trades of twenty of them, CPU and the time from the commit to the reader, who is on
 * the same machine. With `launches` they wait for launches of every mint, and the commits have five hundred trades and no launch.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Database from "@launch-registry/postgres/Database"
import { ofProcess } from "@launch-registry/postgres/SharedClock"
import { Effect, Layer } from "effect"
import { commitChanges, sampleChange } from "../../packages/server/test/stream/IndexChanges.ts"
import { sampleAddress } from "../../packages/service/test/Samples.ts"
import { TestServer } from "../../packages/service/test/TestServer.ts"
import { BenchDatabase } from "../ingest/BenchDatabase.ts"

const [READERS, SECONDS] = [Number(process.argv[2] ?? 5_000), Number(process.argv[3] ?? 10)]
const COMMITS_PER_SECOND = 10
const IS_FOR_LAUNCHES = process.argv[4] === "launches"
const TRADES = IS_FOR_LAUNCHES ? 500 : 20

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const does = <A>(work: () => Promise<A>) => Effect.promise(work)

/** Resident memory in MiB once garbage is collected as far as it is by itself. */
const resident = (): number => process.memoryUsage.rss() / 2 ** 20

/** CPU of this process in milliseconds while `work` runs, for each second of it. */
const cpuDuring = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const [before, startedAt] = [process.cpuUsage(), performance.now()]
    yield* work
    const { system, user } = process.cpuUsage(before)
    return (user + system) / (performance.now() - startedAt)
  })

const measure = Effect.gen(function* () {
  const { url } = yield* TestServer
  const mints = Array.from({ length: READERS }, sampleAddress)
  const emptyMib = resident()
  const readers = fork(join(import.meta.dirname, "ReadersMain.ts"), [
    new URL(url).port,
    ...mints.map((mint) => (IS_FOR_LAUNCHES ? "types=token" : `types=trade&mint=${mint}`)),
  ])
  yield* does(() => once(readers, "message"))
  yield* does(() => sleep(5_000))
  say(`${READERS} readers`)
  say(`  memory of a reader: ${(((resident() - emptyMib) * 1_024) / READERS).toFixed(1)} KiB`)
  say(`  CPU while nothing happens: ${(yield* cpuDuring(does(() => sleep(10_000)))).toFixed(0)} ms a second`)
  let next = 0
  const writing = Effect.gen(function* () {
    for (let commit = 0; commit < SECONDS * COMMITS_PER_SECOND; commit++) {
      const time = new Date().toISOString()
      const trades = Array.from({ length: TRADES }, () => sampleChange("trade", mints[next++ % READERS]!, { time }))
      yield* commitChanges(...trades)
      yield* does(() => sleep(1_000 / COMMITS_PER_SECOND))
    }
  })
  say(`  CPU with ${COMMITS_PER_SECOND} commits a second: ${(yield* cpuDuring(writing)).toFixed(0)} ms a second`)
  yield* does(() => sleep(2_000))
  if (IS_FOR_LAUNCHES) return void readers.kill()
  readers.send("end")
  const [delays] = (yield* does(() => once(readers, "message"))) as [Array<number>]
  const sorted = delays.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)]!
  say(`  ${sorted.length} of ${next} events, from commit to reader p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
})

const database = await BenchDatabase.start()
try {
  await database.renew()
  const stored = Layer.provideMerge(Database.layer(database.address), ofProcess)
  const server = TestServer.layer({
    database: stored as never,
    stream: { subscribersMax: READERS },
    limits: { addresses: { streams: READERS, connections: READERS + 10 } },
  })
  await Effect.runPromise(measure.pipe(Effect.provide(Layer.provideMerge(server, stored)), Effect.scoped))
} finally {
  await database.stop()
}
