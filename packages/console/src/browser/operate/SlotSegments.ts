import type { SlotRange } from "@launch-registry/client"

/** A part of the line, in thousandths of its length. */
export interface Segment {
  readonly kind: "proven" | "gap"
  readonly from: number
  readonly width: number
}

const LENGTH = 1_000
/** What is narrower could not be seen, and a gap of one slot has to be. */
const WIDTH_MIN = 4

/** Proven slots and gaps on a line from the first slot that is known to the last; empty while none is. */
export const slotSegments = (
  coverage: ReadonlyArray<SlotRange>,
  gaps: ReadonlyArray<SlotRange>,
): ReadonlyArray<Segment> => {
  const all = [
    ...coverage.map((range) => ({ kind: "proven" as const, range })),
    // Above what is proven, so that the smallest can be seen.
    ...gaps.map((range) => ({ kind: "gap" as const, range })),
  ].map(({ kind, range }) => ({ kind, from: BigInt(range.fromSlot), to: BigInt(range.toSlot) }))
  if (all.length === 0) return []
  const first = all.reduce((least, { from }) => (from < least ? from : least), all[0]!.from)
  const last = all.reduce((most, { to }) => (to > most ? to : most), all[0]!.to)
  const span = last - first + 1n
  const place = (slots: bigint): number => Number((slots * BigInt(LENGTH) * 100n) / span) / 100
  return all.map(({ from, kind, to }) => {
    const width = Math.max(WIDTH_MIN, place(to - from + 1n))
    return { kind, from: Math.min(place(from - first), LENGTH - width), width }
  })
}
