import type { PoolTrade, TradeSide, TradeUsd } from "@launch-registry/domain/pools/PoolTrade"
import type { Venue } from "@launch-registry/domain/pools/Venue"
import type { Address } from "@launch-registry/domain/solana/Address"
import { timestampOf } from "@launch-registry/domain/time/Timestamp"
import { bigintPart, cursorOf, signaturePart } from "@launch-registry/http/answers/Cursor"
import { isFolded } from "@launch-registry/migrations/FoldedCoverage"
import { ORDINAL_MAX, SLOT_SHIFT } from "@launch-registry/domain/solana/Ordinal"

/** Position of a trade in a list: by ordinal, then by signature. */
export interface TradePosition {
  readonly ordinal: bigint
  readonly signature: string
}

/** Cursors of lists of trades. */
export const tradesOf = cursorOf<TradePosition>({ ordinal: bigintPart(ORDINAL_MAX), signature: signaturePart })

/** A row of `trades`, or of history. */
export interface ListedTrade extends TradePosition {
  readonly slot: bigint
  readonly blockTime: Date
  readonly trader: Address
  readonly side: TradeSide
  readonly venue: Venue
  readonly baseAmount: string
  readonly quoteAmount: string
  readonly fee: string
  readonly nextSqrtPrice: string
  readonly isFinalized: boolean
  readonly baseMint: Address
  readonly quoteMint: Address
  readonly pool: Address
}

/** A page of trades, newest first; more may follow after `end`. */
export interface TradesFound {
  readonly rows: ReadonlyArray<ListedTrade>
  readonly end: TradePosition | undefined
}

const SLOT = `(t.ordinal >> ${SLOT_SHIFT})`

/** Whether the slot of `t` is in the range of a coverage that begins last before it. */
const isProvenBy = (ranges: string) => `coalesce((
    select c.to_slot >= ${SLOT} and ${isFolded("c")} from ${ranges} c.from_slot <= ${SLOT} order by c.from_slot desc limit 1
  ), false)`

/**
 * Place, time and finality of a trade or a claim, with table alias `t`. A slot counts as proven once everything that the proof covers is
 * folded: on a curve by the program's proof, on a migrated pool by that of the pool.
 */
export const FINALITY_COLUMNS = `t.ordinal, t.signature, ${SLOT} as slot, t.block_time, case when t.venue = 'dbc' then
  ${isProvenBy("coverage c where c.pool = '' and")}
  else ${isProvenBy("coverage c where c.pool = t.pool and")} end as is_finalized`

/** Columns of a trade, with table alias `t`. */
export const TRADE_COLUMNS = `${FINALITY_COLUMNS}, t.trader, t.side, t.venue, t.base_amount, t.quote_amount, t.fee,
  t.next_sqrt_price`

/** All but the prices, which take the decimals of the tokens. */
export const toTrade = (row: ListedTrade): Omit<PoolTrade, "price" | keyof TradeUsd> => ({
  signature: row.signature,
  slot: String(row.slot),
  time: timestampOf(row.blockTime),
  trader: row.trader,
  side: row.side,
  venue: row.venue,
  baseAmount: row.baseAmount,
  quoteAmount: row.quoteAmount,
  fee: row.fee,
  finality: row.isFinalized ? "finalized" : "confirmed",
})
