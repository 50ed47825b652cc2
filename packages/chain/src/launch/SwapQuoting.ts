import type { SwapQuote } from "@launch-registry/domain/launch/Pool"
import type { ConfigAccount } from "./ConfigAccount.ts"
import { priceInQuote } from "./CurveMath.ts"
import type { PoolAccount } from "./PoolAccount.ts"
import type { DbcSdk } from "./DbcSdk.ts"

/** What is asked of a curve: exactly `amountIn` of one token for as much as possible of the other. */
export interface SwapIntent {
  readonly amountIn: bigint
  readonly slippageBps: number
  readonly swapBaseForQuote: boolean
  readonly hasReferral: boolean
}

/** A pool and its configuration, decoded and as bytes, at a point in time (slot or seconds, as the config counts). */
export interface CurveSnapshot {
  readonly pool: PoolAccount
  readonly poolBytes: Uint8Array
  readonly config: ConfigAccount
  readonly configBytes: Uint8Array
  readonly currentPoint: bigint
  readonly quoteDecimals: number
}

/** The token that the fee of a swap is taken in: quote, or with `collectFeeMode` 1 what the swap gives. */
export const feeMintOf = ({ config, pool }: CurveSnapshot, swapBaseForQuote: boolean): string =>
  config.collectFeeMode === 1 && !swapBaseForQuote ? pool.baseMint : config.quoteMint

/** Quotes an exact-in swap. Throws what the SDK throws when the curve cannot fill it. */
export const quoteSwap = (sdk: DbcSdk, snapshot: CurveSnapshot, intent: SwapIntent): SwapQuote => {
  const { config, pool, quoteDecimals } = snapshot
  const result = sdk.swapQuote(snapshot, intent)
  const ratio = Number((result.nextSqrtPrice * 1_000_000_000n) / pool.sqrtPrice) / 1_000_000_000
  return {
    amountIn: intent.amountIn.toString(),
    expectedAmountOut: result.amountOut.toString(),
    minimumAmountOut: result.minimumAmountOut.toString(),
    fee: result.fee.toString(),
    feeMint: feeMintOf(snapshot, intent.swapBaseForQuote),
    priceBefore: priceInQuote(pool.sqrtPrice, config.tokenDecimal, quoteDecimals),
    priceAfter: priceInQuote(result.nextSqrtPrice, config.tokenDecimal, quoteDecimals),
    priceImpact: Number(Math.abs(ratio ** 2 - 1).toFixed(6)),
    slippageBps: intent.slippageBps,
  }
}

/**
 * The largest amount up to `intent.amountIn` that the curve can fill: a curve ends where its migration begins, and takes
 * nothing beyond. Found by halving, about sixty quotes of some microseconds each.
 */
export const largestAmountIn = (sdk: DbcSdk, snapshot: CurveSnapshot, intent: SwapIntent): bigint => {
  let [fills, fails] = [0n, intent.amountIn]
  while (fails - fills > 1n) {
    const amountIn = (fills + fails) / 2n
    try {
      sdk.swapQuote(snapshot, { ...intent, amountIn })
      fills = amountIn
    } catch {
      fails = amountIn
    }
  }
  return fills
}
