import type { Holder } from "@launch-registry/domain/pools/Pool"
import type { Address } from "@launch-registry/domain/solana/Address"
import { Effect } from "effect"

const SHARE_SCALE = 1_000_000n
/** Holders that are sorted, merged or written at once: some milliseconds. Requests run in between. */
const PIECE = 5_000

interface Amount {
  readonly owner: string
  readonly amount: bigint
}

/** The largest first, those that hold the same by address. */
const order = (left: Amount, right: Amount): number =>
  left.amount === right.amount ? (left.owner < right.owner ? -1 : 1) : left.amount < right.amount ? 1 : -1

/** Who holds something, of `isHolder`, with the share of the supply. A hundred thousand take a second at most, in pieces. */
export const rankHolders = Effect.fnUntraced(function* (
  amounts: ReadonlyMap<string, bigint>,
  supply: bigint,
  isHolder: (owner: string) => boolean,
): Effect.fn.Return<ReadonlyArray<Holder>> {
  let sorted: Array<ReadonlyArray<Amount>> = []
  let piece: Array<Amount> = []
  for (const [owner, amount] of amounts) {
    if (amount > 0n && isHolder(owner)) piece.push({ owner, amount })
    if (piece.length < PIECE) continue
    sorted.push(piece.sort(order))
    piece = []
    yield* Effect.yieldNow
  }
  sorted.push(piece.sort(order))
  while (sorted.length > 1) {
    const merged: typeof sorted = []
    for (let at = 0; at < sorted.length; at += 2) {
      // A sort of two sorted runs is one merge.
      merged.push([...sorted[at]!, ...(sorted[at + 1] ?? [])].sort(order))
      yield* Effect.yieldNow
    }
    sorted = merged
  }
  const holders: Array<Holder> = []
  for (const { amount, owner } of sorted[0]!) {
    const share = supply === 0n ? 0 : Number((amount * SHARE_SCALE) / supply) / Number(SHARE_SCALE)
    holders.push({ address: owner as Address, amount: amount.toString(), share })
    if (holders.length % PIECE === 0) yield* Effect.yieldNow
  }
  return holders
})
