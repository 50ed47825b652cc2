import { Array as Arr, Clock, Context, Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { IngestLog } from "../inbox/IngestLog.ts"
import { type Fence, type LeaseLost, leaseStatements } from "../leader/Lease.ts"
import { followedPools } from "../pools/FollowedPools.ts"
import { ChainHistory, HistoryIncomplete, problemOf } from "../sources/ChainHistory.ts"
import { REFUSED_MAX } from "../sources/FetchTransactions.ts"
import { countedAlone, RequestCount } from "../sources/RequestCount.ts"
import { gapsOf, type SlotRange } from "../sources/SlotRanges.ts"
import { DROP_AT_ONCE, judgement } from "./Judgement.ts"
import { listingProof, type ProvenListing } from "./ProveListing.ts"
import { reconcileStatements } from "./ReconcileStatements.ts"
import { programSubject } from "./Subject.ts"
import { UnreadSlots } from "./UnreadSlots.ts"

/** Listings of a round. Slots that cannot be proven leave a gap each. */
const GAPS_MAX = 100

/** What a round found. */
export interface Round {
  readonly finalizedSlot: bigint
  /** Transactions of the chain that had never been delivered. */
  readonly missing: number
  /** Transactions that were delivered and are not on the chain, or not with these contents. */
  readonly dropped: number
  readonly proven: ReadonlyArray<SlotRange>
  /** Why slots are not proven whose transactions no source has whole; null where there are none. */
  readonly problem: string | null
}

/** A page of a range, and what it lacked. */
export type ProvenPage = Omit<ProvenListing, "dropped">

/**
 * Compares the log with the finalized transactions of the program, range by range. Trades on migrated pools are not among them, unless
 * their transactions also call the program: `PoolReconciler` proves those. When the chain does not answer, or contradicts itself,
 * nothing is concluded.
 */
export class Reconciler extends Context.Service<
  Reconciler,
  {
    /** Proves unproven slots from `originSlot` to the finalized slot: all but those that wait, as many gaps as a round has listings for. */
    readonly round: (originSlot: bigint, fence: Fence) => Effect.Effect<Round, HistoryIncomplete | LeaseLost | SqlError>
    /** Proves a range of finalized slots, page by page, whatever waits; a failure of `onProven` ends it, and what is proven stays. */
    readonly prove: <E = never>(
      range: SlotRange,
      fence: Fence,
      onProven?: (page: ProvenPage) => Effect.Effect<void, E>,
    ) => Effect.Effect<Omit<Round, "finalizedSlot">, HistoryIncomplete | LeaseLost | SqlError | E>
  }
>()("@launch-registry/indexer/finality/Reconciler") {
  static readonly layer = Layer.effect(
    Reconciler,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const history = yield* ChainHistory
      const log = yield* IngestLog
      const lease = leaseStatements(sql)
      const inbox = reconcileStatements(sql)
      const program = programSubject(sql)
      const { coverage } = program
      const followed = followedPools(sql)
      const { dropWrong, judge, judgeClosely, uncover } = yield* judgement
      const proveListing = yield* listingProof

      const unreadSlots = new UnreadSlots()

      const proveRange = Effect.fn("Reconciler.prove")(function* <E = never>(
        range: SlotRange,
        fence: Fence,
        onProven: (page: ProvenPage) => Effect.Effect<void, E>,
      ) {
        const counter = yield* RequestCount
        const after = yield* program.firstCoveredAbove(range.toSlot)
        const found = yield* Stream.runCollect(
          Stream.mapEffect(history.list(program.address, range, after), (listing) =>
            Effect.gen(function* () {
              const page = yield* proveListing(program, listing, fence)
              yield* onProven(page)
              const [unread] = page.unread
              if (unread !== undefined && counter.refused >= REFUSED_MAX)
                return yield* new HistoryIncomplete({ reason: problemOf(unread.problem) })
              return page
            }),
          ),
        )
        const [unread] = found.flatMap((page) => page.unread)
        return {
          missing: found.reduce((sum, { missing }) => sum + missing, 0),
          dropped: found.reduce((sum, { dropped }) => sum + dropped, 0),
          proven: found.flatMap(({ proven }) => proven),
          problem: unread === undefined ? null : problemOf(unread.problem),
        }
      })

      const noteUnread = ({ unread }: ProvenPage) =>
        Effect.map(Clock.currentTimeMillis, (now) => unreadSlots.add(unread, now))

      /** Transactions that arrived late in slots that were already proven, or in slots that are never proven. */
      const checkLate = Effect.fnUntraced(function* (originSlot: bigint, finalizedSlot: bigint, fence: Fence) {
        const checked = yield* inbox.checkedOffset
        const head = yield* log.head
        if (head === checked) return 0
        let dropped = 0
        const late = yield* inbox.lateEntries(checked, head)
        for (const some of Arr.chunksOf(late, DROP_AT_ONCE)) {
          const { closely, loosely } = yield* program.unlisted(some)
          const judged = yield* judgeClosely(closely, finalizedSlot, program)
          yield* uncover(judged, program, fence)
          dropped += yield* dropWrong([...judged, ...(yield* judge(loosely, finalizedSlot))], fence)
        }
        const strays = yield* inbox.strayEntries(checked, head, originSlot, yield* history.processedSlot)
        for (const some of Arr.chunksOf(strays, DROP_AT_ONCE))
          dropped += yield* dropWrong(yield* judge(some, finalizedSlot), fence)
        yield* inbox.setCheckedOffset(head)
        return dropped
      })

      const round = Effect.fn("Reconciler.round", { kind: "consumer", root: true })(function* (
        originSlot: bigint,
        fence: Fence,
      ) {
        const finalizedSlot = yield* history.finalizedSlot
        // Pools that are not followed yet do not answer for their trades.
        yield* followed.follow(fence)
        let dropped = yield* checkLate(originSlot, finalizedSlot, fence)
        let missing = 0
        const proven: Array<SlotRange> = []
        yield* Effect.andThen(lease.hold(fence), coverage.join).pipe(sql.withTransaction)
        const range = { fromSlot: originSlot, toSlot: finalizedSlot }
        const waiting = unreadSlots.waiting(yield* Clock.currentTimeMillis)
        const gaps = gapsOf([...(yield* coverage.all), ...waiting], range)
        let problem: string | null = null
        for (const gap of unreadSlots.inTurn(gaps).slice(0, GAPS_MAX)) {
          const found = yield* proveRange(gap, fence, noteUnread)
          missing += found.missing
          dropped += found.dropped
          proven.push(...found.proven)
          problem ??= found.problem
        }
        unreadSlots.keep(gapsOf(yield* coverage.all, range))
        problem ??= unreadSlots.problem
        if (problem !== null) yield* Effect.logWarning(`Slots stay unproven: ${problem}`)
        if (missing > 0) yield* Effect.logInfo(`Fetched ${missing} transactions that were never delivered`)
        return { finalizedSlot, missing, dropped, proven, problem }
      })

      return Reconciler.of({
        round: (originSlot, fence) => countedAlone(round(originSlot, fence)),
        prove: (range, fence, onProven = () => Effect.void) => countedAlone(proveRange(range, fence, onProven)),
      })
    }),
  )
}
