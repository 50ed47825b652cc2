import type { ConfigAccount } from "./ConfigAccount.ts"
import type { DammPoolAccount } from "./DammPoolAccount.ts"
import type { DammV1State } from "./DammV1Math.ts"
import type { Destination } from "./Destination.ts"
import type { PoolAccount } from "./PoolAccount.ts"

/** What never changes about a pool. */
export interface PoolFacts {
  /** Address of the pool. */
  readonly address: string
  readonly baseMint: string
  readonly config: ConfigAccount
  readonly quoteDecimals: number
  /** Where the curve migrates to; `undefined` for an option that is not known. */
  readonly destination: Destination | undefined
}

/** The DAMM v2 pool that a curve migrated to. Token A is the base token, token B the quote token. */
export interface MigratedSnapshot {
  readonly address: string
  readonly pool: DammPoolAccount
  /** Slot or Unix time in seconds, as this pool counts. */
  readonly currentPoint: bigint
}

/** The DAMM v1 pool that a curve migrated to. Token A is the base token, token B the quote token. */
export interface MigratedV1Snapshot {
  readonly address: string
  readonly state: DammV1State
  /** Slot or Unix time in seconds, as this pool counts. */
  readonly currentPoint: bigint
}

/** A pool at one slot; the pool and its configuration both decoded and as bytes. */
export interface CurveSnapshot extends PoolFacts {
  readonly slot: bigint
  readonly pool: PoolAccount
  readonly poolBytes: Uint8Array
  readonly configBytes: Uint8Array
  /** Slot or Unix time in seconds, as the configuration counts. */
  readonly currentPoint: bigint
  /** At the same slot; `undefined` until the curve has migrated to DAMM v2. */
  readonly migrated: MigratedSnapshot | undefined
  /** The same for DAMM v1. */
  readonly migratedV1?: MigratedV1Snapshot | undefined
}
