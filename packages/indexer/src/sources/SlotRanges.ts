/** Slots from the first to the last, both included. */
export interface SlotRange {
  readonly fromSlot: bigint
  readonly toSlot: bigint
}

/** The same slots as ranges that neither overlap nor touch, in order. */
export const union = (ranges: ReadonlyArray<SlotRange>): ReadonlyArray<SlotRange> => {
  const merged: Array<SlotRange> = []
  for (const { fromSlot, toSlot } of ranges.toSorted((left, right) => (left.fromSlot < right.fromSlot ? -1 : 1))) {
    const last = merged.at(-1)
    // Nothing but slots: other facts of a part do not hold for the whole.
    if (last === undefined || fromSlot > last.toSlot + 1n) merged.push({ fromSlot, toSlot })
    else if (toSlot > last.toSlot) merged[merged.length - 1] = { fromSlot: last.fromSlot, toSlot }
  }
  return merged
}

/** The slots of `within` that are in none of the ranges, in order. */
export const gapsOf = (ranges: ReadonlyArray<SlotRange>, { fromSlot, toSlot }: SlotRange): ReadonlyArray<SlotRange> => {
  const gaps: Array<SlotRange> = []
  let next = fromSlot
  for (const range of union(ranges)) {
    if (range.toSlot < next) continue
    if (range.fromSlot > toSlot) break
    if (range.fromSlot > next) gaps.push({ fromSlot: next, toSlot: range.fromSlot - 1n })
    next = range.toSlot + 1n
  }
  if (next <= toSlot) gaps.push({ fromSlot: next, toSlot })
  return gaps
}
