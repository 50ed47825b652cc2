import type { StreamReset } from "@launch-registry/domain/stream/StreamApi"
import { TooManySubscribers } from "@launch-registry/domain/stream/StreamErrors"
import { regularly } from "@launch-registry/postgres/Regularly"
import { Clock, Context, Effect, Fiber, Latch, Layer, Option, type Scope, Semaphore, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { readChanges } from "./ChangeLog.ts"
import { afterCommit, type ChangePosition, idOf, nextCommit } from "./ChangePosition.ts"
import type { ChangeFilter, Commit } from "./Commit.ts"
import { RecentCommits } from "./RecentCommits.ts"
import { resumePoint } from "./ResumePoint.ts"
import { Subscriber } from "./Subscriber.ts"
import { unreadReport } from "./UnreadReport.ts"

/** Limits of the stream of one process. */
export interface StreamLimits {
  readonly subscribersMax: number
  readonly pollMillis: number
  readonly heartbeatMillis: number
  /** A connection that does not take what it was given for so long is closed. */
  readonly stallMillis: number
  /** How much is held of the latest commits: as far as a reader may be behind. */
  readonly recentCharactersMax: number
}

const LIMITS: StreamLimits = {
  subscribersMax: 1_000,
  pollMillis: 100,
  heartbeatMillis: 15_000,
  stallMillis: 30_000,
  recentCharactersMax: 8_000_000,
}

/** Subscribers are looked after so often, and before half of a heartbeat has passed. */
const TICK_MILLIS = 1_000
/** Pause after the database did not answer a reader who catches up. */
const RETRY_MILLIS = 1_000
/** Readers of history at a time: after a restart all of them come back at once. */
const HISTORY_READS = 4
/** What an EventSource waits for before it comes back. */
const RECONNECT_MILLIS = 2_000

/** What a subscriber asks for. */
export interface Subscription {
  readonly types: ReadonlySet<string>
  readonly mints: ReadonlyArray<string> | undefined
  /** Id of the last event it has. */
  readonly lastEventId: string | undefined
}

/**
 * Everything that the indexer commits, for every subscriber from where it is. One fiber reads `index_changes` while there
 * are subscribers; what it reads is held once. A subscriber takes it from there when its connection has taken what it was
 * given before, so nothing is kept for a reader who is slow: when what is held has moved on without it, it is disconnected.
 * Who comes back is first read what it has missed from the database, as fast as it takes it.
 */
export class ChangeFeed extends Context.Service<
  ChangeFeed,
  {
    /** The text of the stream; the subscription lasts as long as the scope. Dies when the database does not answer. */
    readonly open: (
      subscription: Subscription,
    ) => Effect.Effect<Stream.Stream<Uint8Array>, TooManySubscribers, Scope.Scope>
    /** Ends all streams, and those opened from now on. */
    readonly end: Effect.Effect<void>
  }
>()("@launch-registry/server/stream/ChangeFeed") {
  static readonly layer = (options: Partial<StreamLimits> = {}) =>
    Layer.effect(
      ChangeFeed,
      Effect.gen(function* () {
        const limits = { ...LIMITS, ...options }
        const sql = yield* SqlClient
        const recent = new RecentCommits(limits.recentCharactersMax)
        const subscribers = new Set<Subscriber>()
        const hasSubscribers = Latch.makeUnsafe(false)
        const polling = Semaphore.makeUnsafe(1)
        const reportUnread = unreadReport("Streams")
        const historyReads = Semaphore.makeUnsafe(HISTORY_READS)
        let isFollowing = false
        let isEnding = false

        const endAll = () => subscribers.forEach((subscriber) => subscriber.end())

        const append = (commits: ReadonlyArray<Commit>) => {
          // They had the time of a query to take what came before. Who only waits has done so, or reads it up.
          for (const subscriber of subscribers) {
            const { handedAt, isLive, position } = subscriber
            if (isLive && handedAt !== undefined && recent.since(position) === undefined) subscriber.drop()
          }
          for (const commit of commits) recent.append(commit)
          for (const subscriber of subscribers) subscriber.wake?.()
        }

        /** Reads all there is by now. When nobody has followed so far, what there was before does not matter. */
        const poll = Effect.gen(function* () {
          for (let isBehind = true; isBehind;) {
            const from = isFollowing ? recent.last : Number.MAX_SAFE_INTEGER - 1
            const { commits, last } = yield* readChanges(sql, afterCommit(from))
            yield* reportUnread(commits)
            if (subscribers.size === 0) return
            if (!isFollowing) {
              recent.startAfter(last)
              isFollowing = true
            } else if (last < recent.last || (commits[0]?.id ?? last + 1) !== recent.last + 1) {
              // Another history than the one that was followed: who comes back is told so.
              yield* Effect.logWarning(`The changes of the index go on at ${last} and not after ${recent.last}`)
              recent.startAfter(last)
              endAll()
            } else if (commits.length > 0) append(commits)
            isBehind = recent.last < last
          }
        }).pipe(polling.withPermit)

        /** Says to each subscriber that the stream is still there, and closes connections that take nothing. */
        const lookAfter = Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          for (const subscriber of subscribers) {
            if (now - (subscriber.handedAt ?? now) > limits.stallMillis) subscriber.drop()
            else if (now - subscriber.sentAt >= limits.heartbeatMillis) subscriber.wake?.()
          }
        })

        /** Commits after the position of a subscriber; none when they are gone, `undefined` when it is to ask again. */
        const readHistory = (position: ChangePosition) =>
          readChanges(sql, position).pipe(
            historyReads.withPermit,
            Effect.map(({ commits }) => (commits[0]?.id === nextCommit(position) ? commits : [])),
            Effect.catch((error: SqlError) =>
              Effect.logDebug("A subscriber waits for the database", error).pipe(
                Effect.andThen(Effect.sleep(RETRY_MILLIS)),
                Effect.as(undefined),
              ),
            ),
          )

        const news = (subscriber: Subscriber) =>
          Effect.callback<void>((resume) => {
            if (subscriber.isEnded || recent.last > subscriber.position.commit) return resume(Effect.void)
            subscriber.wake = () => resume(Effect.void)
          })

        /** What is written next; nothing when the stream is over. */
        const next = Effect.fnUntraced(function* (subscriber: Subscriber) {
          subscriber.handedAt = undefined
          while (!subscriber.isEnded) {
            const isCatchingUp = subscriber.backlog.length > 0
            const commits = isCatchingUp ? subscriber.backlog : recent.since(subscriber.position)
            if (commits === undefined) {
              subscriber.isLive = false
              const history = yield* readHistory(subscriber.position)
              if (history?.length === 0) break
              subscriber.backlog = history ?? []
              continue
            }
            if (!isCatchingUp) subscriber.isLive = true
            const events = subscriber.take(commits)
            if (events === undefined) subscriber.backlog = []
            const now = yield* Clock.currentTimeMillis
            if (events !== undefined || now - subscriber.sentAt >= limits.heartbeatMillis) {
              subscriber.sentAt = now
              subscriber.handedAt = now
              return Option.some(events ?? subscriber.heartbeat())
            }
            if (!isCatchingUp) yield* news(subscriber)
          }
          return Option.none()
        })

        const subscribe = Effect.fnUntraced(function* (filter: ChangeFilter) {
          const limit = limits.subscribersMax
          if (subscribers.size >= limit) return yield* new TooManySubscribers({ limit })
          const subscriber = new Subscriber(Fiber.getCurrent()!, filter, yield* Clock.currentTimeMillis)
          return yield* Effect.acquireRelease(
            Effect.sync(() => {
              subscribers.add(subscriber)
              hasSubscribers.openUnsafe()
              return subscriber
            }),
            () =>
              Effect.sync(() => {
                subscribers.delete(subscriber)
                if (subscribers.size > 0) return
                hasSubscribers.closeUnsafe()
                isFollowing = false
              }),
          )
        })

        const open = Effect.fn("ChangeFeed.open")(function* ({ lastEventId, mints, types }: Subscription) {
          const subscriber = yield* subscribe({ types, mints: mints && new Set(mints) })
          yield* Effect.orDie(poll)
          // It has no place yet that could have been in another history.
          subscriber.isEnded = isEnding
          const { backlog, position, reset } = yield* Effect.orDie(resumePoint(sql, recent, lastEventId))
          subscriber.position = position
          subscriber.backlog = backlog
          return Stream.make(opening(position, reset)).pipe(
            Stream.concat(
              Stream.paginate(undefined, () =>
                Effect.map(
                  next(subscriber),
                  (events) => [Option.toArray(events), Option.as(events, undefined)] as const,
                ),
              ),
            ),
          )
        })

        const end = Effect.sync(() => {
          isEnding = true
          endAll()
        })

        const whileHeard = (what: string, everyMillis: number, work: Effect.Effect<void, SqlError>) =>
          Effect.forkScoped(regularly(what, everyMillis, Effect.andThen(hasSubscribers.await, work)))
        yield* whileHeard("Following the changes of the index", limits.pollMillis, poll)
        yield* whileHeard("Looking after subscribers", Math.min(TICK_MILLIS, limits.heartbeatMillis / 2), lookAfter)
        return ChangeFeed.of({ open, end })
      }),
    )
}

/** The first lines: when to come back, where the stream starts, and that it is not where it was asked to. */
const opening = (position: ChangePosition, reset: StreamReset | undefined): Buffer => {
  const event = reset === undefined ? "" : `event: reset\ndata: ${JSON.stringify(reset)}\n`
  return Buffer.from(`retry: ${RECONNECT_MILLIS}\n: changes of the index\nid: ${idOf(position)}\n${event}\n`)
}
