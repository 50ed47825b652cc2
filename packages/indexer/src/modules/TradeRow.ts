import type { TradeSide } from "@launch-registry/domain/launch/PoolTrade"
import type { Venue } from "@launch-registry/domain/launch/Venue"

/** A row of `trades`; amounts in smallest units. */
export interface TradeRow {
  /** Place in the chain; with the signature, the identity of the trade. */
  readonly ordinal: bigint
  readonly signature: string
  readonly venue: Venue
  /** Account of the venue's program. */
  readonly pool: string
  readonly baseMint: string
  readonly quoteMint: string
  readonly trader: string
  readonly side: TradeSide
  readonly baseAmount: bigint
  readonly quoteAmount: bigint
  readonly fee: bigint
  /** Q64.64, after the trade. */
  readonly nextSqrtPrice: bigint
  /** What the pool holds of the quote token afterwards; null for swaps of old programs, which do not say. */
  readonly quoteReserve: bigint | null
  /** Seconds since 1970. */
  readonly blockTime: number
}
