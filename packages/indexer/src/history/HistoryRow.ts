import type { Venue } from "@launch-registry/domain/launch/Venue"
import type { TradeSide } from "@launch-registry/domain/launch/PoolTrade"

/** Names a trade, in the order of both tables of history. */
export interface TradeKey {
  readonly ordinal: bigint
  readonly signature: string
  readonly baseMint: string
  readonly trader: string
}

/** A row of `trades` in PostgreSQL. Amounts are decimal strings. */
export interface StoredTrade extends TradeKey {
  readonly pool: string
  readonly quoteMint: string
  readonly side: TradeSide
  readonly baseAmount: string
  readonly quoteAmount: string
  readonly fee: string
  readonly nextSqrtPrice: string
  readonly quoteReserve: string | null
  readonly blockTime: Date
  readonly venue: Venue
}

const MILLIS_PER_SECOND = 1_000

/** A trade in the order of `TRADE_COLUMNS`, as it is sent. Of versions of a trade, history shows the highest. */
export const historyRow = (trade: StoredTrade, version: bigint): ReadonlyArray<unknown> => [
  ...[String(trade.ordinal), trade.signature, trade.pool, trade.baseMint, trade.quoteMint, trade.trader, trade.side],
  ...[trade.baseAmount, trade.quoteAmount, trade.fee, trade.nextSqrtPrice, trade.quoteReserve],
  ...[trade.blockTime.getTime() / MILLIS_PER_SECOND, trade.venue, String(version), 0],
]

/** Takes a trade back. */
export const deletedRow = (
  { baseMint, ordinal, signature, trader }: TradeKey,
  version: bigint,
): ReadonlyArray<unknown> => [
  ...[String(ordinal), signature, "", baseMint, "", trader, "BUY", "0", "0", "0", "0", null, 0, "", String(version), 1],
]

/** A token in history: what trades are added up by. */
export interface TokenRow {
  readonly baseMint: string
  readonly pool: string
  readonly config: string
  readonly creator: string
  readonly quoteMint: string
  /** Empty while it is not registered. */
  readonly launchpad: string
}

/** In the order of `TOKEN_COLUMNS`. */
export const tokenRow = (token: TokenRow, version: bigint): ReadonlyArray<unknown> => [
  ...[token.baseMint, token.pool, token.config, token.creator, token.quoteMint, token.launchpad, String(version)],
]
