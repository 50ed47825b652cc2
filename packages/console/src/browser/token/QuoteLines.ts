import type { SwapQuote } from "@launch-registry/client"
import { formatDecimal, wholeAmount } from "../Format.ts"
import { html, type View } from "../Html.ts"
import { percentOfBps } from "./CurveWords.ts"
import { exact, Figure } from "../Figures.ts"
import { IMPACT_HIGH, impactText } from "./SwapWords.ts"

/** Token of a side of a swap. */
export interface SideToken {
  readonly mint: string
  readonly name: string
  readonly decimals: number
}

/** What a swap gives, and what it costs. */
export const QuoteLines = ({
  isOld,
  paid,
  quote,
  received,
}: {
  readonly quote: SwapQuote
  readonly paid: SideToken
  readonly received: SideToken
  readonly isOld: boolean
}): View => {
  const feeToken = quote.feeMint === received.mint ? received : paid
  const amount = (text: string, { decimals, name }: SideToken): View =>
    exact(wholeAmount(text, decimals), name, formatDecimal)
  const isHigh = quote.priceImpact >= IMPACT_HIGH
  return html`<dl class="figures quote" aria-busy=${isOld}>
    <${Figure} name="You receive about">${amount(quote.expectedAmountOut, received)}<//>
    <${Figure} name=${`At least, with ${percentOfBps(quote.slippageBps)} slippage`}
      >${amount(quote.minimumAmountOut, received)}<//
    >
    <${Figure} name="Price impact"
      ><span class=${isHigh ? "down" : ""}>${impactText(quote.priceImpact)}${isHigh ? ": high" : ""}</span><//
    >
    <${Figure} name="Fee of the swap">${amount(quote.fee, feeToken)}<//>
  </dl>`
}
