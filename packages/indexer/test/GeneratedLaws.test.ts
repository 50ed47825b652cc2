import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { seeds } from "../../../scripts/Laws.ts"
import { deliver } from "../fixtures/DeliverTransactions.ts"
import { forkOf } from "../fixtures/ForkBlock.ts"
import { generateChain } from "../fixtures/GenerateTransactions.ts"
import { replay } from "../src/replay/Rebuild.ts"
import { Sink } from "../src/sink/Sink.ts"
import { wrongCandles } from "./CandlesOfTrades.ts"
import { digest, dropAbove, fold, forget, lead, receive, testIndex } from "./TestIndex.ts"

const { blocks, truth } = generateChain({ seed: 20261121, slots: 60, transactionsPerSlot: 8, isLarge: false })
type Counts = Readonly<Record<string, number>>

const bodiesOf = (some: typeof blocks) => some.map(({ transactions }) => JSON.stringify(transactions))

describe("Indexing a generated chain", () => {
  it.live("gives the generator's model", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* receive(bodiesOf(blocks))
      yield* fold(yield* lead)
      const trades = yield* sql<Record<string, unknown>>`
        select ordinal >> 32 as slot, signature, venue, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
          next_sqrt_price, quote_reserve, extract(epoch from block_time)::integer as block_time
        from trades order by ordinal`
      const wanted = truth.trades.map((trade) => ({
        slot: trade.slot,
        signature: trade.signature,
        venue: trade.venue,
        pool: trade.pool,
        baseMint: trade.baseMint,
        quoteMint: trade.quoteMint,
        trader: trade.trader,
        side: trade.side,
        baseAmount: String(trade.baseAmount),
        quoteAmount: String(trade.quoteAmount),
        fee: String(trade.fee),
        nextSqrtPrice: String(trade.nextSqrtPrice),
        quoteReserve: trade.quoteReserve === undefined ? null : String(trade.quoteReserve),
        blockTime: trade.blockTime,
      }))
      assert.deepStrictEqual(trades, wanted as never)
      assert.isAbove(truth.trades.filter(({ venue }) => venue === "damm_v2").length, 30)
      const pools = yield* sql<{ pool: string; supply: string; decimals: number; migratedPool: string | null }>`
        select pool, supply, decimals, migrated_pool, completed_slot from dbc_pools`
      assert.strictEqual(pools.length, truth.pools.length)
      for (const pool of truth.pools)
        assert.deepInclude(
          pools.find((one) => one.pool === pool.pool),
          { supply: String(pool.supply), decimals: pool.decimals },
        )
      assert.strictEqual(pools.filter(({ migratedPool }) => migratedPool !== null).length, truth.migrations.length)
      const [counts] = yield* sql<Counts>`
        select (select count(*)::integer from dbc_configs) as configs, (select count(*)::integer from dead_letters) as letters`
      assert.deepStrictEqual(counts, { configs: truth.configs.length, letters: 0 })
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("gives candles that agree with the trades", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* receive(bodiesOf(blocks))
      yield* fold(yield* lead)
      assert.deepStrictEqual(yield* wrongCandles, [])
      const [counts] = yield* sql<Counts>`select count(*)::integer as count from candles`
      assert.isAbove(counts!.count!, 30)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("gives the same tables for any repetition, order and grouping; unreadable elements are noted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      yield* receive(bodiesOf(blocks))
      yield* fold(fence)
      const clean = yield* digest
      for (const seed of seeds(4, 40)) {
        yield* forget
        const faults = { seed, duplicateShare: 0.3, shuffleWindow: 200, poisonShare: 0.05, batchMax: 1 + seed * 5 }
        const { bodies, meaningless, undecodable, unreadable } = deliver(blocks, faults)
        const middle = Math.floor(bodies.length / seed / 2)
        yield* receive(bodies.slice(0, middle))
        yield* fold(fence)
        yield* receive(bodies.slice(middle))
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, clean, `seed ${seed}`)
        const [counts] = yield* sql<Counts>`
          select (select count(*)::integer from dead_letters) as letters, (select count(*)::integer from inbox_poison) as poison`
        const apart = counts!.letters! + counts!.poison!
        // Equal unreadable elements are stored once.
        assert.isAtLeast(apart, undecodable.length)
        assert.isAtMost(apart, undecodable.length + unreadable.length + meaningless.length)
        yield* replay(fence)
        assert.deepStrictEqual(yield* digest, clean, `replay of seed ${seed}`)
      }
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("removes forks: a dropped transaction leaves no trace, also where a real one took its place", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const sink = yield* Sink
      const fence = yield* lead
      yield* receive(bodiesOf(blocks))
      yield* fold(fence)
      const clean = yield* digest
      yield* forget
      const forked = blocks.map((block, index) => (index % 7 === 3 ? forkOf(block, index).block : block))
      yield* receive(bodiesOf(forked))
      yield* fold(fence)
      assert.notDeepEqual(yield* digest, clean)
      const real = new Set(
        blocks.flatMap(({ transactions }) => transactions.map(({ transaction }) => transaction.signatures[0])),
      )
      const entries = yield* sql<{ logOffset: bigint; position: number; slot: bigint; signature: string }>`
        select log_offset, position, slot, signature from inbox_transactions`
      // The real blocks arrive before the fork is reverted, so both exist for a while.
      yield* receive(bodiesOf(blocks))
      yield* fold(fence)
      yield* sink.drop(
        entries.filter(({ signature }) => !real.has(signature)),
        "of a dropped fork",
        fence,
      )
      assert.deepStrictEqual(yield* digest, clean)
      yield* replay(fence)
      assert.deepStrictEqual(yield* digest, clean)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("gives the same tables after undo to random slots and redelivery", () =>
    Effect.gen(function* () {
      const fence = yield* lead
      const until = (slot: number) => blocks.filter((block) => block.slot <= slot)
      yield* receive(bodiesOf(blocks))
      yield* fold(fence)
      const clean = yield* digest
      for (const index of [5, 17, 31, 44, 58]) {
        const { slot } = blocks[index]!
        yield* dropAbove(BigInt(slot), fence)
        const undone = yield* digest
        yield* receive(bodiesOf(blocks))
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, clean, `again after slot ${slot}`)
        yield* forget
        yield* receive(bodiesOf(until(slot)))
        yield* fold(fence)
        assert.deepStrictEqual(undone, yield* digest, `undone to slot ${slot}`)
        yield* receive(bodiesOf(blocks))
        yield* fold(fence)
      }
    }).pipe(Effect.provide(testIndex)),
  )
})
