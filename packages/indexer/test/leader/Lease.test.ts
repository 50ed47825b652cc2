import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Reconciler } from "../../src/finality/Reconciler.ts"
import { IngestLog } from "../../src/inbox/IngestLog.ts"
import { leaseStatements } from "../../src/leader/Lease.ts"
import { PreparedBatch } from "../../src/sink/PreparedBatch.ts"
import { Sink } from "../../src/sink/Sink.ts"
import { blocks, covered, LAST, ORIGIN, reconciledIndex, transactions } from "../finality/ReconciledIndex.ts"
import { standInCluster } from "../StandInCluster.ts"
import { digest, fold, receiveTransactions, testIndex } from "../TestIndex.ts"

const NAME = "indexer"
const LONG_MILLIS = 60_000
/** An expired lease: its leader has not renewed it for a second. */
const OVER_MILLIS = -1_000

const leases = Effect.map(SqlClient, leaseStatements)

describe("A lease", () => {
  it.live("has one holder until it is released or expires; the next holder has a higher token", () =>
    Effect.gen(function* () {
      const lease = yield* leases
      const first = (yield* lease.acquire(NAME, "first", LONG_MILLIS))!
      assert.isUndefined(yield* lease.acquire(NAME, "second", LONG_MILLIS))
      yield* lease.renew(first, LONG_MILLIS)
      assert.isUndefined(yield* lease.acquire(NAME, "first", LONG_MILLIS))
      assert.isDefined(yield* lease.acquire("another", "second", LONG_MILLIS))

      yield* lease.release(first)
      // A renewal that was in flight comes too late.
      yield* lease.renew(first, LONG_MILLIS)
      const second = (yield* lease.acquire(NAME, "second", OVER_MILLIS))!
      assert.isTrue(second.token > first.token)
      const third = (yield* lease.acquire(NAME, "third", LONG_MILLIS))!
      assert.isTrue(third.token > second.token)

      for (const past of [first, second]) {
        assert.strictEqual((yield* Effect.flip(lease.renew(past, LONG_MILLIS)))._tag, "LeaseLost")
        assert.strictEqual((yield* Effect.flip(lease.hold(past)))._tag, "LeaseLost")
        yield* lease.release(past)
      }
      assert.isUndefined(yield* lease.acquire(NAME, "fourth", LONG_MILLIS))
      yield* lease.hold(third)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("that has expired can be renewed by its holder until another process takes it", () =>
    Effect.gen(function* () {
      const lease = yield* leases
      const fence = (yield* lease.acquire(NAME, "first", OVER_MILLIS))!
      yield* lease.renew(fence, LONG_MILLIS)
      assert.isUndefined(yield* lease.acquire(NAME, "second", LONG_MILLIS))
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("cannot be taken over while its leader writes; candidates and renewals do not wait for that", () =>
    Effect.gen(function* () {
      const lease = yield* leases
      const sql = yield* SqlClient
      const fence = (yield* lease.acquire(NAME, "first", OVER_MILLIS))!
      const [isWriting, mayEnd] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
      const write = Effect.gen(function* () {
        yield* lease.hold(fence)
        // The timeout that ends its transaction when it stalls.
        const [idle] = yield* sql`select current_setting('idle_in_transaction_session_timeout') as most`
        assert.deepStrictEqual(idle, { most: "10s" })
        yield* Deferred.succeed(isWriting, undefined)
        yield* Deferred.await(mayEnd)
      }).pipe(sql.withTransaction)
      const writing = yield* Effect.forkScoped(write)
      yield* Deferred.await(isWriting)
      yield* lease.renew(fence, OVER_MILLIS)
      assert.isUndefined(yield* lease.acquire(NAME, "second", LONG_MILLIS))
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(writing)
      assert.isTrue((yield* lease.acquire(NAME, "second", LONG_MILLIS))!.token > fence.token)
    }).pipe(Effect.scoped, Effect.provide(testIndex)),
  )

  it.live("goes to one of many concurrent candidates", () =>
    Effect.gen(function* () {
      const lease = yield* leases
      for (const isOver of [false, true]) {
        if (isOver) yield* lease.release((yield* lease.acquire(NAME, "first", OVER_MILLIS))!)
        const found = yield* Effect.forEach(
          Array.from({ length: 100 }, (_, index) => `holder ${index}`),
          (holder) => lease.acquire(isOver ? NAME : "another", holder, LONG_MILLIS),
          { concurrency: "unbounded" },
        )
        assert.lengthOf(
          found.filter((fence) => fence !== undefined),
          1,
        )
      }
    }).pipe(Effect.provide(testIndex)),
  )
})

describe("A leader that was replaced while it stalled", () => {
  it.live("writes nothing and reverts nothing", () =>
    Effect.gen(function* () {
      const lease = yield* leases
      const log = yield* IngestLog
      const sink = yield* Sink
      const stalled = (yield* lease.acquire(NAME, "stalled", OVER_MILLIS))!
      yield* receiveTransactions(transactions.slice(0, 60))
      yield* fold(stalled)
      const cursor = yield* sink.cursor
      yield* receiveTransactions(transactions)
      const batch = yield* PreparedBatch.of(yield* log.readAfter(cursor, 1_000))

      const fence = (yield* lease.acquire(NAME, "next", LONG_MILLIS))!
      const before = yield* digest
      assert.strictEqual((yield* Effect.flip(sink.write(batch, cursor, stalled)))._tag, "LeaseLost")
      assert.strictEqual((yield* Effect.flip(sink.drop([batch.entry(0)], "test", stalled)))._tag, "LeaseLost")
      assert.deepStrictEqual(yield* digest, before)
      assert.strictEqual(yield* sink.cursor, cursor)
      // The next leader does its work, and then there is nothing left to do.
      yield* sink.write(batch, cursor, fence)
      assert.strictEqual((yield* Effect.flip(sink.write(batch, cursor, fence)))._tag, "CursorMoved")
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("proves nothing", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const lease = yield* leases
        const reconciler = yield* Reconciler
        const stalled = (yield* lease.acquire(NAME, "stalled", OVER_MILLIS))!
        yield* lease.acquire(NAME, "next", LONG_MILLIS)
        const interval = { fromSlot: BigInt(ORIGIN), toSlot: BigInt(LAST) }
        assert.strictEqual((yield* Effect.flip(reconciler.prove(interval, stalled)))._tag, "LeaseLost")
        assert.deepStrictEqual(yield* covered, [])
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )
})
