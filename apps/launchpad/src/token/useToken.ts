import type { FetchedDocument, Launch, Market, RegistryError, Token, TokenTrust } from "@launch-registry/client"
import { useAnswer } from "@launch-registry/client/react"
import { useCallback } from "react"
import { WRAPPED_SOL } from "../figures/Sol.ts"

const EVERY_MILLIS = 15_000

/** What is known of a mint: from its launch on chain, from the registry, or from both. */
export interface TokenFacts {
  readonly mint: string
  readonly name: string
  readonly symbol: string
  /** Null for a launch that is not registered. */
  readonly token: Token | null
  /** Of the metadata document, where that was fetched. */
  readonly document: FetchedDocument | undefined
  readonly trust: TokenTrust | undefined
  readonly market: Market | null
  /** `undefined` before the token has a pool. */
  readonly launch: Launch | undefined
  readonly creator: string | undefined
  readonly decimals: number | null
  readonly quoteDecimals: number | null
}

/** `unknown`: neither the registry nor its index has the mint. */
export type Sought =
  | { readonly state: "reading" }
  | { readonly state: "unknown" }
  | { readonly state: "failed"; readonly error: RegistryError }
  | { readonly state: "known"; readonly facts: TokenFacts; readonly error: RegistryError | null }

const factsOf = (
  mint: string,
  launch: Launch | undefined,
  token: (Token & { readonly document?: FetchedDocument }) | null,
): TokenFacts => {
  const market = launch?.market ?? token?.market ?? null
  const isSol = (launch?.quoteMint ?? market?.quoteMint) === WRAPPED_SOL
  return {
    ...{ mint, launch, token, market },
    name: token?.name ?? launch?.name ?? "",
    symbol: token?.symbol ?? launch?.symbol ?? "",
    document: launch?.document ?? token?.document,
    trust: launch?.trust ?? token?.trust,
    creator: launch?.creator ?? token?.owner,
    decimals: launch?.decimals ?? token?.decimals ?? null,
    quoteDecimals: market?.quoteDecimals ?? (isSol ? 9 : null),
  }
}

/** Reads a mint with its market: among launches, registered or not, and where it has none in the registry. */
export const useToken = (mint: string): { readonly sought: Sought; readonly again: () => void } => {
  const launches = useAnswer(
    ({ launch }) => launch.pools,
    { mintAddresses: mint, registered: "any", include: "market,trust", limit: 1 },
    { refetchInterval: EVERY_MILLIS },
  )
  const launch = launches.data?.data[0]
  const hasNone = launches.data !== undefined && launch === undefined
  const tokens = useAnswer(
    ({ tokens: all }) => all.getByMint,
    { address: mint, include: "market,trust" },
    { enabled: hasNone, refetchInterval: EVERY_MILLIS },
  )
  const { refetch } = launches
  const again = useCallback(() => void refetch(), [refetch])
  const error = launches.error ?? (hasNone ? tokens.error : null)
  const known = launch ?? (hasNone ? tokens.data?.data : undefined)
  const sought = (): Sought => {
    if (known !== undefined)
      return {
        ...{ state: "known", error },
        facts: factsOf(mint, launch, launch === undefined ? tokens.data!.data : launch.token),
      }
    if (error === null) return { state: "reading" }
    return error.code === "not_found" ? { state: "unknown" } : { state: "failed", error }
  }
  return { sought: sought(), again }
}
