import type { Venue } from "@launch-registry/domain/pools/Venue"
import type { Address } from "@launch-registry/domain/solana/Address"
import type { ConfigAccount } from "./ConfigAccount.ts"
import type { PoolAccount } from "./PoolAccount.ts"
import { type TokenPair, tokenProgram } from "../venues/TokenPair.ts"
import type { Destination, TradingVenue } from "../venues/TradingVenue.ts"

/** What never changes about a pool. */
export interface PoolFacts extends TokenPair {
  /** Address of the pool. */
  readonly address: string
  readonly config: ConfigAccount
  /** Where the curve migrates to; `undefined` for an option that is not known. */
  readonly destination: Destination | undefined
}

/** The tokens of a pool. */
export const pairOf = (
  { quoteMint, quoteTokenFlag, tokenDecimal, tokenType }: ConfigAccount,
  baseMint: string,
  quoteDecimals: number,
): TokenPair => ({
  base: { mint: baseMint, program: tokenProgram(tokenType), decimals: tokenDecimal },
  quote: { mint: quoteMint, program: tokenProgram(quoteTokenFlag), decimals: quoteDecimals },
})

/** A curve at one slot; the pool and its configuration both decoded and as bytes. */
export interface Curve extends PoolFacts {
  readonly slot: bigint
  readonly pool: PoolAccount
  readonly poolBytes: Uint8Array
  readonly configBytes: Uint8Array
  /** Slot or Unix time in seconds, as the configuration counts. */
  readonly currentPoint: bigint
}

/** A curve, and where the token trades at the same slot. */
export interface CurveSnapshot extends Curve {
  readonly venue: TradingVenue
}

/** Whether all that the curve had to raise is raised. */
export const isComplete = ({ config, pool }: Pick<Curve, "config" | "pool">): boolean =>
  pool.quoteReserve >= config.migrationQuoteThreshold

/** Address of the pool that a migrated curve went on in; null before. */
export const graduatedPool = ({ destination, pool }: Curve): Address | null =>
  pool.isMigrated ? (destination?.pool ?? null) : null

/** The program that the token trades at, whether or not the pool there can be read. */
export const venueOf = ({ destination, pool }: Curve): Venue =>
  pool.isMigrated ? (destination?.venue ?? "dbc") : "dbc"
