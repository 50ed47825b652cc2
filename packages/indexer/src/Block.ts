import type { RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"

/**
 * The transactions of one slot, and where a source goes on after it: what Substreams calls `BlockScopedData`. A source
 * gives blocks in the order of their slots.
 */
export interface Block {
  readonly slot: bigint
  readonly transactions: ReadonlyArray<RawTransaction>
  readonly cursor: string
}

/** The blocks of `transactions`, in order; the cursor of a block is its slot. */
export const toBlocks = (transactions: ReadonlyArray<RawTransaction>): ReadonlyArray<Block> => {
  const bySlot = new Map<number, Array<RawTransaction>>()
  for (const transaction of transactions) {
    const block = bySlot.get(transaction.slot)
    if (block === undefined) bySlot.set(transaction.slot, [transaction])
    else block.push(transaction)
  }
  return [...bySlot]
    .sort(([left], [right]) => left - right)
    .map(([slot, inSlot]) => ({
      slot: BigInt(slot),
      transactions: inSlot.toSorted((left, right) => (left.indexWithinBlock ?? 0) - (right.indexWithinBlock ?? 0)),
      cursor: String(slot),
    }))
}
