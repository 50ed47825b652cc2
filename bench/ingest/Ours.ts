import { INDEXER_LEASE } from "@launch-registry/domain/system/LeaderReport"
import { IngestLog, type Received } from "@launch-registry/indexer/inbox/IngestLog"
import { postgresLog } from "@launch-registry/indexer/inbox/PostgresLog"
import { joinBodies, type ReadBody, readBody } from "@launch-registry/indexer/inbox/ReadBody"
import { Indexer } from "@launch-registry/indexer/Indexer"
import { type Fence, leaseStatements } from "@launch-registry/indexer/leader/Lease"
import { Sink } from "@launch-registry/indexer/sink/Sink"
import * as Database from "@launch-registry/postgres/Database"
import { Effect, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { BenchAddress } from "../BenchDatabase.ts"
import type { Prepare } from "./Workload.ts"

/** Transactions per append, as in the inbox of webhooks. */
const GROUP_TRANSACTIONS = 1000
/** How far the log may be ahead of the tables. */
const AHEAD_TRANSACTIONS = 4_000
const LEASE_MILLIS = 600_000
const LOOK_MILLIS = 8

/** The log, the indexer and their dependencies, as the service composes them. */
const indexLayer = (address: BenchAddress) =>
  Indexer.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(postgresLog, Sink.layer)),
    Layer.provideMerge(Database.layer(address)),
  )

/** Leads for the duration of a run. */
const lead = Effect.gen(function* () {
  const fence = yield* leaseStatements(yield* SqlClient).acquire(INDEXER_LEASE, "bench", LEASE_MILLIS)
  return fence ?? (yield* Effect.die("another one leads"))
})

/** Groups as in the inbox; one body at a time, so that other work runs in between. */
const groupsOf = async function* (bodies: Iterable<Buffer>): AsyncGenerator<Received> {
  let group: Array<Buffer> = []
  let read: Array<ReadBody> = []
  let transactions = 0
  for (const body of bodies) {
    const one = readBody(body)
    read.push(one)
    group.push(body)
    transactions += one.elements.length
    await new Promise(setImmediate)
    if (transactions < GROUP_TRANSACTIONS) continue
    yield { source: "file", bodies: group, ...joinBodies(read) }
    group = []
    read = []
    transactions = 0
  }
  if (group.length > 0) yield { source: "file", bodies: group, ...joinBodies(read) }
}

/** Appends all bodies to the log, one group at a time, at most so far ahead of the indexer. */
const appendAll = (bodies: Iterable<Buffer>) =>
  Effect.gen(function* () {
    const log = yield* IngestLog
    const indexer = yield* Indexer
    const groups = groupsOf(bodies)
    let appended = 0
    const behind = Effect.map(indexer.progress, ({ transactions }) => appended - transactions)
    // Two at a time, as in the inbox: while one is committed, the next is read and compressed.
    const appender = Effect.gen(function* () {
      while (true) {
        while ((yield* behind) > AHEAD_TRANSACTIONS) yield* Effect.sleep(LOOK_MILLIS)
        const next = yield* Effect.promise(() => groups.next())
        if (next.done === true) return
        const { fresh } = yield* log.append(next.value)
        appended += fresh
      }
    })
    yield* Effect.all([appender, appender], { concurrency: 2, discard: true })
    while ((yield* behind) > 0) yield* Effect.sleep(LOOK_MILLIS)
  })

/** The whole path of production: received transactions go to the log, and a follower derives every table from it. */
const ingestAll = (bodies: Iterable<Buffer>, fence: Fence) =>
  Effect.gen(function* () {
    const indexer = yield* Indexer
    yield* Effect.forkScoped(indexer.follow(fence))
    yield* appendAll(bodies)
  }).pipe(Effect.scoped)

export const ours: Prepare = async (bodies, address) => {
  const runtime = ManagedRuntime.make(indexLayer(address))
  const fence = await runtime.runPromise(lead)
  return () => runtime.runPromise(ingestAll(bodies, fence))
}
