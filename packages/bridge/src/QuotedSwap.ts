import { plainDecimal } from "@launch-registry/domain/amounts/Decimal"
import { parseIsoMillis } from "@launch-registry/domain/time/Timestamp"
import type { TransactionId } from "@launch-registry/domain/transactions/Transaction"
import type { IntentsQuoteResponse } from "./intents/IntentsSchemas.ts"
import { grantedFees } from "./intents/QuoteCheck.ts"
import type { QuoteDraft } from "./QuoteDraft.ts"
import { termsOf } from "./QuoteAnswer.ts"
import { leastDelivery } from "./SwapOutcome.ts"

const decimalOf = (text: string | undefined): string | null => (text === undefined ? null : plainDecimal(text)) ?? null

/** The columns of a new swap, from a quote that was checked; all others have their defaults. */
export const quotedSwap = (
  { asked, destination, origin, userAddress }: QuoteDraft,
  { correlationId, quote, quoteRequest }: IntentsQuoteResponse,
  made: { readonly id: string; readonly hasApiKey: boolean; readonly millis: number },
) => ({
  // A UUID that was made here.
  id: made.id as TransactionId,
  userAddress,
  ...termsOf(asked),
  originChain: origin.blockchain,
  destinationChain: destination.blockchain,
  originDecimals: origin.decimals,
  destinationDecimals: destination.decimals,
  appFees: grantedFees(quoteRequest.appFees).appFees,
  hasApiKey: made.hasApiKey,
  // Both were checked to be there when the quote was compared with what was asked.
  depositAddress: quote.depositAddress!,
  inactiveAt: new Date(parseIsoMillis(quote.deadline!)!),
  depositMemo: quote.depositMemo ?? null,
  depositBy: new Date(parseIsoMillis(asked.deadline)!),
  timeEstimateSeconds: quote.timeEstimate,
  amountIn: quote.amountIn,
  amountOut: quote.amountOut,
  minAmountIn: quote.minAmountIn,
  minAmountOut: leastDelivery(asked.swapType, quote),
  amountInUsd: decimalOf(quote.amountInUsd),
  amountOutUsd: decimalOf(quote.amountOutUsd),
  refundFee: quote.refundFee ?? null,
  withdrawFee: quote.withdrawFee ?? null,
  correlationId: correlationId || null,
  status: "pending" as const,
  substatus: "awaiting_deposit" as const,
  createdAt: new Date(made.millis),
  updatedAt: new Date(made.millis),
  progressedAt: new Date(made.millis),
})

export type QuotedSwap = ReturnType<typeof quotedSwap>
