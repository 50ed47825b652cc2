/** Slots from the first to the last, both included. */
export interface SlotRange {
  readonly fromSlot: bigint
  readonly toSlot: bigint
}

/** The same slots as intervals that neither overlap nor touch, in order. */
export const union = (intervals: ReadonlyArray<SlotRange>): ReadonlyArray<SlotRange> => {
  const merged: Array<SlotRange> = []
  for (const { fromSlot, toSlot } of intervals.toSorted((left, right) => (left.fromSlot < right.fromSlot ? -1 : 1))) {
    const last = merged.at(-1)
    // Nothing but slots: what else is known of an interval is not known of the whole.
    if (last === undefined || fromSlot > last.toSlot + 1n) merged.push({ fromSlot, toSlot })
    else if (toSlot > last.toSlot) merged[merged.length - 1] = { fromSlot: last.fromSlot, toSlot }
  }
  return merged
}

/** The slots of `within` that none of the intervals has, in order. */
export const gapsOf = (
  intervals: ReadonlyArray<SlotRange>,
  { fromSlot, toSlot }: SlotRange,
): ReadonlyArray<SlotRange> => {
  const gaps: Array<SlotRange> = []
  let next = fromSlot
  for (const interval of union(intervals)) {
    if (interval.toSlot < next) continue
    if (interval.fromSlot > toSlot) break
    if (interval.fromSlot > next) gaps.push({ fromSlot: next, toSlot: interval.fromSlot - 1n })
    next = interval.toSlot + 1n
  }
  if (next <= toSlot) gaps.push({ fromSlot: next, toSlot })
  return gaps
}
