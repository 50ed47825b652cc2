import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Clock, Context, Effect, Latch, Queue } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** What commits tell of: the log of received transactions, the changes of the index, submissions. */
export type Topic = "log" | "changes" | "submissions"

const CHANNEL = "token_launch_registry"

/** A notification can be lost with its connection, or a writer be of an older version: once in so long is looked without one. */
const LOOK_MILLIS = 5_000
const RECONNECT_MILLIS = 1_000

const REAL_TIME = Context.get(Context.empty(), Clock.Clock)

/**
 * Who waits for a commit of any process is woken by `NOTIFY`, which PostgreSQL sends when the transaction has committed. Without a
 * connection that listens, as behind a pooler in transaction mode, the wait is `pollMillis`.
 */
export class CommitNotices extends Context.Reference<{
  /** The wait of one follower: the first ends at once, others once something was committed after it last ended, or after some time. */
  readonly follow: (topic: Topic, pollMillis: number) => Effect.Effect<void>
}>("@launch-registry/postgres/CommitNotices", {
  defaultValue: () => ({ follow: (_, pollMillis) => Effect.sleep(pollMillis) }),
}) {}

/** Part of a statement that writes: its commit wakes those who follow the topic. */
export const notifying = (sql: SqlClient, topic: Topic) => sql`pg_notify(${CHANNEL}, ${topic})`

/** Listens on a connection of its own, which is opened again when it ends. Opens none while nobody follows. */
export const listening = Effect.fnUntraced(function* (config: PgConnection.Config) {
  const waits = new Map<Topic, Set<Latch.Latch>>()
  const hasFollowers = Latch.makeUnsafe(false)
  let isListening = false

  const wake = (topic: string) => waits.get(topic as Topic)?.forEach((wait) => wait.openUnsafe())
  const wakeAll = () => [...waits.keys()].forEach(wake)

  const listen = Effect.gen(function* () {
    const connection = yield* PgConnection.make(config)
    const notifications = yield* connection.listen(CHANNEL)
    isListening = true
    // What was committed before is not told of.
    wakeAll()
    while (true) wake((yield* Queue.take(notifications)).payload)
  }).pipe(Effect.scoped)

  yield* Effect.andThen(hasFollowers.await, Effect.ignore(listen)).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        isListening = false
        wakeAll()
      }),
    ),
    Effect.andThen(Effect.sleep(RECONNECT_MILLIS)),
    Effect.forever,
    Effect.provideService(Clock.Clock, REAL_TIME),
    Effect.forkScoped,
  )

  const follow = (topic: Topic, pollMillis: number) => {
    const wait = Latch.makeUnsafe(true)
    const followers = waits.get(topic) ?? new Set()
    waits.set(topic, followers.add(wait))
    hasFollowers.openUnsafe()
    return Effect.suspend(() => Effect.timeoutOption(wait.await, isListening ? LOOK_MILLIS : pollMillis)).pipe(
      Effect.andThen(wait.close),
      Effect.asVoid,
    )
  }
  return { follow }
})
