import { plainDecimal } from "@launch-registry/domain/amounts/Decimal"
import type { TransactionId } from "@launch-registry/domain/transactions/Transaction"
import { parseIsoMillis } from "@launch-registry/domain/time/Timestamp"
import { grantedFees } from "./intents/AppFeeEcho.ts"
import type { IntentsQuoteResponse } from "./intents/IntentsSchemas.ts"
import { nextPollMillis } from "./intents/PollSchedule.ts"
import { leastDelivery } from "./intents/SwapOutcome.ts"
import type { QuoteDraft } from "./QuoteDraft.ts"
import { pollFacts } from "./PollResult.ts"
import type { SwapRow } from "./SwapRow.ts"

const decimalOf = (text: string | undefined): string | null => (text === undefined ? null : plainDecimal(text)) ?? null

/** The row of a new swap, from a quote that was checked. */
export const newSwapRow = (
  { asked, destination, origin, userAddress }: QuoteDraft,
  { correlationId, quote, quoteRequest }: IntentsQuoteResponse,
  made: { readonly id: string; readonly hasApiKey: boolean; readonly millis: number },
): SwapRow => {
  const now = new Date(made.millis)
  const row: SwapRow = {
    // A UUID that was made here.
    id: made.id as TransactionId,
    userAddress,
    originAsset: asked.originAsset,
    destinationAsset: asked.destinationAsset,
    originChain: origin.blockchain,
    destinationChain: destination.blockchain,
    originDecimals: origin.decimals,
    destinationDecimals: destination.decimals,
    swapType: asked.swapType,
    recipient: asked.recipient,
    recipientType: asked.recipientType,
    depositType: asked.depositType,
    refundType: asked.refundType,
    refundTo: asked.refundTo,
    slippageTolerance: asked.slippageTolerance,
    appFees: grantedFees(quoteRequest.appFees).appFees,
    hasApiKey: made.hasApiKey,
    // Both were checked to be there when the quote was compared with what was asked.
    depositAddress: quote.depositAddress!,
    depositMemo: quote.depositMemo ?? null,
    depositBy: new Date(parseIsoMillis(asked.deadline)!),
    inactiveAt: new Date(parseIsoMillis(quote.deadline!)!),
    timeEstimateSeconds: quote.timeEstimate,
    amountIn: quote.amountIn,
    amountOut: quote.amountOut,
    minAmountIn: quote.minAmountIn,
    minAmountOut: leastDelivery(asked.swapType, quote),
    amountInUsd: decimalOf(quote.amountInUsd),
    amountOutUsd: decimalOf(quote.amountOutUsd),
    depositedAmountUsd: null,
    refundedAmountUsd: null,
    slippage: null,
    refundFee: quote.refundFee ?? null,
    withdrawFee: quote.withdrawFee ?? null,
    intentHashes: [],
    nearTxHashes: [],
    correlationId: correlationId || null,
    status: "pending",
    substatus: "awaiting_deposit",
    upstreamStatus: null,
    depositShown: false,
    depositedAmount: null,
    missingAmount: null,
    refundedAmount: null,
    refundReason: null,
    originTxs: [],
    destinationTxs: [],
    stalled: false,
    needsReview: false,
    createdAt: now,
    updatedAt: now,
    progressedAt: now,
    lastCheckedAt: null,
    lane: 2,
    nextPollAt: null,
    attempts: 0,
    unreadableAnswers: 0,
    version: 1,
    reported: false,
  }
  return { ...row, nextPollAt: new Date(made.millis + nextPollMillis(pollFacts(row, made.millis), 0.5)) }
}
