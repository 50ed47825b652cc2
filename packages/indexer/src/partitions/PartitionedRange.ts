import { firstOrdinalOf, slotOf } from "@launch-registry/solana/Ordinal"

/**
 * A table that is partitioned by a range. Its partitions follow each other without a gap: one for what is older than all that may be dropped,
 * those that are dropped one by one, and one for everything ahead of them. There is no default partition, beside which PostgreSQL would not
 * know that the partitions are in order: pages of the newest rows would read the beginning of every one.
 */
export interface PartitionedRange {
  readonly table: "trades" | "candles_minutes"
  readonly column: "ordinal" | "bucket"
  /** What bounds are counted in, everywhere but in PostgreSQL. */
  readonly unit: "slots" | "hours"
  /** Of the partition that begins there. */
  readonly nameOf: (from: bigint) => string
  /** A bound as PostgreSQL reads it. */
  readonly boundOf: (unit: bigint) => string
  /** A bound as PostgreSQL writes it. */
  readonly unitOf: (bound: string) => bigint
}

const MILLIS_PER_HOUR = 3_600_000n

export const hourOf = (time: Date): bigint => BigInt(time.getTime()) / MILLIS_PER_HOUR

/** The beginning of an hour since 1970. */
export const startOfHour = (hour: bigint): Date => new Date(Number(hour * MILLIS_PER_HOUR))

/** Trades by ordinals; bounds are whole slots. */
export const TRADES: PartitionedRange = {
  table: "trades",
  column: "ordinal",
  unit: "slots",
  nameOf: (slot) => `trades_${slot}`,
  boundOf: (slot) => `'${firstOrdinalOf(slot)}'`,
  unitOf: (bound) => slotOf(BigInt(bound)),
}

/** Minute candles by their beginning; bounds are whole hours since 1970, so that an hour has all of its minutes or none. */
export const MINUTES: PartitionedRange = {
  table: "candles_minutes",
  column: "bucket",
  unit: "hours",
  nameOf: (hour) => `candles_minutes_${startOfHour(hour).toISOString().slice(0, 13).replace(/\D/g, "")}`,
  boundOf: (hour) => `'${startOfHour(hour).toISOString()}'`,
  unitOf: (bound) => hourOf(new Date(bound)),
}

export const PARTITIONED_RANGES = [TRADES, MINUTES] as const

/** Older than all that may be dropped. */
export const olderOf = ({ table }: PartitionedRange): string => `${table}_older`

/** Ahead of what was made: rows of later times than expected, and forged ones. */
export const aheadOf = ({ table }: PartitionedRange): string => `${table}_ahead`
