import type { RecipientType } from "@launch-registry/domain/bridge/BridgeQuote"
import type { SwapDetails } from "./SwapDetails.ts"

/** What the details of a swap prove, independent of its status. */
export interface SwapEvidence {
  /** A deposit was made: the swap service shows it, showed it before, or accepted its hash. */
  readonly hasDeposit: boolean
  readonly isDelivered: boolean
  readonly hasDestinationHash: boolean
  /** Something was refunded to `refundTo`: everything, or the excess. */
  readonly isRefunded: boolean
  /** The whole deposit was refunded, less the refund's fee. */
  readonly isRefundedInFull: boolean
}

const isMore = (amount: string | undefined): boolean => amount !== undefined && BigInt(amount) > 0n

const isRefundedInFull = ({ depositedAmount, refundedAmount, refundFee }: SwapDetails): boolean =>
  isMore(depositedAmount) &&
  isMore(refundedAmount) &&
  BigInt(refundedAmount!) + BigInt(refundFee ?? "0") >= BigInt(depositedAmount!)

export const evidenceOf = (facts: {
  readonly details: SwapDetails | undefined
  readonly recipientType: RecipientType
  readonly depositTxHashes: ReadonlyArray<string>
  readonly isDepositShown: boolean
}): SwapEvidence => {
  const { details } = facts
  const hasDestinationHash = (details?.destinationChainTxHashes.length ?? 0) > 0
  return {
    hasDeposit:
      facts.isDepositShown ||
      facts.depositTxHashes.length > 0 ||
      isMore(details?.depositedAmount) ||
      (details?.originChainTxHashes.length ?? 0) > 0,
    // Transfers inside the swap service have no transaction on a chain: there the amount alone is proof.
    isDelivered: isMore(details?.amountOut) || (facts.recipientType === "DESTINATION_CHAIN" && hasDestinationHash),
    hasDestinationHash,
    isRefunded: isMore(details?.refundedAmount),
    isRefundedInFull: details !== undefined && isRefundedInFull(details),
  }
}
