import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { CurveCompleted, PoolNotSwappable } from "@launch-registry/domain/launch/LaunchErrors"
import type { MigratedPool } from "@launch-registry/domain/pools/MigratedPool"
import type { Venue } from "@launch-registry/domain/pools/Venue"
import type { Address } from "@launch-registry/domain/solana/Address"
import type { Instruction } from "@solana/kit"
import type { Effect } from "effect"
import type { ExtraAccounts, RawAccount } from "../accounts/AccountReads.ts"
import type { Clock } from "../accounts/Clock.ts"
import type { QuoteOf } from "./Fill.ts"
import type { Position } from "./Position.ts"
import type { Direction, PoolToken } from "./TokenPair.ts"
import type { ExtendableMint } from "./TransferExtensions.ts"

/** A swap as its instruction says it; amounts in smallest units. */
export interface SwapOrder extends Direction {
  readonly amountIn: bigint
  readonly minimumAmountOut: bigint
  readonly payer: string
  readonly inputTokenAccount: string
  readonly outputTokenAccount: string
  /** Receives a part of the fee. */
  readonly referralTokenAccount?: string | undefined
}

/** Where a token trades, as it was read at one slot: its curve, or the pool that this migrated to. */
export interface TradingVenue {
  readonly name: Venue
  /** Account of the pool. */
  readonly address: string
  /** Slot or Unix time in seconds, as the pool counts, and when it opens. */
  readonly currentPoint: bigint
  readonly activationPoint: bigint
  /** Q64.64, quote for base. */
  readonly sqrtPrice: bigint
  /** The token that the fee is taken in. */
  readonly feeToken: (swap: Direction) => PoolToken
  /** Fails where no such swap can be quoted, whatever its amount. */
  readonly check: (
    swap: Direction,
    mints: ExtraAccounts<ExtendableMint>,
  ) => Effect.Effect<void, CurveCompleted | PoolNotSwappable | Unavailable>
  /** What exact-in swaps give. */
  readonly quote: (swap: Direction & { readonly referralTokenAccount?: string }) => Effect.Effect<QuoteOf>
  /** Why larger amounts are not filled, in words. */
  readonly end: string
  readonly instruction: (order: SwapOrder) => Instruction
  /** The pool as it is answered; `supply` of the base token in smallest units. */
  readonly view?: (supply: bigint) => MigratedPool
  /** The position of this pool in an account; without where there are no positions. */
  readonly position?: (address: string, account: RawAccount | undefined) => Position | undefined
}

/** The pool that a curve migrates to. Its address follows from the configuration, before the pool exists. */
export interface Destination {
  readonly venue: Exclude<Venue, "dbc">
  readonly pool: Address
  /** Accounts that it is read from. */
  readonly accounts: ReadonlyArray<string>
  /** The pool in these accounts; `undefined` where they hold none of these tokens. */
  readonly open: (accounts: ReadonlyArray<RawAccount | undefined>, clock: Clock) => TradingVenue | undefined
}
