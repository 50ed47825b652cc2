import type { DbcEvent } from "@launch-registry/chain/transactions/DbcEvent"
import type { FeeKind } from "@launch-registry/domain/launch/PoolFees"
import type { Venue } from "@launch-registry/domain/launch/Venue"
import { ordinalOf } from "@launch-registry/solana/Ordinal"

/** A row of `fee_claims`; amounts in smallest units. */
export interface ClaimRow {
  readonly ordinal: bigint
  readonly signature: string
  readonly kind: FeeKind
  /** Null for fees of a position, which belong to whoever holds its NFT. */
  readonly party: "creator" | "partner" | null
  readonly venue: Venue
  readonly pool: string
  readonly wallet: string
  /** Null where the instruction does not name it. */
  readonly baseMint: string | null
  readonly quoteMint: string
  readonly position: string | null
  readonly baseAmount: bigint
  readonly quoteAmount: bigint
  /** Seconds since 1970. */
  readonly blockTime: number
}

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
