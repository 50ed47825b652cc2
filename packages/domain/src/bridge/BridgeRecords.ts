import { Context, type Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { BridgeSwap } from "./BridgeSwap.ts"

/** What a BRIDGE record shows of its transfer. */
export interface RecordedTransfer extends Pick<BridgeSwap, "id" | "status" | "amountIn" | "amountOut" | "originTxs"> {
  readonly originDecimals: number
  readonly destinationDecimals: number
}

/** A transfer that was just quoted. */
export interface QuotedTransfer
  extends
    RecordedTransfer,
    Pick<
      BridgeSwap,
      | "userAddress"
      | "originAsset"
      | "originChain"
      | "destinationAsset"
      | "slippageTolerance"
      | "appFees"
      | "depositAddress"
    > {
  readonly createdAt: Date
  readonly updatedAt: Date
}

/**
 * The BRIDGE records among the transactions. Implemented by the server, which owns the table, and called by the bridge within
 * its own database transaction.
 */
export class BridgeRecords extends Context.Service<
  BridgeRecords,
  {
    readonly add: (transfer: QuotedTransfer) => Effect.Effect<void, SqlError.SqlError>
    /** Updates the record, even if a client changed it; a deleted record stays deleted. */
    readonly follow: (transfer: RecordedTransfer, now: Date) => Effect.Effect<void, SqlError.SqlError>
    /** The hash of a reported deposit that the swap service accepted; shown until the service names one itself. */
    readonly noteHash: (
      id: string,
      hash: string,
      status: BridgeSwap["status"],
      now: Date,
    ) => Effect.Effect<void, SqlError.SqlError>
    /** Deletes records as users delete them. */
    readonly remove: (ids: ReadonlyArray<string>, now: Date) => Effect.Effect<void, SqlError.SqlError>
  }
>()("@launch-registry/domain/bridge/BridgeRecords") {}
