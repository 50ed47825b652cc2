import type { PoolConfig, PoolState, TokenDetails } from "@launch-registry/client"
import { Failure } from "../Failure.ts"
import { read, registry } from "../Registry.ts"

/** What the screen is about: the registered token, its pool on chain, or both. */
export interface TokenFacts {
  /** Null for a launch that is not registered. */
  readonly token: TokenDetails | null
  /** Null before the token has a pool. */
  readonly pool: TokenPool | null
  /** Why the chain could not be read, where the pool is not known for that alone. */
  readonly poolFailure: Failure | undefined
}

export interface TokenPool {
  readonly state: PoolState
  readonly config: PoolConfig
  /** A whole quote token has 10^quoteDecimals smallest units. */
  readonly quoteDecimals: number
}

/** Base58 of 32 bytes has this length; the service decodes it. */
export const isAddress = (text: string): boolean => /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)

const WRAPPED_SOL = "So11111111111111111111111111111111111111112"
const SOL_DECIMALS = 9

const unless = async <A>(code: string, reading: Promise<A>): Promise<A | null> => {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Failure && error.code === code) return null
    throw error
  }
}

const decimalsOf = async (quoteMint: string, token: TokenDetails | null, signal: AbortSignal): Promise<number> => {
  if (quoteMint === WRAPPED_SOL) return SOL_DECIMALS
  const known = token?.market?.quoteDecimals
  if (known !== null && known !== undefined) return known
  const { data } = await read(registry.tokens.trust({ mintAddress: quoteMint }, { signal }))
  if (data.mint === null) throw new Failure(0, "quote_mint_unknown", "The quote token is not on the chain")
  return data.mint.decimals
}

const readPool = async (
  mintAddress: string,
  token: TokenDetails | null,
  signal: AbortSignal,
): Promise<TokenPool | null> => {
  const { launch } = registry
  const found = await unless(
    "not_found",
    Promise.all([
      read(launch.poolState({ mintAddress }, { signal })),
      read(launch.poolConfig({ mintAddress }, { signal })),
    ]),
  )
  if (found === null) return null
  const [{ data: state }, { data: config }] = found
  return { state, config, quoteDecimals: await decimalsOf(state.quoteMint, token, signal) }
}

/** Reads both; null when neither the registry nor the chain knows the mint. A chain that does not answer hides no registered token. */
export const readFacts = async (mint: string, signal: AbortSignal): Promise<TokenFacts | null> => {
  const asked = { address: mint, include: "market" }
  const answer = await unless("not_found", read(registry.tokens.getByMint(asked, { signal })))
  const token = answer?.data ?? null
  try {
    const pool = await readPool(mint, token, signal)
    return token === null && pool === null ? null : { token, pool, poolFailure: undefined }
  } catch (error) {
    if (token === null || !(error instanceof Failure)) throw error
    return { token, pool: null, poolFailure: error }
  }
}
