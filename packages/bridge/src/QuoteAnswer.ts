import type { AppFee, BridgeFees, BridgeQuote } from "@launch-registry/domain/bridge/BridgeQuote"
import { parseIsoMillis } from "@launch-registry/domain/time/Timestamp"
import type { IntentsQuoteRequest, IntentsQuoteResponse } from "./intents/IntentsSchemas.ts"
import { grantedFees } from "./intents/QuoteCheck.ts"
import type { SwapRow } from "./SwapRow.ts"

/** Basis points of a percent with four digits, in units of the last one. */
const UNITS_OF_A_BPS = 100
/** What the swap service takes of every swap: 0.0001 %. */
const PROTOCOL_UNITS = 1

const percent = (units: number): string => {
  const digits = String(units).padStart(5, "0")
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0+$/, "")
}

/**
 * What the swap service takes. Its quote lists a share of its own among the fees, larger without a key: without one it
 * is counted in `protocolFeePercent`, with one it stands in `serviceFeeBps` alone.
 */
const feesOf = (
  hasApiKey: boolean,
  { appFees, serviceFeeBps }: { readonly appFees: ReadonlyArray<AppFee>; readonly serviceFeeBps: number },
): BridgeFees => {
  const serviceUnits = serviceFeeBps * UNITS_OF_A_BPS
  const onTop = serviceFeeBps === 0 ? "" : `, and its quote ${percent(serviceUnits)} % on top of it`
  return {
    hasApiKey,
    protocolFeePercent: percent(PROTOCOL_UNITS + (hasApiKey ? 0 : serviceUnits)),
    detail: hasApiKey
      ? `The swap service takes 0.0001 %${onTop}`
      : `This service has no API key of the swap service (INTENTS_API_KEY), whose quote therefore takes ${percent(serviceUnits)} % on top of its 0.0001 %`,
    appFees,
    appFeeBps: appFees.reduce((sum, { fee }) => sum + fee, 0),
    serviceFeeBps,
  }
}

const isoOf = (text: string): string => new Date(parseIsoMillis(text)!).toISOString()

type Quoted = IntentsQuoteResponse["quote"]

const TERMS = [
  ...(["originAsset", "destinationAsset", "swapType", "depositType", "refundType", "recipientType"] as const),
  ...(["slippageTolerance", "recipient", "refundTo"] as const),
]
const AMOUNTS = ["amountIn", "minAmountIn", "amountOut", "minAmountOut"] as const
const MAYBE = [
  ...(["amountInFormatted", "amountInUsd", "amountOutFormatted", "amountOutUsd"] as const),
  ...(["refundFee", "withdrawFee"] as const),
]

/** What was agreed on: of a request, or of the swap that it became. */
export const termsOf = <Terms extends Pick<SwapRow, (typeof TERMS)[number]>>(terms: Terms) =>
  Object.fromEntries(TERMS.map((name) => [name, terms[name]])) as Pick<SwapRow, (typeof TERMS)[number]>

const answerOf = (
  terms: IntentsQuoteRequest | SwapRow,
  { correlationId, quote, quoteRequest }: IntentsQuoteResponse,
  hasApiKey: boolean,
) => ({
  ...termsOf(terms),
  ...(Object.fromEntries(AMOUNTS.map((name) => [name, quote[name]])) as Pick<Quoted, (typeof AMOUNTS)[number]>),
  ...(Object.fromEntries(MAYBE.map((name) => [name, quote[name] ?? null])) as Record<
    (typeof MAYBE)[number],
    string | null
  >),
  inactiveAt: quote.deadline === undefined ? null : isoOf(quote.deadline),
  timeEstimateSeconds: quote.timeEstimate,
  fees: feesOf(hasApiKey, grantedFees(quoteRequest.appFees)),
  correlationId: correlationId || null,
})

/** The answer to a dry request. */
export const dryQuote = (
  asked: IntentsQuoteRequest,
  response: IntentsQuoteResponse,
  hasApiKey: boolean,
): BridgeQuote => ({
  ...{ dry: true, id: null, depositAddress: null, depositMemo: null, depositBy: isoOf(asked.deadline) },
  ...answerOf(asked, response, hasApiKey),
})

/** The answer to a real request, made from what is stored: the same for every request with the same key. */
export const storedQuote = (swap: SwapRow, response: IntentsQuoteResponse): BridgeQuote => ({
  ...{ dry: false, id: swap.id, depositAddress: swap.depositAddress, depositMemo: swap.depositMemo },
  depositBy: swap.depositBy.toISOString(),
  ...answerOf(swap, response, swap.hasApiKey),
})
