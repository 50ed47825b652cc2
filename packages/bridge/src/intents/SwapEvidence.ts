import type { RecipientType } from "@launch-registry/domain/bridge/BridgeQuote"
import type { SwapDetails } from "./SwapDetails.ts"

/** What the details of a swap prove, whatever its status says. */
export interface SwapEvidence {
  /** A deposit was made: the swap service shows it, showed it before, or took the hash of it. */
  readonly hasDeposit: boolean
  readonly isDelivered: boolean
  readonly hasDestinationHash: boolean
  /** Something went back to `refundTo`: all of it, or what was too much. */
  readonly isRefunded: boolean
  /** Everything that arrived went back, but for the fee of sending it. */
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
    // Inside of the swap service nothing is sent on a chain: there the amount alone is the proof.
    isDelivered: isMore(details?.amountOut) || (facts.recipientType === "DESTINATION_CHAIN" && hasDestinationHash),
    hasDestinationHash,
    isRefunded: isMore(details?.refundedAmount),
    isRefundedInFull: details !== undefined && isRefundedInFull(details),
  }
}
