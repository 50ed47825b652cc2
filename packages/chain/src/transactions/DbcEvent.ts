import type { LiquidityMove } from "@launch-registry/domain/pools/LiquidityMove"
import type { TradeSide } from "@launch-registry/domain/pools/PoolTrade"
import type { Venue } from "@launch-registry/domain/pools/Venue"
import type { ChainPosition } from "@launch-registry/domain/solana/Ordinal"

/** Where in the chain something happened, and when. */
export interface EventPosition extends ChainPosition {
  readonly signature: string
  readonly blockTimeSeconds: number
}

/** A configuration was created (`create_config`). */
export interface ConfigCreated {
  readonly type: "ConfigCreated"
  readonly config: string
  readonly quoteMint: string
  readonly feeClaimer: string
  readonly leftoverReceiver: string
  /** Decimals of the tokens that are launched with it; `undefined` where the arguments do not say. */
  readonly tokenDecimal: number | undefined
}

/** A token and its pool were created (`EvtInitializePool`; label and mints from the instruction). */
export interface PoolCreated {
  readonly type: "PoolCreated"
  readonly pool: string
  readonly config: string
  readonly creator: string
  readonly baseMint: string
  readonly quoteMint: string
  readonly poolType: number
  readonly activationPoint: bigint
  readonly name: string
  readonly symbol: string
  readonly uri: string
  /** Of the mint, which is created in the same instruction; `undefined` where that was not seen. */
  readonly decimals: number | undefined
  /** All there will ever be of the token, in its smallest unit; `undefined` where the minting was not seen. */
  readonly supply: bigint | undefined
}

/**
 * Tokens were swapped (`EvtSwap2`, or `EvtSwap` of old programs) on a curve, or on the AMM pool that a curve migrated to. Amounts in
 * smallest units.
 */
export interface Swapped {
  readonly type: "Swapped"
  readonly venue: Venue
  /** Account of the venue's program. */
  readonly pool: string
  /** Configuration of the pool, of the venue's program. */
  readonly config: string
  readonly baseMint: string
  readonly quoteMint: string
  readonly trader: string
  readonly side: TradeSide
  /** What the trader paid, fee included. */
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly fee: bigint
  readonly nextSqrtPrice: bigint
  /** What the pool holds of the quote token afterwards; `undefined` in swaps of old programs, which do not say. */
  readonly quoteReserve: bigint | undefined
}

/** A curve raised all it had to (`EvtCurveComplete`). */
export interface CurveComplete {
  readonly type: "CurveComplete"
  readonly pool: string
  readonly config: string
  readonly baseReserve: bigint
  readonly quoteReserve: bigint
}

/** A curve went on as an AMM pool: the program has no event for it, so it is read from the instruction. */
export interface PoolMigrated {
  readonly type: "PoolMigrated"
  readonly pool: string
  readonly migratedPool: string
  /** NFT mints of the positions that were created in the migrated pool, of DAMM v2; null where there is none. */
  readonly firstPositionMint: string | null
  readonly secondPositionMint: string | null
}

/** A pool has another creator (`EvtUpdatePoolCreator`). */
export interface PoolCreatorChanged {
  readonly type: "PoolCreatorChanged"
  readonly pool: string
  readonly creator: string
  readonly newCreator: string
}

/** Name, website and logo of a pool were published (`EvtVirtualPoolMetadata`); they stand in the metadata account. */
export interface PoolMetadataCreated {
  readonly type: "PoolMetadataCreated"
  readonly pool: string
  readonly metadata: string
}

/** Name, website and logo of a partner were published (`EvtPartnerMetadata`). */
export interface PartnerMetadataCreated {
  readonly type: "PartnerMetadataCreated"
  readonly feeClaimer: string
  readonly metadata: string
}

/** Trading fees were claimed (`EvtClaimTradingFee`, `EvtClaimCreatorTradingFee`). */
export interface TradingFeeClaimed {
  readonly type: "TradingFeeClaimed"
  readonly pool: string
  readonly by: "partner" | "creator"
  /** Wallet that claimed: an account of the instruction, like the mints. */
  readonly claimer: string
  readonly baseMint: string
  readonly quoteMint: string
  readonly baseAmount: bigint
  readonly quoteAmount: bigint
}

/** Quote raised beyond the threshold was withdrawn (`EvtPartnerWithdrawSurplus`, `EvtCreatorWithdrawSurplus`). */
export interface SurplusWithdrawn {
  readonly type: "SurplusWithdrawn"
  readonly pool: string
  readonly by: "partner" | "creator"
  readonly claimer: string
  readonly quoteMint: string
  readonly amount: bigint
}

/** Base tokens that the curve did not need were withdrawn (`EvtWithdrawLeftover`). */
export interface LeftoverWithdrawn {
  readonly type: "LeftoverWithdrawn"
  readonly pool: string
  readonly receiver: string
  readonly amount: bigint
}

/** The fee of the migration was withdrawn (`EvtWithdrawMigrationFee`); `flag` as the program has it: 0 partner, 1 creator. */
export interface MigrationFeeWithdrawn {
  readonly type: "MigrationFeeWithdrawn"
  readonly pool: string
  readonly claimer: string
  readonly quoteMint: string
  readonly flag: number
  readonly amount: bigint
}

/** The fee for creating the pool was claimed (`EvtClaimPoolCreationFee`, `EvtPartnerClaimPoolCreationFee`); lamports. */
export interface PoolCreationFeeClaimed {
  readonly type: "PoolCreationFeeClaimed"
  readonly pool: string
  readonly by: "protocol" | "partner"
  /** Null when the protocol claimed it. */
  readonly partner: string | null
  readonly receiver: string
  readonly amount: bigint
}

/** The protocol claimed its part of the trading fees (`EvtClaimProtocolFee2`). */
export interface ProtocolFeeClaimed {
  readonly type: "ProtocolFeeClaimed"
  readonly pool: string
  readonly receiver: string
  readonly mint: string
  readonly amount: bigint
}

/** Fees of a position were claimed in the DAMM v2 pool that a curve migrated to (`EvtClaimPositionFee` of cp-amm). */
export interface PositionFeeClaimed {
  readonly type: "PositionFeeClaimed"
  /** The DAMM v2 pool. */
  readonly pool: string
  readonly position: string
  readonly claimer: string
  readonly baseMint: string
  readonly quoteMint: string
  readonly baseAmount: bigint
  readonly quoteAmount: bigint
}

/**
 * What happened to the liquidity of a DAMM v2 pool, but not by the migration itself. It was added to a pool that a curve migrated to, or
 * withdrawn from it (`EvtLiquidityChange` of cp-amm, before 0.1.5 `EvtAddLiquidity` and `EvtRemoveLiquidity`); amounts as they arrived, in
 * smallest units. Or a part of a position was locked (`EvtLockPosition`, `EvtPermanentLockPosition`) or went to another one
 * (`EvtSplitPosition3`, older `EvtSplitPosition2`, `EvtSplitPosition`): of any pool, as these calls have no mints that would tell.
 */
export interface LiquidityChanged {
  readonly type: "LiquidityChanged"
  /** The DAMM v2 pool. */
  readonly pool: string
  readonly position: string
  readonly owner: string
  readonly baseMint: string | null
  readonly quoteMint: string | null
  readonly change: LiquidityMove["change"]
  readonly baseAmount: bigint | null
  readonly quoteAmount: bigint | null
  /** Q64.64. */
  readonly liquidity: bigint
  /** Of a lock that ends: the slot or second, as the pool counts, from which all of it is unlocked. */
  readonly lockedUntil: bigint | null
  /** Of a split: where a part went. */
  readonly toPosition: string | null
  readonly toOwner: string | null
}

export type DbcFact =
  | ConfigCreated
  | PoolCreated
  | Swapped
  | CurveComplete
  | PoolMigrated
  | PoolCreatorChanged
  | PoolMetadataCreated
  | PartnerMetadataCreated
  | TradingFeeClaimed
  | SurplusWithdrawn
  | LeftoverWithdrawn
  | MigrationFeeWithdrawn
  | PoolCreationFeeClaimed
  | ProtocolFeeClaimed
  | PositionFeeClaimed
  | LiquidityChanged
export type DbcEvent = DbcFact & { readonly at: EventPosition }

/** What the programs did besides swaps. */
export type PoolFact = Exclude<DbcFact, Swapped>

/** Which fields of each are addresses, or null. */
export const ADDRESS_FIELDS: {
  readonly [Type in DbcFact["type"]]: ReadonlyArray<keyof Extract<DbcFact, { readonly type: Type }>>
} = {
  ConfigCreated: ["config", "quoteMint", "feeClaimer", "leftoverReceiver"],
  PoolCreated: ["pool", "config", "creator", "baseMint", "quoteMint"],
  Swapped: ["pool", "config", "baseMint", "quoteMint", "trader"],
  CurveComplete: ["pool", "config"],
  PoolMigrated: ["pool", "migratedPool", "firstPositionMint", "secondPositionMint"],
  PoolCreatorChanged: ["pool", "creator", "newCreator"],
  PoolMetadataCreated: ["pool", "metadata"],
  PartnerMetadataCreated: ["feeClaimer", "metadata"],
  TradingFeeClaimed: ["pool", "claimer", "baseMint", "quoteMint"],
  SurplusWithdrawn: ["pool", "claimer", "quoteMint"],
  LeftoverWithdrawn: ["pool", "receiver"],
  MigrationFeeWithdrawn: ["pool", "claimer", "quoteMint"],
  PoolCreationFeeClaimed: ["pool", "partner", "receiver"],
  ProtocolFeeClaimed: ["pool", "receiver", "mint"],
  PositionFeeClaimed: ["pool", "position", "claimer", "baseMint", "quoteMint"],
  LiquidityChanged: ["pool", "position", "owner", "baseMint", "quoteMint", "toPosition", "toOwner"],
}
