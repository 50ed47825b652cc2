import { Context, Effect, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { BridgeSwap } from "../bridge/BridgeSwap.ts"
import { field } from "../http/Field.ts"

const { fields } = BridgeSwap

/** The outcome of a cross-chain swap, as it is sent to endpoints. */
export const BridgeOutcome = Schema.Struct({
  type: field(Schema.Literal("bridge"), "Type of the event"),
  id: fields.id,
  status: fields.status,
  substatus: fields.substatus,
  userAddress: fields.userAddress,
  originAsset: fields.originAsset,
  destinationAsset: fields.destinationAsset,
  originChain: fields.originChain,
  destinationChain: fields.destinationChain,
  recipient: fields.recipient,
  refundTo: fields.refundTo,
  depositAddress: fields.depositAddress,
  depositMemo: fields.depositMemo,
  amountIn: fields.amountIn,
  amountOut: fields.amountOut,
  depositedAmount: fields.depositedAmount,
  refundedAmount: fields.refundedAmount,
  refundReason: fields.refundReason,
  originTxs: fields.originTxs,
  destinationTxs: fields.destinationTxs,
}).annotate({ identifier: "BridgeOutcome", description: "The outcome of a cross-chain swap" })
export type BridgeOutcome = typeof BridgeOutcome.Encoded

/**
 * Outcomes of swaps for endpoints. Implemented by notifications, which own the tables, and called by the bridge within its
 * own database transaction. By default nobody is told.
 */
export const BridgeOutcomes = Context.Reference<{
  readonly add: (outcome: BridgeOutcome, at: Date) => Effect.Effect<void, SqlError.SqlError>
}>("@launch-registry/domain/notifications/BridgeOutcomes", { defaultValue: () => ({ add: () => Effect.void }) })
