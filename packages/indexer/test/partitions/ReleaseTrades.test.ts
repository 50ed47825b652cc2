import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fence } from "../../src/leader/Lease.ts"
import { leaseStatements } from "../../src/leader/Lease.ts"
import { untilUnlocked } from "../../src/partitions/BriefLock.ts"
import { hourOf, MINUTES } from "../../src/partitions/PartitionedRange.ts"
import { releaseMinutes } from "../../src/partitions/ReleaseMinutes.ts"
import { oldestTrades, prepareRelease, releaseOldestTrades } from "../../src/partitions/ReleaseTrades.ts"
import { replay } from "../../src/replay/Rebuild.ts"
import type { LogEntry } from "../../src/sink/InboxStatements.ts"
import { Sink } from "../../src/sink/Sink.ts"
import { stopAfter } from "../replay/StoppedReplay.ts"
import { fold, lead, receiveTransactions, testIndex } from "../TestIndex.ts"
import { blocks, cut, FIRST, liveBounds, SMALL } from "./PartitionedIndex.ts"
import { whileRead } from "./ReadersOf.ts"

/** An index in small partitions that has the whole chain. */
const filled = Effect.gen(function* () {
  const fence = yield* lead
  yield* cut()
  for (const { transactions } of blocks) yield* receiveTransactions(transactions)
  yield* fold(fence)
  return fence
})

interface Place {
  readonly ordinal: bigint
  readonly signature: string
}

const placesOf = Effect.flatMap(SqlClient, (sql) => sql<Place>`select ordinal, signature from trades order by ordinal`)

/** What stays of trades below a slot, by the definition: found in the trades of all. */
const staysBelow = (slot: bigint) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<Place>`
      select ordinal, signature from every_trade t
      where ordinal >= ${slot}::bigint << 32
        or not exists (select from every_trade l where l.pool = t.pool and l.ordinal > t.ordinal and l.ordinal < ${slot}::bigint << 32)
        or exists (select from dbc_pools p where p.pool = t.pool and p.created_slot = t.ordinal >> 32)
      order by ordinal`,
  )

const release = (fence: Fence, isPrepared: boolean) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const oldest = (yield* oldestTrades(sql))!
    const prepared = isPrepared ? yield* prepareRelease(sql, oldest) : undefined
    yield* untilUnlocked(
      Effect.andThen(leaseStatements(sql).hold(fence), releaseOldestTrades(sql, oldest, prepared)).pipe(
        sql.withTransaction,
      ),
    )
    return oldest.toSlot
  })

describe("Releasing trades", () => {
  it.live.each([true, false])(
    "leaves each pool its newest one, and those of the slot of creation; readers see all trades or those (prepared: %s)",
    (isPrepared) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* filled
        yield* sql`create table every_trade as select * from trades`
        const counts = [(yield* placesOf).length]
        for (const bound of SMALL.trades.slice(1)) {
          const { seen } = yield* whileRead(release(fence, isPrepared))
          assert.strictEqual((yield* liveBounds())[0], bound)
          const places = yield* placesOf
          assert.deepStrictEqual(places, yield* staysBelow(bound))
          counts.push(places.length)
          for (const { bare, trades } of seen) {
            assert.strictEqual(bare, 0)
            assert.include(counts.slice(-2), trades)
          }
          assert.strictEqual(seen.at(-1)!.trades, places.length)
        }
        assert.isBelow(counts.at(-1)!, counts[0]! / 2)
        assert.isUndefined(yield* oldestTrades(sql))
        // Facts of these slots may still be reverted, or arrive.
        yield* sql`insert into trades select * from every_trade on conflict do nothing`
        assert.lengthOf(yield* placesOf, counts[0]!)
      }).pipe(Effect.provide(testIndex)),
  )

  it.live("does not take what was prepared for another partition", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* filled
      yield* sql`create table every_trade as select * from trades`
      const oldest = (yield* oldestTrades(sql))!
      const early = yield* prepareRelease(sql, oldest)
      yield* release(fence, false)
      const next = (yield* oldestTrades(sql))!
      yield* prepareRelease(sql, next)
      yield* sql`delete from trades_kept`
      yield* sql.withTransaction(releaseOldestTrades(sql, next, early))
      assert.deepStrictEqual(yield* placesOf, yield* staysBelow(BigInt(FIRST + 15)))
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("fails within its time where a reader does not let go, and changes nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* filled
      const before = yield* placesOf
      const oldest = (yield* oldestTrades(sql))!
      const session = yield* sql.reserve
      yield* session.executeRaw("begin", [])
      yield* session.executeRaw("select count(*) from trades", [])
      const error = yield* Effect.flip(sql.withTransaction(releaseOldestTrades(sql, oldest)))
      assert.strictEqual(error.reason._tag, "LockTimeoutError")
      assert.deepStrictEqual(yield* placesOf, before)
      yield* session.executeRaw("rollback", [])
      yield* release(fence, true)
      assert.isBelow((yield* placesOf).length, before.length)
    }).pipe(Effect.scoped, Effect.provide(testIndex)),
  )

  it.live("waits while tables are derived again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* filled
      const oldest = yield* oldestTrades(sql)
      assert.deepInclude(oldest, { fromSlot: BigInt(FIRST + 5), toSlot: BigInt(FIRST + 10) })
      yield* Effect.flip(replay(fence, stopAfter(1), { batchTransactions: 20 }))
      assert.isUndefined(yield* oldestTrades(sql))
      assert.isUndefined(yield* sql.withTransaction(releaseMinutes(sql, new Date())))
      yield* replay(fence)
      assert.deepStrictEqual(yield* oldestTrades(sql), oldest)
    }).pipe(Effect.provide(testIndex)),
  )
})

describe("A revert of a trade that stayed after others were released", () => {
  it.live("leaves the candles of hours whose minutes were released as they are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const sink = yield* Sink
      const fence = yield* filled
      yield* release(fence, true)
      yield* sql.withTransaction(releaseMinutes(sql, new Date(Number(SMALL.minutes[2]) * 3_600_000)))
      const candles = sql`select * from candles order by base_mint, seconds, bucket`
      const before = yield* candles
      const [entry] = yield* sql<LogEntry>`
        select i.log_offset, i.position, i.slot, i.signature from trades t
        join inbox_transactions i on i.slot = t.ordinal >> 32 and i.signature = t.signature order by t.ordinal limit 1`
      yield* sink.drop([entry!], "test", fence)
      assert.lengthOf(yield* sql`select from trades where signature = ${entry!.signature}`, 0)
      assert.deepStrictEqual(yield* candles, before)
    }).pipe(Effect.provide(testIndex)),
  )
})

describe("Releasing minute candles", () => {
  it.live("drops whole partitions below a time, and no other candles", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* filled
      const others = sql`select * from candles where seconds <> 60 order by base_mint, seconds, bucket`
      const minutes = sql<{
        readonly bucket: Date
      }>`select bucket from candles where seconds = 60 order by bucket, base_mint`
      const [kept, whole] = [yield* others, yield* minutes]
      const [first, second, third] = SMALL.minutes as [bigint, bigint, bigint]
      const before = (hour: bigint, millis: number) =>
        sql.withTransaction(releaseMinutes(sql, new Date(Number(hour) * 3_600_000 + millis)))
      assert.isUndefined(yield* before(second, -1))
      assert.deepStrictEqual(yield* minutes, whole)
      const { result, seen } = yield* whileRead(before(second, 1_800_000))
      assert.strictEqual(hourOf(result!), second)
      assert.deepStrictEqual(yield* liveBounds(MINUTES), [second, third])
      const rest = whole.filter(({ bucket }) => hourOf(bucket) >= second)
      assert.isBelow(rest.length, whole.length)
      assert.isAbove(rest.length, 0)
      assert.deepStrictEqual(yield* minutes, rest)
      for (const { candles } of seen)
        assert.include(
          [whole.length, rest.length].map((count) => count + kept.length),
          candles,
        )
      assert.isUndefined(yield* before(second, 0))
      // One that is late after all is released with the next partition.
      yield* sql`
        insert into candles select base_mint, seconds, to_timestamp(${Number(first) * 3_600}::integer), first_ordinal, last_ordinal, open,
          high, low, close, base_volume, quote_volume, trades from candles where seconds = 60 limit 1`
      yield* before(third, 0)
      assert.deepStrictEqual(yield* minutes, [])
      assert.deepStrictEqual(yield* others, kept)
    }).pipe(Effect.provide(testIndex)),
  )
})
