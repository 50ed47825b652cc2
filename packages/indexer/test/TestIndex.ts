import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { appendTransactions, IngestLog, type LogEntry } from "../src/inbox/IngestLog.ts"
import { postgresLog } from "../src/inbox/PostgresLog.ts"
import { readBody } from "../src/inbox/ReadBody.ts"
import { Indexer } from "../src/Indexer.ts"
import { type Fence, leaseStatements } from "../src/leader/Lease.ts"
import { digestOf } from "../src/replay/Digest.ts"
import { Sink } from "../src/sink/Sink.ts"

/** The log, the sink and the indexer on a database of their own. */
export const testIndex = Indexer.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(postgresLog, Sink.layer)),
  Layer.provideMerge(TestDatabase.layer),
)

const TTL_MILLIS = 60_000

/** Leads for the duration of a test. */
export const lead: Effect.Effect<Fence, never, SqlClient> = Effect.gen(function* () {
  const lease = leaseStatements(yield* SqlClient)
  const fence = yield* lease.acquire("indexer", "test", TTL_MILLIS)
  return fence ?? (yield* Effect.die("another one leads"))
}).pipe(Effect.orDie)

/** Receives each body in an append of its own. */
export const receive = (bodies: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const log = yield* IngestLog
    for (const text of bodies) {
      const body = Buffer.from(text)
      yield* log.append({ source: "webhook", bodies: [body], ...readBody(body) })
    }
  })

export const receiveTransactions = (transactions: ReadonlyArray<unknown>) => appendTransactions("webhook", transactions)

/** Folds everything received. */
export const fold = (fence: Fence) => Effect.flatMap(Indexer, ({ catchUp }) => catchUp(fence))

/** Digests of all derived tables. */
export const digest = Effect.flatMap(SqlClient, (sql) => digestOf(sql))

/** Reverts every transaction above a slot. */
export const dropAbove = (slot: bigint, fence: Fence) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const sink = yield* Sink
    const entries = yield* sql<LogEntry>`
      select log_offset, position, slot, signature from inbox_transactions where slot > ${slot}`
    yield* sink.drop(entries, "undone", fence)
  })

/** Empties the index. */
export const forget = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    truncate inbox_segments, inbox_transactions, inbox_poison, inbox_dropped, dead_letters, trades, dbc_events, fee_claims,
      dbc_configs, dbc_pools, candles, index_changes, coverage, followed_pools`
  yield* sql`update indexer_progress set module_hash = null, is_rebuild_due = false, log_offset = 0, slot = null`
})
