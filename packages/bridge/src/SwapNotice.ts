import type { BridgeOutcome } from "@launch-registry/domain/notifications/BridgeOutcomes"
import type { SwapRow } from "./SwapRow.ts"

type Ending = Pick<SwapRow, "status" | "substatus">

/** Whether a paid swap has just ended. Anyone can make quotes, so nobody is told of those that expire. */
export const isNewOutcome = (before: Ending, { status, substatus }: Ending): boolean =>
  status !== "pending" && substatus !== "expired" && (status !== before.status || substatus !== before.substatus)

/** What endpoints are told of a swap that ended. */
export const outcomeOf = (row: Omit<SwapRow, "version" | "nextPollAt">): BridgeOutcome => ({
  type: "bridge",
  id: row.id,
  status: row.status,
  substatus: row.substatus,
  userAddress: row.userAddress,
  originAsset: row.originAsset,
  destinationAsset: row.destinationAsset,
  originChain: row.originChain,
  destinationChain: row.destinationChain,
  recipient: row.recipient,
  refundTo: row.refundTo,
  depositAddress: row.depositAddress,
  depositMemo: row.depositMemo,
  amountIn: row.amountIn,
  amountOut: row.amountOut,
  depositedAmount: row.depositedAmount,
  refundedAmount: row.refundedAmount,
  refundReason: row.refundReason,
  originTxs: row.originTxs,
  destinationTxs: row.destinationTxs,
})
