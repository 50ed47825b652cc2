import { NATIVE_MINT } from "@launch-registry/chain/accounts/Programs"
import type { DbcEvent, PoolFact } from "@launch-registry/chain/transactions/DbcEvent"
import type { FeeKind } from "@launch-registry/domain/pools/PoolFees"
import type { TradeSide } from "@launch-registry/domain/pools/PoolTrade"
import type { Venue } from "@launch-registry/domain/pools/Venue"
import { ordinalOf } from "@launch-registry/domain/solana/Ordinal"

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

/** A row of `dbc_events`: whatever the program did besides swaps. */
export interface EventRow {
  readonly ordinal: bigint
  readonly signature: string
  readonly type: PoolFact["type"]
  readonly pool: string | null
  readonly config: string | null
  /** Everything the event says. */
  readonly facts: PoolFact
  /** Seconds since 1970. */
  readonly blockTime: number
}

/** A row of `fee_claims`; amounts in smallest units. */
export interface ClaimRow {
  readonly ordinal: bigint
  readonly signature: string
  readonly kind: FeeKind
  /** Null for fees of a position, which belong to whoever holds its NFT. */
  readonly party: "creator" | "partner" | "leftover_receiver" | null
  readonly venue: Venue
  readonly pool: string
  readonly wallet: string
  /** Null where the instruction does not name it. */
  readonly baseMint: string | null
  /** The same; SOL of the fee for creating a pool. */
  readonly quoteMint: string | null
  readonly position: string | null
  readonly baseAmount: bigint
  readonly quoteAmount: bigint
  /** Seconds since 1970. */
  readonly blockTime: number
}

/** `map_trades` of `ModuleHash`. */
export const tradesOfEvents = (events: ReadonlyArray<DbcEvent>): ReadonlyArray<TradeRow> =>
  events.flatMap((event) => {
    if (event.type !== "Swapped") return []
    const {
      amountIn,
      amountOut,
      at,
      baseMint,
      fee,
      nextSqrtPrice,
      pool,
      quoteMint,
      quoteReserve,
      side,
      trader,
      venue,
    } = event
    const [baseAmount, quoteAmount] = side === "BUY" ? [amountOut, amountIn] : [amountIn, amountOut]
    return {
      ordinal: ordinalOf(at),
      signature: at.signature,
      venue,
      pool,
      baseMint,
      quoteMint,
      trader,
      side,
      baseAmount,
      quoteAmount,
      fee,
      nextSqrtPrice,
      quoteReserve: quoteReserve ?? null,
      blockTime: at.blockTimeSeconds,
    }
  })

/** `map_pool_events` of `ModuleHash`; `PoolStatements` folds them in the database (`store_pools`). */
export const poolEventsOf = (events: ReadonlyArray<DbcEvent>): ReadonlyArray<EventRow> =>
  events.flatMap((event) => {
    if (event.type === "Swapped") return []
    const { at, ...facts } = event
    return {
      ordinal: ordinalOf(at),
      signature: at.signature,
      type: facts.type,
      pool: "pool" in facts ? facts.pool : null,
      config: "config" in facts ? facts.config : null,
      facts,
      blockTime: at.blockTimeSeconds,
    }
  })

/** `flag` of a withdrawal of the migration fee. */
const CREATOR_FLAG = 1

type Claimed = Omit<ClaimRow, "ordinal" | "signature" | "blockTime">

const claimed = (event: DbcEvent): Claimed | undefined => {
  switch (event.type) {
    case "TradingFeeClaimed": {
      const { baseAmount, baseMint, by, claimer, pool, quoteAmount, quoteMint } = event
      return {
        ...{ kind: "trading_fee", party: by, venue: "dbc", pool, wallet: claimer, position: null },
        ...{ baseMint, quoteMint, baseAmount, quoteAmount },
      }
    }
    case "SurplusWithdrawn":
    case "MigrationFeeWithdrawn": {
      const { amount, claimer, pool, quoteMint } = event
      return {
        kind: event.type === "SurplusWithdrawn" ? "surplus" : "migration_fee",
        party: event.type === "SurplusWithdrawn" ? event.by : event.flag === CREATOR_FLAG ? "creator" : "partner",
        ...{ venue: "dbc", pool, wallet: claimer, position: null },
        ...{ baseMint: null, quoteMint, baseAmount: 0n, quoteAmount: amount },
      }
    }
    case "PoolCreationFeeClaimed": {
      if (event.partner === null) return undefined
      return {
        ...{ kind: "pool_creation_fee", party: "partner", venue: "dbc", pool: event.pool, wallet: event.partner },
        ...{ position: null, baseMint: null, quoteMint: NATIVE_MINT, baseAmount: 0n, quoteAmount: event.amount },
      }
    }
    case "LeftoverWithdrawn":
      return {
        ...{ kind: "leftover", party: "leftover_receiver", venue: "dbc", pool: event.pool, wallet: event.receiver },
        ...{ position: null, baseMint: null, quoteMint: null, baseAmount: event.amount, quoteAmount: 0n },
      }
    case "PositionFeeClaimed": {
      const { baseAmount, baseMint, claimer, pool, position, quoteAmount, quoteMint } = event
      return {
        ...{ kind: "position_fee", party: null, venue: "damm_v2", pool, wallet: claimer, position },
        ...{ baseMint, quoteMint, baseAmount, quoteAmount },
      }
    }
    default:
      return undefined
  }
}

/** `map_fee_claims` of `ModuleHash`. */
export const claimsOfEvents = (events: ReadonlyArray<DbcEvent>): ReadonlyArray<ClaimRow> =>
  events.flatMap((event) => {
    if (event.type === "Swapped") return []
    const { at } = event
    const claim = claimed(event)
    return claim === undefined
      ? []
      : { ordinal: ordinalOf(at), signature: at.signature, ...claim, blockTime: at.blockTimeSeconds }
  })
