import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { SwapQuote } from "@launch-registry/domain/launch/Pool"
import type { Address } from "@launch-registry/domain/solana/Address"
import { Effect } from "effect"
import { priceInQuote } from "./CurveMath.ts"
import { type ConfigParameters, loadDbcSdk } from "./DbcSdk.ts"
import { largestThat, priceImpact } from "./SwapQuoting.ts"

/** A curve that no pool is on yet. */
export interface StartingCurve {
  /** A configuration to create, or the bytes of one. */
  readonly curve: ConfigParameters | Uint8Array
  /** Q64.64. */
  readonly sqrtStartPrice: bigint
  readonly collectFeeMode: number
  readonly enableFirstSwapWithMinFee: boolean
  readonly baseDecimals: number
  readonly quoteDecimals: number
}

/** The buy of the signer; amounts in smallest units. */
export interface FirstBuy {
  readonly amountIn: bigint
  readonly slippageBps?: number
  /** Instead of a slippage. */
  readonly minimumAmountOut?: bigint
}

/** The pool to buy on; `isWithPool` says whether the buy is in the transaction that creates it. */
export interface FirstBuyPool {
  readonly pool: string
  readonly baseMint: string
  readonly quoteMint: string
  readonly isWithPool: boolean
}

const SLIPPAGE_BPS = 100
const BASIS = 10_000n

const refused = (field: string, message: string) => InvalidRequest.at(`body.firstBuy.${field}`, message)

/**
 * The result of a buy when the pool opens. In the transaction that creates the pool it is what the program gives, because nobody
 * comes before and no time passes.
 */
export const quoteFirstBuy = Effect.fnUntraced(function* (
  start: StartingCurve,
  { amountIn, minimumAmountOut, slippageBps = SLIPPAGE_BPS }: FirstBuy,
  { baseMint, isWithPool, pool, quoteMint }: FirstBuyPool,
): Effect.fn.Return<SwapQuote, InvalidRequest> {
  const sdk = yield* Effect.promise(loadDbcSdk)
  const paysLowestFee = isWithPool && start.enableFirstSwapWithMinFee
  const quoteOf = (amount: bigint) => sdk.firstBuyQuote(start.curve, { amountIn: amount, slippageBps, paysLowestFee })
  const isFilled = (amount: bigint) => {
    try {
      quoteOf(amount)
      return true
    } catch {
      return false
    }
  }
  const result = yield* Effect.try({
    try: () => quoteOf(amountIn),
    catch: (error) => {
      const largest = largestThat(amountIn, isFilled)
      return largest === 0n
        ? refused("amount", `the curve cannot fill this buy: ${(error as Error).message}`)
        : refused("amount", `expected at most ${largest}: the curve has no more to give`)
    },
  })
  if (result.amountOut === 0n)
    return yield* refused("amount", "expected a larger amount: at the price of the curve this one would give nothing")
  const least = minimumAmountOut ?? result.minimumAmountOut
  if (least > result.amountOut)
    return yield* refused("minimumAmountOut", `expected at most ${result.amountOut}, which the curve gives`)
  return {
    venue: "dbc",
    pool: pool as Address,
    amountIn: amountIn.toString(),
    expectedAmountOut: result.amountOut.toString(),
    minimumAmountOut: least.toString(),
    fee: result.fee.toString(),
    feeMint: (start.collectFeeMode === 1 ? baseMint : quoteMint) as Address,
    priceBefore: priceInQuote(start.sqrtStartPrice, start.baseDecimals, start.quoteDecimals),
    priceAfter: priceInQuote(result.nextSqrtPrice, start.baseDecimals, start.quoteDecimals),
    priceImpact: priceImpact(start.sqrtStartPrice, result.nextSqrtPrice),
    slippageBps:
      minimumAmountOut === undefined ? slippageBps : Number(((result.amountOut - least) * BASIS) / result.amountOut),
  }
})
