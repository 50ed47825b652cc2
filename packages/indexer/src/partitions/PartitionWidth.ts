import type { PartitionedRange } from "./PartitionedRange.ts"

/** Partitions of the time that trades are kept. */
const KEPT = 8n
const HOURS_PER_DAY = 24n
const MILLIS_PER_HOUR = 3_600_000

/** Hours of facts in one partition where they are kept for so many days: at least a day, and about a dozen partitions are there. */
export const hoursOf = (keptDays: number): bigint => {
  const hours = (BigInt(keptDays) * HOURS_PER_DAY) / KEPT
  return hours < HOURS_PER_DAY ? HOURS_PER_DAY : hours
}

/** The same in the unit of a table, where a slot takes so long. */
export const widthOf = ({ unit }: PartitionedRange, hours: bigint, slotMillis: number): bigint =>
  unit === "hours" ? hours : BigInt(Math.round((Number(hours) * MILLIS_PER_HOUR) / slotMillis))

/** From so many on, new partitions are wider, and wider again with every four more, so that plans and locks stay small while nothing is dropped. */
const WIDER_FROM = 24
const WIDER_EVERY = 4

/** How wide the next partition is beside so many. */
export const widened = (width: bigint, count: number): bigint =>
  count < WIDER_FROM ? width : width * 2n ** BigInt(1 + Math.floor((count - WIDER_FROM) / WIDER_EVERY))
