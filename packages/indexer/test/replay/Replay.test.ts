import { assert, describe, it } from "@effect/vitest"
import { describeSchema } from "@launch-registry/migrations/DescribeSchema"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isSameDigest } from "../../src/replay/Digest.ts"
import { replay } from "../../src/replay/Rebuild.ts"
import { capturedTransactions } from "../../src/sources/CapturedTransactions.ts"
import { digest, dropAbove, fold, lead, receiveTransactions, testIndex } from "../TestIndex.ts"

describe("A replay", () => {
  it.live("derives the live tables again, in tables of the same schema, and continues from there", () =>
    Effect.gen(function* () {
      const fence = yield* lead
      const schema = yield* describeSchema
      yield* receiveTransactions(capturedTransactions.slice(0, 20))
      yield* fold(fence)
      const before = yield* digest
      const { live, rebuilt, transactions } = yield* replay(fence)
      assert.strictEqual(transactions, 20)
      assert.isTrue(isSameDigest(live, rebuilt))
      assert.deepStrictEqual(yield* digest, before)
      assert.strictEqual(yield* describeSchema, schema)
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      assert.notDeepEqual(yield* digest, before)
      yield* replay(fence)
      assert.strictEqual(yield* describeSchema, schema)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("repairs tables that were tampered with, and reports it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      const before = yield* digest
      yield* sql`update trades set fee = fee + 1 where ordinal = (select max(ordinal) from trades)`
      const { live, rebuilt } = yield* replay(fence)
      assert.isFalse(isSameDigest(live, rebuilt))
      assert.deepStrictEqual(yield* digest, before)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("switches tables under concurrent readers, and makes followers start over", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      const before = yield* digest
      let isDone = false
      const reader = Effect.gen(function* () {
        let reads = 0
        while (!isDone) {
          yield* sql`
            select count(*), pg_sleep(0.01) from dbc_pools p left join dbc_configs c on c.config = p.config
              left join dbc_events e on e.pool = p.pool left join trades t on t.pool = p.pool`
          reads++
        }
        return reads
      })
      const readers = yield* Effect.forEach([1, 2, 3, 4], () => Effect.forkChild(reader))
      yield* replay(fence)
      isDone = true
      const reads = yield* Effect.forEach(readers, Fiber.join)
      assert.isTrue(reads.every((count) => count > 0))
      assert.deepStrictEqual(yield* digest, before)
      const ids = yield* sql<{ id: bigint }>`select id from index_changes order by id`
      assert.isTrue(ids.some(({ id }, index) => index > 0 && id > ids[index - 1]!.id + 1n))
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("finds reverted trades slot by slot, without a scan of the whole table", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      yield* sql`
        insert into trades (ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
          next_sqrt_price, block_time)
        select n::bigint << 32, 'other' || n, 'p', 'm' || n % 50, 'q', 't', 'BUY', 1, 1, 0, 1, to_timestamp(n)
        from generate_series(1, 60000) n`
      yield* sql`analyze trades`
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      /** Rows of `trades` that `work` scanned; PostgreSQL reports them at the end of the transaction. */
      const scannedBy = <E, R>(work: Effect.Effect<unknown, E, R>) =>
        Effect.gen(function* () {
          const scanned = sql<{ count: number }>`
            select seq_tup_read::integer as count from pg_stat_user_tables where relname = 'trades'`
          const [before] = yield* scanned
          yield* Effect.andThen(sql`select pg_stat_force_next_flush()`, work).pipe(sql.withTransaction)
          const [after] = yield* scanned
          return after!.count - before!.count
        })
      assert.isAtLeast(yield* scannedBy(sql`select count(*) from trades where pool = 'nobody'`), 60_000)
      assert.strictEqual(yield* scannedBy(dropAbove(299_999_999n, fence)), 0)
    }).pipe(Effect.provide(testIndex)),
  )
})
