import type { FetchedDocument, Launch, Market, Token, TokenTrust } from "@launch-registry/client"
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
export const useToken = (mint: string) => {
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
  const token = launch === undefined ? tokens.data?.data : launch.token
  return {
    /** `undefined` while nothing is known. */
    facts: token === undefined || (launch === undefined && !hasNone) ? undefined : factsOf(mint, launch, token),
    error: launches.error ?? (hasNone ? tokens.error : null),
    again,
  }
}
