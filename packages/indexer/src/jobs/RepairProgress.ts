import { Option, Schema } from "effect"
import { NOTHING_REPAIRED, type Repaired } from "../repair/ListingRepair.ts"
import type { SlotRange } from "../sources/SlotRanges.ts"

/** Where a repair is: in the transactions of an address, of which some ranges were read. The row of its job has it. */
export interface RepairProgress {
  /** Null for the program, which comes first, because migrations tell what pools there are. */
  readonly pool: string | null
  readonly ranges: ReadonlyArray<SlotRange>
  /** Pools that are done. */
  readonly pools: number
  readonly found: Repaired
  readonly requests: number
}

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Slot = Schema.String.check(Schema.isPattern(/^\d{1,10}$/))

/** The same in the database. */
const Resume = Schema.Struct({
  pool: Schema.NullOr(Schema.String),
  ranges: Schema.Array(Schema.Struct({ fromSlot: Slot, toSlot: Slot })),
  pools: Count,
  found: Schema.Struct({
    read: Count,
    missing: Count,
    replaced: Count,
    reverted: Count,
    unread: Count,
    problem: Schema.NullOr(Schema.String),
  }),
  requests: Count,
})

const BEGIN: RepairProgress = { pool: null, ranges: [], pools: 0, found: NOTHING_REPAIRED, requests: 0 }

/** As it was stored; from the beginning where nothing was. */
export const readResume = (stored: unknown): RepairProgress =>
  Option.match(Schema.decodeUnknownOption(Resume)(stored), {
    onNone: () => BEGIN,
    onSome: ({ ranges, ...rest }) => ({
      ...rest,
      ranges: ranges.map(({ fromSlot, toSlot }) => ({ fromSlot: BigInt(fromSlot), toSlot: BigInt(toSlot) })),
    }),
  })

/** As it is stored. */
export const writeResume = ({ ranges, ...rest }: RepairProgress): string =>
  JSON.stringify({
    ...rest,
    ranges: ranges.map(({ fromSlot, toSlot }) => ({ fromSlot: String(fromSlot), toSlot: String(toSlot) })),
  })

/** With what was found since. */
export const sumOf = (
  one: Repaired,
  { missing = 0, problem = null, read = 0, replaced = 0, reverted = 0, unread = 0 }: Partial<Repaired>,
): Repaired => ({
  read: one.read + read,
  missing: one.missing + missing,
  replaced: one.replaced + replaced,
  reverted: one.reverted + reverted,
  unread: one.unread + unread,
  problem: one.problem ?? problem,
})

/** What was read and repaired, in words. */
export const summaryOf = ({ found, pools, requests }: RepairProgress): string =>
  `${found.read} transactions of the program and of ${pools} migrated pools read in ${requests} requests; ` +
  `${found.missing} were missing, ${found.replaced} differed and were replaced, ${found.reverted} are not on the chain and were reverted` +
  (found.unread === 0
    ? ""
    : `; ${found.unread} could not be read whole, and rounds ask for them again: ${found.problem}`)
