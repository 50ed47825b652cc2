import { widened } from "./PartitionWidth.ts"

/** Widths that are made ahead of the newest row, at least. */
const AHEAD = 2n
/** Partitions for what is older than is kept, and those for what is kept, where there are rows already. */
const PAST_MAX = 8n
const KEPT = 8n

/** The start of the part of this width that holds a place. */
const startOf = (place: bigint, width: bigint): bigint => place - (place % width)

/**
 * Ends of the partitions that are to follow after `last`, where `count` partitions are: up to two widths ahead of the newest row. What lies
 * between `last` and the newest row, as after a pause or before the first row, is one partition.
 */
export const boundsAhead = (last: bigint, newest: bigint, width: bigint, count: number): ReadonlyArray<bigint> => {
  const bounds: Array<bigint> = []
  let end = last
  const add = (bound: bigint) => {
    end = bound
    bounds.push(bound)
  }
  if (newest - end >= width && startOf(newest, width) > end) add(startOf(newest, width))
  for (;;) {
    const wide = widened(width, count + bounds.length)
    if (end >= newest + AHEAD * width) return bounds
    add(end + wide)
  }
}

/** Where the rows of a table lie, both in its unit. */
export interface Extent {
  readonly oldest: bigint
  readonly newest: bigint
}

/**
 * Bounds of the partitions of a table that is to be filled with rows of this extent: the first of them, 0, ends what is never dropped. Rows that are
 * older than eight widths are due to be dropped soon, so they get few partitions.
 */
export const boundsFor = (extent: Extent | undefined, width: bigint): ReadonlyArray<bigint> => {
  const bounds = [0n]
  if (extent === undefined) return bounds
  const { newest, oldest } = extent
  const first = startOf(oldest, width)
  const kept = startOf(newest, width) - KEPT * width
  if (first > 0n) bounds.push(first)
  const past = kept - first
  if (past > 0n) {
    const parts = past / width < PAST_MAX ? past / width : PAST_MAX
    const step = startOf(past / parts + width - 1n, width)
    for (let bound = first + step; bound < kept; bound += step) bounds.push(bound)
    bounds.push(kept)
  }
  for (let bound = bounds.at(-1)! + width; bound <= startOf(newest, width); bound += width) bounds.push(bound)
  return [...bounds, ...boundsAhead(bounds.at(-1)!, newest, width, 0)]
}
