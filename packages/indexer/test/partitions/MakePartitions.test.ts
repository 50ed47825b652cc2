import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makePartitions } from "../../src/partitions/MakePartitions.ts"
import { MINUTES } from "../../src/partitions/PartitionedRange.ts"
import { digest, fold, lead, receiveTransactions, testIndex } from "../TestIndex.ts"
import { beginKeeping, blocks, cut, FIRST, liveBounds, liveTree, provenTo, rowsOf } from "./PartitionedIndex.ts"

/** A day as long as no pace was measured. */
const WIDTH = 432_000
const START = FIRST - (FIRST % WIDTH)

const receiveAll = Effect.forEach(blocks, ({ transactions }) => receiveTransactions(transactions), { discard: true })

describe("Partitions ahead", () => {
  it.live("are made from where the chain is, once that is known; what was received before moves into them", () =>
    Effect.gen(function* () {
      const fence = yield* lead
      yield* beginKeeping(fence, 8)
      assert.deepStrictEqual(yield* liveBounds(), [0n])
      yield* receiveAll
      yield* fold(fence)
      const tables = yield* digest
      assert.deepStrictEqual(
        (yield* rowsOf("trades")).map(({ name }) => name),
        ["trades_ahead"],
      )
      yield* makePartitions(fence, 24n)
      // Nothing is proven, and what was received may be forged.
      assert.deepStrictEqual(yield* liveBounds(), [0n])
      yield* provenTo(FIRST + 3)
      assert.strictEqual(yield* makePartitions(fence, 24n), 4)
      assert.deepStrictEqual(
        yield* liveBounds(),
        [0, START, START + WIDTH, START + 2 * WIDTH, START + 3 * WIDTH].map(BigInt),
      )
      assert.deepStrictEqual(
        (yield* rowsOf("trades")).map(({ name }) => name),
        [`trades_${START}`],
      )
      assert.deepStrictEqual(yield* digest, tables)
      assert.strictEqual(yield* makePartitions(fence, 24n), 0)
      yield* provenTo(START + WIDTH)
      assert.strictEqual(yield* makePartitions(fence, 24n), 0)
      yield* provenTo(START + WIDTH + 1)
      // The setting is gone: as wide as before.
      assert.strictEqual(yield* makePartitions(fence, undefined), 1)
      assert.strictEqual((yield* liveBounds()).at(-1), BigInt(START + 4 * WIDTH))
      // Of slots that the leader has measured, a day has as many as fit.
      const sql = yield* SqlClient
      yield* sql`insert into indexer_reports (name, report, reported_at) values ('leader', '{"slotMillis":250}', now())`
      yield* provenTo(START + 3 * WIDTH)
      assert.strictEqual(yield* makePartitions(fence, 24n), 1)
      assert.strictEqual((yield* liveBounds()).at(-1), BigInt(START + 4 * WIDTH + 345_600))
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("leave what claims to be of slots and times far ahead where it is, until the chain is there", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      yield* cut({
        trades: [0n, BigInt(FIRST), BigInt(FIRST + 5), BigInt(FIRST + 10)],
        minutes: [0n, 498_612n, 498_613n],
      })
      yield* receiveAll
      yield* fold(fence)
      const far = 2_000_000_000n
      yield* sql`
        insert into trades select (${far}::bigint << 32) + ordinal % 1000, signature, pool, base_mint, quote_mint, trader, side, base_amount,
          quote_amount, fee, next_sqrt_price, quote_reserve, block_time, venue from trades order by ordinal limit 3`
      yield* sql`
        insert into candles select base_mint, seconds, '2090-01-01', first_ordinal, last_ordinal, open, high, low, close, base_volume,
          quote_volume, trades from candles where seconds = 60 limit 3`
      const tables = yield* digest
      yield* provenTo(FIRST + 20)
      assert.isAbove(yield* makePartitions(fence, undefined), 4)
      const ahead = (table: string, name: string) =>
        Effect.map(rowsOf(table), (rows) => rows.find((one) => one.name === name)?.rows)
      const inAhead = Math.max(...(yield* liveBounds()).map(Number)) - FIRST
      assert.isAtLeast(inAhead, 30)
      const [{ count }] = (yield* sql<{ count: number }>`
        select count(*)::integer as count from trades where ordinal >> 32 >= ${FIRST + inAhead}`) as [{ count: number }]
      assert.isAbove(count, 3)
      assert.strictEqual(yield* ahead("trades", "trades_ahead"), count)
      assert.strictEqual(yield* ahead("candles", "candles_minutes_ahead"), 3)
      assert.isAbove((yield* liveBounds(MINUTES)).length, 3)
      yield* provenTo(FIRST + 40)
      yield* makePartitions(fence, undefined)
      assert.strictEqual(yield* ahead("trades", "trades_ahead"), 3)
      assert.deepStrictEqual(yield* digest, tables)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("are none where nothing is partitioned", () =>
    Effect.gen(function* () {
      const fence = yield* lead
      yield* provenTo(FIRST)
      assert.strictEqual(yield* makePartitions(fence, 24n), 0)
      assert.deepStrictEqual(yield* liveTree, [])
    }).pipe(Effect.provide(testIndex)),
  )
})
