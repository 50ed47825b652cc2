import { joinCandles } from "./CandleFold.ts"
import type { DatabaseChanges, Undecodable } from "./DatabaseChanges.ts"

/** The changes of a part of a batch, and its number of transactions. */
export interface PartOfChanges {
  readonly changes: DatabaseChanges
  readonly transactions: number
}

/** The changes of all parts, the same as of the whole batch. */
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
    claims: parts.flatMap(({ changes }) => changes.claims),
    candles: joinCandles(parts.map(({ changes }) => changes.candles)),
    undecodable,
  }
}
