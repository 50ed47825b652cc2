import { NATIVE_MINT } from "@launch-registry/chain/accounts/Programs"
import type { Launch } from "@launch-registry/domain/launch/Launch"
import { isAddress } from "@launch-registry/domain/solana/AddressText"
import { Effect } from "effect"
import { launchReads } from "../launch/Launches.ts"

/** What a link to a token shows of it. */
export interface SharedToken {
  readonly mint: string
  readonly name: string
  readonly symbol: string
  /** Of its creator; may be empty. */
  readonly description: string
  readonly imageUri: string | undefined
  /** As people read them, with their units; undefined while not known. */
  readonly marketCap: string | undefined
  readonly price: string | undefined
  /** How far the curve is, from 0 to 1; 1 where it is complete. */
  readonly progress: number | undefined
  /** The same in words. */
  readonly stage: string | undefined
}

const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 4 })

const figure = (usd: string | null, quote: string | null, unit: string): string | undefined => {
  const value = (usd ?? quote) as `${number}` | null
  if (value === null) return undefined
  return usd === null ? `${COMPACT.format(value)} ${unit}`.trim() : `$${COMPACT.format(value)}`
}

const tokenOf = ({ document, market, mintAddress, name, quoteMint, stage, symbol, token }: Launch): SharedToken => {
  const unit = String(quoteMint) === NATIVE_MINT ? "SOL" : ""
  const progress = stage === "curve" ? (market?.quoteProgress ?? undefined) : 1
  const raised = progress === undefined ? undefined : `${Math.floor(progress * 1_000) / 10}% of the curve`
  return {
    ...{ mint: mintAddress, name, symbol, progress },
    description: token?.description || document?.description || "",
    imageUri: market?.imageUri ?? document?.image,
    marketCap: figure(market?.marketCapUsd ?? null, market?.marketCap ?? null, unit),
    price: figure(market?.priceUsd ?? null, market?.price ?? null, unit),
    stage: stage === "migrated" ? "Graduated" : stage === "completed" ? "Curve complete" : raised,
  }
}

/** Finds the launch of a mint, registered or not; `undefined` for any other text. */
export const sharedTokens = Effect.map(
  launchReads,
  ({ ofMints }) =>
    (mint: string) =>
      isAddress(mint)
        ? Effect.map(ofMints([mint], { market: true, trust: false }), ([launch]) => launch && tokenOf(launch))
        : Effect.undefined,
)
