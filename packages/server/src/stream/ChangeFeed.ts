import { Busy } from "@launch-registry/domain/http/LimitErrors"
import { ChangeFigures, type ShownChange } from "@launch-registry/domain/stream/ShownChange"
import type { StreamReset } from "@launch-registry/domain/stream/StreamApi"
import { CommitNotices } from "@launch-registry/postgres/CommitNotices"
import { regularly, untilDone } from "@launch-registry/postgres/Regularly"
import { Clock, Context, Effect, Fiber, Latch, Layer, Option, type Scope, Semaphore, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { changeLog } from "./ChangeLog.ts"
import { afterCommit, type ChangePosition, continuesAt, idOf } from "./ChangePosition.ts"
import { type ChangeFilter, type Commit, type CommittedChange, mayConcern } from "./Commit.ts"
import { RecentCommits } from "./RecentCommits.ts"
import { resumePoint } from "./ResumePoint.ts"
import { marketFeed } from "./MarketFeed.ts"
import { submissionFeed } from "./SubmissionFeed.ts"
import { STREAM_LIMITS, type StreamLimits } from "./StreamLimits.ts"
import { CHUNK_BYTES, Subscriber } from "./Subscriber.ts"
import { reportUnreadable } from "../tokens/UnreadableReport.ts"

/** Interval of heartbeat and stall checks, at most half a heartbeat. */
const TICK_MILLIS = 1_000
/** Retry delay of a history read after a database error. */
const RETRY_MILLIS = 1_000
/** Concurrent history reads: after a restart all clients reconnect at once. */
const HISTORY_READS = 4
/** Size of a history read, all of which is written to the socket at once. */
const HISTORY_BYTES = 65_536
/** Reconnect delay of an EventSource. */
const RECONNECT_MILLIS = 2_000

/** Filters and resume point of a subscriber. */
export interface Subscription {
  readonly types: ReadonlySet<string>
  readonly mints: ReadonlyArray<string> | undefined
  /** Id of the last event it received. */
  readonly lastEventId: string | undefined
  /** Signatures of submissions whose states it is sent as well. */
  readonly submissions: ReadonlyArray<string>
  /** Mints whose figures it is sent as well. */
  readonly markets: ReadonlyArray<string>
}

/**
 * Streams the indexer's commits to subscribers. One fiber follows `index_changes` while there are subscribers and buffers
 * recent commits once for all of them. A subscriber reads from the buffer when its connection has drained, so nothing
 * is queued for a slow reader: if the buffer moves past its position, it is disconnected. A resuming subscriber first
 * reads what it missed from the database, a write at a time.
 */
export class ChangeFeed extends Context.Service<
  ChangeFeed,
  {
    /** The encoded stream; the subscription lasts as long as the scope. Dies if the database is unavailable. */
    readonly open: (subscription: Subscription) => Effect.Effect<Stream.Stream<Uint8Array>, Busy, Scope.Scope>
    /** The changes of these types from now on, as they are shown, for a reader in this process. Dropped when it is slow, as the others are. */
    readonly changes: (
      types: ReadonlySet<string>,
    ) => Effect.Effect<Stream.Stream<ReadonlyArray<ShownChange>>, never, Scope.Scope>
    /** Counts one more reader, who is told by such a one, until the scope closes. */
    readonly hold: Effect.Effect<void, Busy, Scope.Scope>
    /** Ends all streams, including those opened from now on. */
    readonly end: Effect.Effect<void>
    /** How many streams are open. */
    readonly subscribers: () => number
  }
>()("@launch-registry/server/stream/ChangeFeed") {
  static readonly layer = (options: Partial<StreamLimits> = {}) =>
    Layer.effect(
      ChangeFeed,
      Effect.gen(function* () {
        const limits = { ...STREAM_LIMITS, ...options }
        const readChanges = changeLog(yield* SqlClient, yield* ChangeFigures)
        const notices = yield* CommitNotices
        const recent = new RecentCommits(limits.recentCharactersMax)
        const subscribers = new Set<Subscriber>()
        /** Those that have seen all commits. */
        const waiting = new Set<Subscriber>()
        const hasSubscribers = Latch.makeUnsafe(false)
        const polling = Semaphore.makeUnsafe(1)
        const report = reportUnreadable("The stream")
        const historyReads = Semaphore.makeUnsafe(HISTORY_READS)
        const submitted = yield* submissionFeed(limits.submissionMillis)
        const traded = yield* marketFeed(limits.marketMillis)
        /** Readers who are told by a subscriber. */
        let others = 0
        let isFollowing = false
        let isEnding = false

        const endAll = () => subscribers.forEach((subscriber) => subscriber.end())

        const append = (commits: ReadonlyArray<Commit>) => {
          // Subscribers had the duration of a query to drain. One that is not waiting for the socket has drained, or
          // reads from the database.
          for (const subscriber of subscribers) {
            const { handedAt, isLive, position } = subscriber
            if (isLive && handedAt !== undefined && recent.since(position) === undefined) subscriber.drop()
          }
          for (const commit of commits) {
            recent.append(commit)
            // Who wakes may wait again at once.
            const concerned = [...waiting].filter(({ filter }) => mayConcern(commit, filter))
            for (const subscriber of concerned) subscriber.wake?.(commit.after)
          }
        }

        /** Reads all new commits. Without followers so far, it starts at the latest commit. */
        const poll = Effect.gen(function* () {
          for (let isBehind = true; isBehind;) {
            const from = isFollowing ? recent.last : Number.MAX_SAFE_INTEGER - 1
            const { commits, last } = yield* readChanges(afterCommit(from))
            yield* report(commits)
            if (subscribers.size === 0) return
            if (!isFollowing) {
              recent.startAfter(last)
              isFollowing = true
            } else if (last < recent.last || !isChain(recent.last, commits)) {
              // The commits do not continue: another history, so subscribers must reconnect, and get a reset if they have what is not in it.
              yield* Effect.logWarning(`The changes of the index continue at ${last} instead of after ${recent.last}`)
              recent.startAfter(last)
              endAll()
            } else if (commits.length > 0) append(commits)
            isBehind = recent.last < last
          }
        }).pipe(polling.withPermit)

        /** Wakes subscribers for a heartbeat, and drops stalled connections. */
        const checkSubscribers = Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          for (const subscriber of subscribers) {
            if (now - (subscriber.handedAt ?? now) > limits.stallMillis) subscriber.drop()
            else if (now - subscriber.sentAt >= limits.heartbeatMillis) subscriber.wake?.()
          }
        })

        const readInTurn = (position: ChangePosition, bytes = HISTORY_BYTES) =>
          historyReads.withPermit(readChanges(position, bytes))

        /** Commits after a position; none if they were pruned, `undefined` if the read must be retried. */
        const readHistory = (position: ChangePosition) =>
          readInTurn(position).pipe(
            Effect.map(({ commits }) => (commits[0] !== undefined && continuesAt(position, commits[0]) ? commits : [])),
            Effect.catch((error: SqlError) =>
              Effect.logDebug("Reading the history for a subscriber failed", error).pipe(
                Effect.andThen(Effect.sleep(RETRY_MILLIS)),
                Effect.as(undefined),
              ),
            ),
          )

        const news = (subscriber: Subscriber) =>
          Effect.callback<void>((resume) => {
            if (subscriber.isEnded || subscriber.follower.hasNews || recent.last > subscriber.position.commit)
              return resume(Effect.void)
            waiting.add(subscriber)
            subscriber.wake = (seen = recent.last) => {
              subscriber.wake = undefined
              waiting.delete(subscriber)
              // What it read from the database may be later than what is held.
              if (seen > subscriber.position.commit) subscriber.position = afterCommit(seen)
              resume(Effect.void)
            }
          })

        /** What the connection gets now. */
        const handed = (subscriber: Subscriber, part: StreamPart) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            subscriber.sentAt = now
            subscriber.handedAt = now
            return Option.some(part)
          })

        /** What is next; none if the stream has ended. */
        const next = Effect.fnUntraced(function* (subscriber: Subscriber) {
          subscriber.handedAt = undefined
          while (!subscriber.isEnded) {
            const states = subscriber.follower.take()
            if (states !== undefined) return yield* handed(subscriber, states)
            const held = recent.since(subscriber.position)
            subscriber.isLive = held !== undefined
            const commits = held ?? (yield* readHistory(subscriber.position))
            if (commits === undefined) continue
            if (held === undefined && commits.length === 0) break
            const changes = subscriber.take(commits, subscriber.isLive ? CHUNK_BYTES : Number.POSITIVE_INFINITY)
            const now = yield* Clock.currentTimeMillis
            if (changes.length > 0) return yield* handed(subscriber, changes)
            if (now - subscriber.sentAt >= limits.heartbeatMillis)
              return yield* handed(subscriber, subscriber.heartbeat())
            if (subscriber.isLive) yield* news(subscriber)
          }
          return Option.none()
        })

        const requirePlace = Effect.suspend(() =>
          subscribers.size + others >= limits.subscribersMax
            ? Effect.fail(new Busy({ resource: "streams" }))
            : Effect.void,
        )

        const subscribe = Effect.fnUntraced(function* (filter: ChangeFilter) {
          const subscriber = new Subscriber(Fiber.getCurrent()!, filter, yield* Clock.currentTimeMillis)
          yield* Effect.acquireRelease(
            Effect.sync(() => {
              subscribers.add(subscriber)
              hasSubscribers.openUnsafe()
            }),
            () =>
              Effect.sync(() => {
                subscribers.delete(subscriber)
                waiting.delete(subscriber)
                if (subscribers.size > 0) return
                hasSubscribers.closeUnsafe()
                isFollowing = false
              }),
          )
          yield* Effect.orDie(poll)
          // It has no position yet that could belong to another history.
          subscriber.isEnded = isEnding
          return subscriber
        })

        const partsOf = (subscriber: Subscriber) =>
          Stream.paginate(undefined, () =>
            Effect.map(next(subscriber), (part) => [Option.toArray(part), Option.as(part, undefined)] as const),
          )

        const open = Effect.fn("ChangeFeed.open")(function* ({
          lastEventId,
          markets,
          mints,
          submissions,
          types,
        }: Subscription) {
          yield* requirePlace
          const subscriber = yield* subscribe({ types, mints: mints && new Set(mints) })
          yield* submitted.follow(subscriber.follower, submissions)
          yield* traded.follow(subscriber.follower, markets)
          const { position, reset } = yield* Effect.orDie(resumePoint(readInTurn, recent, lastEventId))
          subscriber.position = position
          return Stream.make(opening(position, reset)).pipe(
            Stream.concat(Stream.map(partsOf(subscriber), (part) => (Buffer.isBuffer(part) ? part : framesOf(part)))),
          )
        })

        const changes = Effect.fn("ChangeFeed.changes")(function* (types: ReadonlySet<string>) {
          const subscriber = yield* subscribe({ types, mints: undefined })
          subscriber.position = afterCommit(recent.last)
          return Stream.map(partsOf(subscriber), (part) =>
            Buffer.isBuffer(part) ? [] : part.map(({ shown }) => shown),
          )
        })

        const hold = Effect.acquireRelease(
          Effect.andThen(
            requirePlace,
            Effect.sync(() => void others++),
          ),
          () => Effect.sync(() => void others--),
        )

        const end = Effect.sync(() => {
          isEnding = true
          endAll()
        })

        const changed = notices.follow("changes", limits.pollMillis)
        const readNew = untilDone("Following the changes of the index", limits.pollMillis, poll)
        const tickMillis = Math.min(TICK_MILLIS, limits.heartbeatMillis / 2)
        yield* hasSubscribers.await.pipe(
          Effect.andThen(changed),
          Effect.andThen(readNew),
          Effect.forever,
          Effect.forkScoped,
        )
        yield* Effect.andThen(hasSubscribers.await, checkSubscribers).pipe(
          (checking) => regularly("Checking subscribers", tickMillis, checking),
          Effect.forkScoped,
        )
        return ChangeFeed.of({ open, changes, hold, end, subscribers: () => subscribers.size + others })
      }),
    )
}

/** Whether each commit follows the one before it, the first one `after`. */
const isChain = (after: number, commits: ReadonlyArray<Commit>): boolean =>
  commits.every((commit, index) => commit.after === (commits[index - 1]?.id ?? after))

/** Bytes of the stream, or changes that become events. */
type StreamPart = Buffer | ReadonlyArray<CommittedChange>

const framesOf = (changes: ReadonlyArray<CommittedChange>): Buffer => Buffer.concat(changes.map(({ frame }) => frame))

/** The first lines: reconnect delay, start position, and the reset event if there is one. */
const opening = (position: ChangePosition, reset: StreamReset | undefined): Buffer => {
  const event = reset === undefined ? "" : `event: reset\ndata: ${JSON.stringify(reset)}\n`
  return Buffer.from(`retry: ${RECONNECT_MILLIS}\n: changes of the index\nid: ${idOf(position)}\n${event}\n`)
}
