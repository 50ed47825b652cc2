import { Deferred, Effect, Fiber, type Scope } from "effect"
import type { BackendFailed } from "./IpfsBackend.ts"

/** A put in flight, and the number of callers that wait for it. */
interface SharedPut {
  readonly done: Deferred.Deferred<void, BackendFailed>
  fiber?: Fiber.Fiber<void, BackendFailed>
  waiting: number
}

/** The puts to one backend that are in flight. */
export interface SharedPuts {
  readonly count: () => number
  /** Waits for the put of this content, starting it unless it is in flight. It is interrupted once no caller waits for it. */
  readonly share: (cid: string, put: Effect.Effect<void, BackendFailed>) => Effect.Effect<void, BackendFailed>
}

/** Puts that end with `scope`. Concurrent puts of the same content are sent once. */
export const sharedPuts = (scope: Scope.Scope): SharedPuts => {
  const byCid = new Map<string, SharedPut>()

  const remove = (cid: string, put: SharedPut): void => {
    if (byCid.get(cid) === put) byCid.delete(cid)
  }

  const start = Effect.fnUntraced(function* (cid: string, effect: Effect.Effect<void, BackendFailed>) {
    const put: SharedPut = { done: Deferred.makeUnsafe(), waiting: 0 }
    byCid.set(cid, put)
    put.fiber = yield* effect.pipe(
      Effect.interruptible,
      Effect.onExit((exit) => {
        remove(cid, put)
        return Deferred.done(put.done, exit)
      }),
      Effect.forkIn(scope),
    )
    return put
  })

  const leave = (cid: string, put: SharedPut) =>
    Effect.suspend(() => {
      if (--put.waiting > 0 || put.fiber === undefined) return Effect.void
      // Later callers start a new put.
      remove(cid, put)
      return Fiber.interrupt(put.fiber)
    })

  const share: SharedPuts["share"] = (cid, effect) =>
    Effect.uninterruptibleMask(
      Effect.fnUntraced(function* (restore) {
        const put = byCid.get(cid) ?? (yield* start(cid, effect))
        put.waiting++
        return yield* Effect.ensuring(restore(Deferred.await(put.done)), leave(cid, put))
      }),
    )

  return { count: () => byCid.size, share }
}
