import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { coverageStatements } from "../finality/CoverageStatements.ts"
import { Reconciler } from "../finality/Reconciler.ts"
import { IngestLog } from "../inbox/IngestLog.ts"
import type { Fence } from "../leader/Lease.ts"
import { Sink } from "../sink/Sink.ts"
import { ChainHistory, HistoryIncomplete } from "../sources/ChainHistory.ts"
import { gapsOf, type SlotRange } from "../sources/SlotRanges.ts"
import { type JobRow, jobStatements } from "./JobStatements.ts"
import { JobCancelled, TurnOver, startOfTurn } from "./Turn.ts"

const FOLDED_MILLIS = 100

const lengthOf = ({ fromSlot, toSlot }: SlotRange): bigint => toSlot - fromSlot + 1n
const slotsOf = (ranges: ReadonlyArray<SlotRange>): bigint => ranges.reduce((sum, one) => sum + lengthOf(one), 0n)

/** Where a backfill is on its way down, and why slots above are not proven that it has passed. */
export interface Descent {
  top: bigint | undefined
  problem: string | undefined
}

/**
 * Proves the slots of a job in turns, the newest first. A turn sees what was proven in between, by the regular rounds as well: no slot is
 * proven twice. Slots of what no source has whole are passed, and tried again from the top once all others are proven.
 */
export const backfillJob = Effect.gen(function* () {
  const sql = yield* SqlClient
  const history = yield* ChainHistory
  const reconciler = yield* Reconciler
  const sink = yield* Sink
  const log = yield* IngestLog
  const coverage = coverageStatements(sql)
  const jobs = jobStatements(sql)

  /** Inclusive; `undefined` if the slots are not final yet. */
  const rangeOf = Effect.fnUntraced(function* ({ fromSlot, id, toSlot }: JobRow) {
    const finalized = yield* history.finalizedSlot
    const end = toSlot === null || toSlot > finalized ? finalized : toSlot
    if (fromSlot === null || fromSlot > end) return undefined
    if (toSlot === null) yield* jobs.setEnd(id, end)
    return { fromSlot, toSlot: end } satisfies SlotRange
  })

  /** Proves for a while, and tells of each page that proved slots how many transactions it lacked; whether nothing is left. */
  const turn = Effect.fnUntraced(function* (
    id: bigint,
    range: SlotRange,
    descent: Descent,
    fence: Fence,
    onProven: (missing: number) => void,
  ) {
    const total = lengthOf(range)
    const covered = yield* coverage.all
    let left = slotsOf(gapsOf(covered, range))
    const note = Effect.suspend(() => jobs.progress(id, { done: total - left, total }))
    if (!(yield* note)) return yield* new JobCancelled()
    if (left === 0n) return true
    const gap = gapsOf(covered, { ...range, toSlot: descent.top ?? range.toSlot }).at(-1)
    if (gap === undefined) {
      descent.top = undefined
      return yield* new HistoryIncomplete({ reason: descent.problem ?? "slots above are not proven any more" })
    }
    const isOver = yield* startOfTurn
    const prove = reconciler.prove(gap, fence, (page) =>
      Effect.gen(function* () {
        left -= slotsOf(page.proven)
        if (page.proven.length > 0) onProven(page.missing)
        if (!(yield* note)) return yield* new JobCancelled()
        if (isOver()) return yield* new TurnOver()
      }),
    )
    const proven = yield* Effect.catchTag(prove, "TurnOver", () => Effect.succeed(undefined))
    if (proven === undefined) return false
    descent.top = gap.fromSlot - 1n
    if (proven.problem !== null) {
      descent.problem = proven.problem
      yield* jobs.note(id, proven.problem)
    }
    return false
  })

  /** Until the tables have what is in the log now. */
  const folded = Effect.gen(function* () {
    const head = yield* log.head
    yield* Effect.repeat(Effect.andThen(Effect.sleep(FOLDED_MILLIS), sink.cursor), {
      until: (cursor) => cursor >= head,
    })
  })

  return { rangeOf, turn, folded }
})
