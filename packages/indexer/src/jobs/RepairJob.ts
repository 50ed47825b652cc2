import { Effect, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { poolSubject, programSubject, type Subject } from "../finality/Subject.ts"
import type { Fence } from "../leader/Lease.ts"
import { followedPools } from "../pools/FollowedPools.ts"
import { listingRepair, type OnRepaired, type Repaired } from "../repair/ListingRepair.ts"
import { ChainHistory } from "../sources/ChainHistory.ts"
import { RequestCount } from "../sources/RequestCount.ts"
import { gapsOf, type SlotRange, union } from "../sources/SlotRanges.ts"
import { tradingWindowStatements } from "../sink/TradingWindows.ts"
import { jobStatements } from "./JobStatements.ts"
import { readResume, type RepairProgress, sumOf, summaryOf, writeResume } from "./RepairProgress.ts"
import { JobCancelled, TurnOver, done, failed, startOfTurn } from "./Turn.ts"

const lengthOf = ({ fromSlot, toSlot }: SlotRange): bigint => toSlot - fromSlot + 1n

/**
 * Reads the transactions of a job's slots again from the chain, those of the program and then those of each migrated pool, and repairs what
 * differs, also where the slots are proven. In turns, as a backfill; every page that is done is noted, and the next leader goes on there.
 */
export const repairJob = Effect.gen(function* () {
  const sql = yield* SqlClient
  const history = yield* ChainHistory
  const jobs = jobStatements(sql)
  const program = programSubject(sql)
  const poolOf = poolSubject(sql)
  const followed = followedPools(sql)
  const repairListing = yield* listingRepair

  /** Slots that the log takes nothing of any more. */
  const closed = ({ fromSlot, toSlot }: SlotRange) =>
    Effect.map(
      sql<{ readonly slot: bigint; readonly isPruned: boolean }>`
        select greatest(p.to_slot, 0) as slot, p.is_pruned from inbox_head h
        cross join lateral (values (h.pruned_from_slot, h.pruned_to_slot, true), (h.closed_from_slot, h.closed_to_slot, false))
          as p(from_slot, to_slot, is_pruned)
        where p.to_slot >= ${fromSlot} and p.from_slot <= ${toSlot} order by p.to_slot desc limit 1`,
      ([row]) => row,
    )

  const repairAll = Effect.fnUntraced(function* (
    subject: Subject,
    within: SlotRange,
    ranges: ReadonlyArray<SlotRange>,
    fence: Fence,
    onRepaired: OnRepaired<JobCancelled | SqlError>,
    onPage: (page: SlotRange, read: number) => Effect.Effect<void, JobCancelled | SqlError | TurnOver>,
  ) {
    for (const gap of gapsOf(ranges, within).toReversed()) {
      const after = yield* subject.firstCoveredAbove(gap.toSlot)
      yield* Stream.runForEach(history.list(subject.address, gap, after), (listing) =>
        Effect.flatMap(repairListing(subject, listing, fence, onRepaired), (read) => onPage(listing, read)),
      )
    }
  })

  /** Repairs for a while; `undefined` while something is left. */
  const turn = Effect.fnUntraced(function* (id: bigint, range: SlotRange, fence: Fence, onPage: () => void) {
    const out = yield* closed(range)
    if (out !== undefined)
      return failed(
        out.isPruned
          ? `The log has no transactions up to slot ${out.slot} any more: "refetch --yes" has them fetched and proven again, as all slots that were deleted`
          : `Trades up to slot ${out.slot} have left PostgreSQL for ClickHouse: a replay derives them from the log again`,
      )
    const isOver = yield* startOfTurn
    const row = yield* jobs.byId(id)
    let progress = readResume(row?.resume)
    const length = lengthOf(range)
    const counter = { made: 0, refused: 0 }
    /** Slots, once for the program and once for each pool. */
    const total = Effect.map(followed.countFrom(range.toSlot), (count) => length * (1n + BigInt(count)))
    const note = Effect.fnUntraced(function* (next: RepairProgress) {
      progress = { ...next, requests: next.requests + counter.made }
      counter.made = 0
      const whole = BigInt(progress.pools) + (progress.pool === null ? 0n : 1n)
      const read = progress.ranges.reduce((sum, one) => sum + lengthOf(one), 0n)
      const at = { done: whole * length + read, total: yield* total }
      if (!(yield* jobs.resume(id, at, writeResume(progress)))) return yield* new JobCancelled()
    })
    const add = (found: Partial<Repaired>, ranges = progress.ranges) =>
      note({ ...progress, ranges, found: sumOf(progress.found, found) })
    const work = Effect.gen(function* () {
      yield* note(progress)
      for (;;) {
        const { pool } = progress
        const subject = pool === null ? program : poolOf(pool)
        const from = pool === null ? undefined : (yield* followed.among([pool])).get(pool)
        const within = { ...range, fromSlot: from !== undefined && from > range.fromSlot ? from : range.fromSlot }
        yield* repairAll(subject, within, progress.ranges, fence, add, ({ fromSlot, toSlot }, read) =>
          Effect.gen(function* () {
            onPage()
            yield* add({ read }, union([...progress.ranges, { fromSlot, toSlot }]))
            if (isOver()) return yield* new TurnOver()
          }),
        )
        yield* followed.follow(fence)
        const next = yield* followed.next(pool, range.toSlot)
        const after = { ...progress, pools: progress.pools + (pool === null ? 0 : 1) }
        if (next === undefined) return { ...after, requests: after.requests + counter.made }
        yield* note({ ...after, pool: next, ranges: [] })
      }
    })
    const counted = Effect.provideService(work, RequestCount, counter)
    const ended = yield* Effect.catchTag(counted, "TurnOver", () => Effect.succeed(undefined))
    if (ended === undefined) return undefined
    yield* jobs.progress(id, { done: yield* total, total: yield* total })
    // Windows count what is inserted and reverted, and not what was wrong before.
    if (ended.found.replaced + ended.found.reverted > 0) yield* tradingWindowStatements(sql).startOver
    const ending = ended.found.unread === 0 ? done : failed
    return ending(`Slots ${range.fromSlot} to ${range.toSlot}: ${summaryOf(ended)}`)
  })

  return {
    turn,
    /** What was read and repaired until now. */
    soFar: (id: bigint) => Effect.map(jobs.byId(id), (row) => summaryOf(readResume(row?.resume))),
  }
})
