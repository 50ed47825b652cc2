import type { DecodableTransaction } from "@launch-registry/chain/launch/events/RawTransaction"

/**
 * Transactions of one block or several, and where the log goes on after them: what Substreams calls `BlockScopedData`. Their
 * order says nothing: every transaction knows its place in the chain.
 */
export interface Batch {
  /** Read one after the other, so that none needs to be kept. */
  readonly transactions: Iterable<DecodableTransaction>
  /** Offset in the log. */
  readonly cursor: bigint
}
