import { assert } from "@effect/vitest"
import type { DbcEvent } from "@launch-registry/chain/transactions/DbcEvent"
import { decodeTransaction } from "@launch-registry/chain/events/DecodeTransaction"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import type { Venue } from "@launch-registry/domain/pools/Venue"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Graduation } from "../fixtures/Graduation.ts"
import { replay } from "../src/replay/Rebuild.ts"
import { Sink } from "../src/sink/Sink.ts"
import { wrongCandles } from "./CandlesOfTrades.ts"
import { digest, fold, forget, lead, receiveTransactions } from "./TestIndex.ts"

/** A swap of a transaction. */
export type Swap = Extract<DbcEvent, { readonly type: "Swapped" }>

/** The swaps of a transaction, in order. */
export const swapsOf = (transaction: RawTransaction): ReadonlyArray<Swap> =>
  decodeTransaction(transaction).filter((event): event is Swap => event.type === "Swapped")

/** What the swaps did to the trader's accounts. */
export const filledBy = (swaps: ReadonlyArray<Swap>) => {
  let [base, quote] = [0n, 0n]
  for (const { amountIn, amountOut, side } of swaps) {
    base += side === "BUY" ? amountOut : -amountIn
    quote += side === "BUY" ? -amountIn : amountOut
  }
  return { base: String(base), quote: String(quote), sqrtPrice: String(swaps.at(-1)!.nextSqrtPrice) }
}

/** The same transaction with another address in its place. */
export const replaced = <A>(value: A, address: string, other: string): A =>
  JSON.parse(JSON.stringify(value).replaceAll(address, other)) as A

/** What was sent to the AMM pool. */
export const afterMigration = ({ steps }: Graduation) => steps.filter(({ filled }) => filled !== null)

/** Every trade is in the tables, and the candles go on over both venues. */
export const assertIndexed = (graduation: Graduation, venue: Venue) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const fence = yield* lead
    yield* receiveTransactions(graduation.steps)
    yield* fold(fence)
    const clean = yield* digest
    const rows = yield* sql<{ signature: string; venue: string; pool: string }>`
      select signature, venue, pool, side, base_amount, quote_amount from trades order by ordinal`
    const wanted = graduation.steps.flatMap((step) =>
      swapsOf(step).map(({ amountIn, amountOut, pool, side, venue }) => {
        const [base, quote] = side === "BUY" ? [amountOut, amountIn] : [amountIn, amountOut]
        const signature = step.transaction.signatures[0]!
        return { signature, venue, pool, side, baseAmount: String(base), quoteAmount: String(quote) }
      }),
    )
    assert.deepStrictEqual(rows as unknown, wanted)
    assert.sameMembers([...new Set(rows.map(({ venue }) => venue))], ["dbc", venue])
    assert.deepStrictEqual(yield* wrongCandles, [])
    const [life] = yield* sql<{ trades: bigint; close: string; mints: number }>`
      select trades, close, (select count(distinct base_mint)::integer from candles) as mints
      from candles where seconds = 0 and base_mint = ${graduation.baseMint}`
    const close = String(graduation.steps.flatMap(swapsOf).at(-1)!.nextSqrtPrice)
    assert.deepStrictEqual(life, { trades: BigInt(wanted.length), close, mints: 1 })

    // Received before the migration that made their pool, and before the launch.
    yield* forget
    yield* receiveTransactions(afterMigration(graduation))
    yield* fold(fence)
    yield* receiveTransactions(graduation.steps.toReversed())
    yield* fold(fence)
    assert.deepStrictEqual(yield* digest, clean)
    yield* replay(fence)
    assert.deepStrictEqual(yield* digest, clean)

    // Dropped and delivered again, as after a fork.
    const entries = yield* sql<{ logOffset: bigint; position: number; slot: bigint; signature: string }>`
      select log_offset, position, slot, signature from inbox_transactions
      where signature = any(${afterMigration(graduation).map(({ transaction }) => transaction.signatures[0]!)}::text[])`
    yield* (yield* Sink).drop(entries, "of a dropped fork", fence)
    assert.deepStrictEqual(yield* sql`select venue from trades where venue <> 'dbc'`, [])
    assert.deepStrictEqual(yield* wrongCandles, [])
    yield* receiveTransactions(graduation.steps)
    yield* fold(fence)
    assert.deepStrictEqual(yield* digest, clean)
  })
