import { Context, Effect, Exit, type Fiber } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { ReadSource, type ReplicaConnections } from "./ReadSource.ts"

/** Keys that one statement asks for at most. */
const KEYS_MAX = 100

/** Whoever waits for the row of a key. */
interface Waiter<Row> {
  readonly key: string
  readonly resume: (row: Effect.Effect<Row | undefined, SqlError>) => void
}

/** A statement that has not begun, and from then on those who wait for it. */
interface Statement<Row> {
  readonly waiters: Set<Waiter<Row>>
  fiber: Fiber.Fiber<void> | undefined
}

/** What is asked of the primary, or of the replica. Never removed: a long-lived map that changes with every request keeps garbage: V8 keeps what its earlier tables refer to. */
interface Place<Row> {
  next: Statement<Row> | undefined
}

/**
 * Asks for the row of a key, undefined without one. Those that are asked for at the same moment of the same source share a
 * statement that has not begun yet, so that none sees less than was committed when it was asked for. Not for use within a transaction, whose
 * writes the statement would not see.
 */
export const rowsByKey = <Row>(
  keyOf: (row: Row) => string,
  select: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Row>, SqlError>,
) => {
  const places = new Map<ReplicaConnections | undefined, Place<Row>>()
  const placeOf = (replica: ReplicaConnections | undefined): Place<Row> => {
    let place = places.get(replica)
    if (place === undefined) places.set(replica, (place = { next: undefined }))
    return place
  }

  const read = (place: Place<Row>, statement: Statement<Row>): Effect.Effect<void> =>
    Effect.andThen(
      Effect.yieldNow,
      Effect.suspend(() => {
        if (place.next === statement) place.next = undefined
        const rows = Effect.map(
          select([...new Set(Array.from(statement.waiters, ({ key }) => key))]),
          (found) => new Map(found.map((row) => [keyOf(row), row])),
        )
        return Effect.matchCause(rows, {
          onFailure: (cause) => {
            for (const { resume } of statement.waiters) resume(Exit.failCause(cause))
          },
          onSuccess: (rows) => {
            for (const { key, resume } of statement.waiters) resume(Exit.succeed(rows.get(key)))
          },
        })
      }),
    )

  /** In a fiber of its own, because any of those who wait may leave. It reads where whoever asked first does. */
  const begin = (place: Place<Row>, context: Context.Context<never>): Statement<Row> => {
    const statement: Statement<Row> = { waiters: new Set(), fiber: undefined }
    statement.fiber = Effect.runForkWith(context)(read(place, statement))
    return statement
  }

  return (key: string): Effect.Effect<Row | undefined, SqlError> =>
    Effect.withFiber(({ context }) => {
      const place = placeOf(Context.get(context, ReadSource)?.replica)
      return Effect.callback((resume) => {
        const statement = (place.next ??= begin(place, context))
        const waiter = { key, resume }
        statement.waiters.add(waiter)
        if (statement.waiters.size >= KEYS_MAX) place.next = undefined
        return Effect.sync(() => {
          statement.waiters.delete(waiter)
          if (statement.waiters.size > 0) return
          if (place.next === statement) place.next = undefined
          statement.fiber?.interruptUnsafe()
        })
      })
    })
}
