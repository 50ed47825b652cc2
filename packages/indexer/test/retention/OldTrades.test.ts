import { assert, describe, it } from "@effect/vitest"
import { firstOrdinalOf } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { oldTrades } from "../../src/retention/OldTrades.ts"
import type { LogEntry } from "../../src/inbox/IngestLog.ts"
import { Sink } from "../../src/sink/Sink.ts"
import { fold, lead, receiveTransactions, testIndex } from "../TestIndex.ts"
import { whileRead } from "./ReadersOf.ts"
import { blocks, FIRST } from "./TwoHours.ts"

/** An index that has the whole chain. */
const filled = Effect.gen(function* () {
  const fence = yield* lead
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

const deleteBetween = (from: number, to: number) =>
  Effect.flatMap(SqlClient, (sql) =>
    oldTrades(sql).deleteTrades(firstOrdinalOf(BigInt(from)), firstOrdinalOf(BigInt(to))),
  )

describe("Deleting old trades", () => {
  it.live("leaves each pool its newest one, and those of the slot of creation; no reader misses any of them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* filled
      yield* sql`create table every_trade as select * from trades`
      const counts = [(yield* placesOf).length]
      for (let slot = FIRST; slot < FIRST + 30; slot += 5) {
        const { result, seen } = yield* whileRead(deleteBetween(slot, slot + 5))
        assert.instanceOf(result, Date)
        const places = yield* placesOf
        assert.deepStrictEqual(places, yield* staysBelow(BigInt(slot + 5)))
        counts.push(places.length)
        for (const { bare, trades } of seen) {
          assert.strictEqual(bare, 0)
          assert.include(counts.slice(-2), trades)
        }
      }
      assert.isBelow(counts.at(-1)!, counts[0]! / 2)
      // Facts of these slots may still be reverted, or arrive.
      yield* sql`insert into trades select * from every_trade on conflict do nothing`
      assert.lengthOf(yield* placesOf, counts[0]!)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("reads few trades of other slots, however many there are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`
        insert into trades (ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
          next_sqrt_price, block_time)
        select n::bigint << 32, 'other' || n, 'p' || n % 50, 'm' || n % 50, 'q', 't', 'BUY', 1, 1, 0, 1, to_timestamp(n)
        from generate_series(1, 60000) n`
      yield* sql`analyze trades`
      const scanned = sql<{ count: number }>`
        select seq_tup_read::integer as count from pg_stat_user_tables where relname = 'trades'`
      const [before] = yield* scanned
      yield* Effect.andThen(sql`select pg_stat_force_next_flush()`, deleteBetween(1, 1_000)).pipe(sql.withTransaction)
      const [after] = yield* scanned
      assert.strictEqual(after!.count, before!.count)
      assert.lengthOf(yield* placesOf, 60_000 - 999 + 50)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("leaves the candles of hours as they are, also when a trade that stayed is reverted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const sink = yield* Sink
      const fence = yield* filled
      const candles = (minutes: boolean) => sql<{ readonly bucket: Date }>`
        select * from candles where (seconds = 60) = ${minutes}::boolean order by base_mint, seconds, bucket`
      const [longer, minutes] = [yield* candles(false), yield* candles(true)]
      yield* deleteBetween(FIRST, FIRST + 15)
      const before = new Date(1_795_003_200_000)
      yield* oldTrades(sql).deleteMinutes(before)
      const rest = minutes.filter(({ bucket }) => bucket >= before)
      assert.isBelow(rest.length, minutes.length)
      assert.isAbove(rest.length, 0)
      assert.deepStrictEqual(yield* candles(true), rest)
      yield* oldTrades(sql).deleteMinutes(new Date(1_795_006_800_000))
      const [entry] = yield* sql<LogEntry>`
        select i.log_offset, i.position, i.slot, i.signature from trades t
        join inbox_transactions i on i.slot = t.ordinal >> 32 and i.signature = t.signature order by t.ordinal limit 1`
      yield* sink.drop([entry!], "test", fence)
      assert.lengthOf(yield* sql`select from trades where signature = ${entry!.signature}`, 0)
      assert.deepStrictEqual(yield* candles(true), [])
      assert.deepStrictEqual(yield* candles(false), longer)
    }).pipe(Effect.provide(testIndex)),
  )
})
