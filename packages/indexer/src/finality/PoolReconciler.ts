import { Array as Arr, Clock, Context, Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { DROP_AT_ONCE, judgement } from "./Judgement.ts"
import { listingProof } from "./ProveListing.ts"
import { type Fence, type LeaseLost, leaseStatements } from "../leader/Lease.ts"
import { ChainHistory, type HistoryIncomplete, type Listing, problemOf } from "../sources/ChainHistory.ts"
import { RequestCount } from "../sources/RequestCount.ts"
import { gapsOf, type SlotRange } from "../sources/SlotRanges.ts"
import { type FollowedCount, type FollowedPool, followedPools } from "../pools/FollowedPools.ts"
import { poolEntries } from "../pools/PoolEntries.ts"
import { poolSubject } from "./Subject.ts"
import { pauseAfter, pauseAfterFailure, type ProofPace } from "./ProofPace.ts"

/** What a round over the pools found. */
export interface PoolRound extends FollowedCount {
  /** Transactions of pools that had never been delivered. */
  readonly missing: number
  /** Transactions that were delivered and are not on the chain, or not with these contents. */
  readonly dropped: number
  /** Pools that were compared up to the finalized slot. */
  readonly proven: number
  readonly requests: number
  /** Why some were not; null when nothing failed. */
  readonly problem: string | null
}

/** Segments of the log that are looked through at once. */
const SEGMENTS_AT_ONCE = 1_000n
/** A pool with a long history takes no more than this share of a round. */
const SHARE_MAX = 4
/** After as many failures in a row the chain is at fault, and not a pool. */
const FAILURES_MAX = 5

/** What came of a pool's turn. */
interface Turn {
  readonly missing: number
  readonly dropped: number
  /** Of its newest known transaction. */
  readonly activeSlot: bigint
  /** Whether it is proven up to the finalized slot. */
  readonly isCurrent: boolean
  /** Whether the requests were used up before all of it was proven. */
  readonly isCut: boolean
  /** Whether slots that could not be proven wait until they are tried again. */
  readonly isWaiting: boolean
  readonly problem: string | undefined
}

/**
 * Compares the log with the finalized transactions of each migrated pool, as `Reconciler` does with those of the program: the pools that
 * are due, the longest due first, as far as the requests of a round last.
 */
export class PoolReconciler extends Context.Service<
  PoolReconciler,
  {
    readonly round: (
      fence: Fence,
      pace: ProofPace,
    ) => Effect.Effect<PoolRound, HistoryIncomplete | LeaseLost | SqlError>
  }
>()("@launch-registry/indexer/finality/PoolReconciler") {
  static readonly layer = Layer.effect(
    PoolReconciler,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const history = yield* ChainHistory
      const lease = leaseStatements(sql)
      const followed = followedPools(sql)
      const entries = poolEntries(sql)
      const subjectOf = poolSubject(sql)
      const { dropWrong, judgeClosely, uncover } = yield* judgement
      const proveListing = yield* listingProof

      const held = <A, E>(work: Effect.Effect<A, E>, fence: Fence) =>
        Effect.gen(function* () {
          yield* lease.hold(fence)
          return yield* work
        }).pipe(sql.withTransaction)

      /**
       * Looks through what was folded since: pools that trade are due soon, and what arrived late in proven slots is judged. Only what is
       * folded is known to be of a pool, so whatever a proof could not see yet is late afterwards.
       */
      const lookThrough = Effect.fnUntraced(function* (finalizedSlot: bigint, fence: Fence, pace: ProofPace) {
        const upTo = yield* entries.folded
        // Of a log from before pools were followed nothing is proven, and all of them are due.
        let after = (yield* entries.checkedOffset) ?? upTo
        let dropped = 0
        while (after < upTo) {
          const next = upTo - after > SEGMENTS_AT_ONCE ? after + SEGMENTS_AT_ONCE : upTo
          const late = Map.groupBy(yield* entries.late(after, next), ({ pool }) => pool)
          for (const [pool, ofPool] of late)
            for (const some of Arr.chunksOf(ofPool, DROP_AT_ONCE)) {
              const judged = yield* judgeClosely(some, finalizedSlot, subjectOf(pool))
              yield* uncover(judged, subjectOf(pool), fence)
              dropped += yield* dropWrong(judged, fence)
            }
          const active = (yield* entries.active(after, next)).map(({ pool, slot }) => ({
            pool,
            slot: slot < finalizedSlot ? slot : finalizedSlot,
          }))
          const now = new Date(yield* Clock.currentTimeMillis)
          if (active.length > 0) yield* held(followed.markActive(active, now, pace.activeMillis), fence)
          after = next
          yield* entries.setCheckedOffset(after)
        }
        yield* entries.setCheckedOffset(upTo)
        return dropped
      })

      /** Nothing has landed since: one request, and nothing to list. */
      const isQuiet = Effect.fnUntraced(function* (pool: FollowedPool, gap: SlotRange) {
        if (pool.provenAt === null || gap.fromSlot <= pool.fromSlot) return false
        const newest = yield* history.newestSlot(pool.pool, gap.toSlot)
        return newest !== undefined && newest < gap.fromSlot
      })

      /** Proves what is not proven yet, the newest first, as long as `mayGoOn`. */
      const prove = Effect.fnUntraced(function* (
        pool: FollowedPool,
        finalizedSlot: bigint,
        fence: Fence,
        mayGoOn: () => boolean,
      ) {
        const subject = subjectOf(pool.pool)
        const now = yield* Clock.currentTimeMillis
        const gaps = gapsOf(yield* subject.coverage.all, { fromSlot: pool.fromSlot, toSlot: finalizedSlot })
        let turn: Turn = {
          ...{ missing: 0, dropped: 0, activeSlot: pool.activeSlot, problem: undefined },
          ...{ isCurrent: gaps.at(-1)?.toSlot !== finalizedSlot, isCut: false, isWaiting: false },
        }
        const proveOne = (listing: Listing) =>
          Effect.map(proveListing(subject, listing, fence), ({ dropped, missing, proven, unread: [unread] }) => {
            turn = {
              ...turn,
              missing: turn.missing + missing,
              dropped: turn.dropped + dropped,
              activeSlot: listing.listed.reduce((top, { slot }) => (slot > top ? slot : top), turn.activeSlot),
              isCurrent: turn.isCurrent || proven.some(({ toSlot }) => toSlot === finalizedSlot),
              problem: turn.problem ?? (unread && problemOf(unread.problem)),
            }
            return proven
          })
        const proveGap = Effect.fnUntraced(function* (gap: SlotRange) {
          if (gap.toSlot === finalizedSlot && (yield* isQuiet(pool, gap)))
            return void (yield* proveOne({ ...gap, listed: [] }))
          const after = yield* subject.firstCoveredAbove(gap.toSlot)
          let left = gap.toSlot - gap.fromSlot + 1n
          yield* Stream.runForEachWhile(history.list(pool.pool, gap, after), (listing) =>
            Effect.gen(function* () {
              const proven = yield* proveOne(listing)
              // A later turn goes on here, however many failed transactions name the pool.
              const lowest = listing.fromSlot > gap.fromSlot ? listing.listed.at(-1) : undefined
              if (lowest !== undefined && proven.some(({ fromSlot }) => fromSlot === listing.fromSlot))
                yield* held(subject.coverage.setFirstSignature(listing.fromSlot, lowest.signature), fence)
              left -= listing.toSlot - listing.fromSlot + 1n
              return mayGoOn()
            }),
          )
          if (left > 0n) turn = { ...turn, isCut: true }
        })
        for (const gap of gaps.toReversed()) {
          const isTop = gap.toSlot === finalizedSlot
          // What could not be proven is not asked for every time.
          if (!isTop && pool.retryAt !== null && pool.retryAt.getTime() > now) {
            turn = { ...turn, isWaiting: true }
            continue
          }
          if (turn.isCut || !mayGoOn()) return { ...turn, isCut: true }
          const result = yield* Effect.result(proveGap(gap))
          if (result._tag === "Success") continue
          if (result.failure._tag !== "HistoryIncomplete") return yield* Effect.fail(result.failure)
          return { ...turn, problem: result.failure.message }
        }
        return turn
      })

      /** One pool's turn, and when its next one is. A failure concerns this pool alone. */
      const turnOf = Effect.fnUntraced(function* (
        pool: FollowedPool,
        finalizedSlot: bigint,
        fence: Fence,
        pace: ProofPace,
        mayGoOn: () => boolean,
      ) {
        const turn = yield* prove(pool, finalizedSlot, fence, mayGoOn)
        const millis = yield* Clock.currentTimeMillis
        const failures =
          turn.problem === undefined
            ? turn.isCurrent && !turn.isCut && !turn.isWaiting
              ? 0
              : pool.failures
            : pool.failures + 1
        const retryMillis = turn.problem === undefined ? 0 : pauseAfterFailure(pool.failures, pace)
        // One that was cut short is due at once, behind those that have waited as long.
        const pause = turn.isCut ? 0 : turn.isCurrent ? pauseAfter(finalizedSlot - turn.activeSlot, pace) : retryMillis
        const next = {
          activeSlot: turn.activeSlot,
          provenAt: turn.isCurrent ? new Date(millis) : pool.provenAt,
          dueAt: new Date(millis + pause),
          failures,
          retryAt: turn.problem === undefined ? pool.retryAt : new Date(millis + retryMillis),
        }
        yield* held(followed.setNext(pool.pool, next), fence)
        return turn
      })

      const round = Effect.fn("PoolReconciler.round", { kind: "consumer", root: true })(function* (
        fence: Fence,
        pace: ProofPace,
      ) {
        yield* followed.follow(fence)
        yield* followed.amend(fence)
        const counter = { made: 0, refused: 0 }
        const start = new Date(yield* Clock.currentTimeMillis)
        const work = Effect.gen(function* () {
          const finalizedSlot = yield* history.finalizedSlot
          let dropped = yield* lookThrough(finalizedSlot, fence, pace)
          let [missing, proven, failures] = [0, 0, 0]
          let problem: string | null = null
          const share = Math.ceil(pace.requestsMax / SHARE_MAX)
          for (const pool of yield* followed.due(start, pace.requestsMax)) {
            if (counter.made >= pace.requestsMax || failures === FAILURES_MAX) break
            const most = Math.min(pace.requestsMax, counter.made + share)
            const turn = yield* turnOf(pool, finalizedSlot, fence, pace, () => counter.made < most)
            missing += turn.missing
            dropped += turn.dropped
            if (turn.isCurrent) proven++
            if (turn.problem !== undefined) problem ??= `${pool.pool}: ${turn.problem}`
            failures = turn.isCurrent || turn.problem === undefined ? 0 : failures + 1
          }
          return { missing, dropped, proven, problem }
        })
        const found = yield* Effect.provideService(work, RequestCount, counter)
        if (found.missing > 0)
          yield* Effect.logInfo(`Fetched ${found.missing} transactions of migrated pools that were never delivered`)
        const count = yield* followed.count(new Date(yield* Clock.currentTimeMillis))
        return { ...count, ...found, requests: counter.made }
      })

      return PoolReconciler.of({ round })
    }),
  )
}
