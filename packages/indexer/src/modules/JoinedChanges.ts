import { joinCandles } from "./CandleFold.ts"
import type { DatabaseChanges, Undecodable } from "./DatabaseChanges.ts"

/** What a part of a batch changes, and how many transactions it is of. */
export interface PartOfChanges {
  readonly changes: DatabaseChanges
  readonly transactions: number
}

/** What all parts of a batch change, which is the same as running the modules over the whole of it. */
export const joinedChanges = (parts: ReadonlyArray<PartOfChanges>): DatabaseChanges => {
  const undecodable: Array<Undecodable> = []
  let before = 0
  for (const { changes, transactions } of parts) {
    for (const { index, reason } of changes.undecodable) undecodable.push({ index: before + index, reason })
    before += transactions
  }
  return {
    trades: parts.flatMap(({ changes }) => changes.trades),
    events: parts.flatMap(({ changes }) => changes.events),
    candles: joinCandles(parts.map(({ changes }) => changes.candles)),
    undecodable,
  }
}
