import { amountText } from "@launch-registry/domain/amounts/AmountText"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { SwapQuote } from "@launch-registry/domain/pools/Pool"
import { Effect } from "effect"
import type { ConfigParameters } from "../dbc/ConfigParameters.ts"
import { loadDbcSdk } from "../dbc/DbcSdk.ts"
import { fillOrFault, leastOf, slippageOf, swapQuote } from "../venues/Fill.ts"
import type { TokenPair } from "../venues/TokenPair.ts"

/** A curve that no pool is on yet. */
export interface StartingCurve {
  /** A configuration to create, or the bytes of one. */
  readonly curve: ConfigParameters | Uint8Array
  /** Q64.64. */
  readonly sqrtStartPrice: bigint
  readonly collectFeeMode: number
  readonly enableFirstSwapWithMinFee: boolean
}

/** The buy of the signer; amounts in smallest units. */
export interface FirstBuy {
  readonly amountIn: bigint
  readonly slippageBps?: number
  /** Instead of a slippage. */
  readonly minimumAmountOut?: bigint
}

/** The pool to buy on; `isWithPool` says whether the buy is in the transaction that creates it. */
export interface FirstBuyPool extends TokenPair {
  readonly pool: string
  readonly isWithPool: boolean
}

const SLIPPAGE_BPS = 100

const refused = (field: string, message: string) => InvalidRequest.at(`body.firstBuy.${field}`, message)

/**
 * The result of a buy when the pool opens. In the transaction that creates the pool it is what the program gives, because nobody
 * comes before and no time passes.
 */
export const quoteFirstBuy = Effect.fnUntraced(function* (
  start: StartingCurve,
  { amountIn, minimumAmountOut, slippageBps = SLIPPAGE_BPS }: FirstBuy,
  { base, isWithPool, pool, quote }: FirstBuyPool,
): Effect.fn.Return<SwapQuote, InvalidRequest> {
  const sdk = yield* Effect.promise(loadDbcSdk)
  const quoteOf = sdk.firstBuyQuoting(start.curve, isWithPool && start.enableFirstSwapWithMinFee)
  const fill = fillOrFault(quoteOf, amountIn, quote, "the curve has no more to give")
  if ("message" in fill) return yield* new InvalidRequest({ issues: [{ path: "body.firstBuy.amount", ...fill }] })
  const least = minimumAmountOut ?? leastOf(fill, slippageBps)
  if (least > fill.amountOut)
    return yield* refused(
      "minimumAmountOut",
      `expected at most ${amountText(fill.amountOut, base)}, which the curve gives`,
    )
  const feeMint = (start.collectFeeMode === 1 ? base : quote).mint
  return swapQuote({ venue: "dbc", pool, sqrtPrice: start.sqrtStartPrice, feeMint, base, quote }, fill, {
    amountIn,
    minimumAmountOut: least,
    slippageBps: minimumAmountOut === undefined ? slippageBps : slippageOf(fill, least),
  })
})
