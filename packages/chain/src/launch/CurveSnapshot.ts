import type { ConfigAccount } from "./ConfigAccount.ts"
import type { PoolAccount } from "./PoolAccount.ts"

/** What never changes about a pool. */
export interface PoolFacts {
  /** Address of the pool. */
  readonly address: string
  readonly baseMint: string
  readonly config: ConfigAccount
  readonly quoteDecimals: number
}

/** A pool at one slot; the pool and its configuration both decoded and as bytes. */
export interface CurveSnapshot extends PoolFacts {
  readonly slot: bigint
  readonly pool: PoolAccount
  readonly poolBytes: Uint8Array
  readonly configBytes: Uint8Array
  /** Slot or Unix time in seconds, as the configuration counts. */
  readonly currentPoint: bigint
}
