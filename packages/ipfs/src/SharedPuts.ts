import { Deferred, Effect, Fiber, type Scope } from "effect"
import type { BackendFailed } from "./IpfsBackend.ts"

/** One put of one content, for all who wait for it. */
interface SharedPut {
  readonly done: Deferred.Deferred<void, BackendFailed>
  fiber?: Fiber.Fiber<void, BackendFailed>
  waiting: number
}

/** The puts to one backend that have not ended. */
export interface SharedPuts {
  readonly count: () => number
  /** Waits for the put of this content, begun unless it is under way. It ends when nobody waits for it any more. */
  readonly share: (cid: string, put: Effect.Effect<void, BackendFailed>) => Effect.Effect<void, BackendFailed>
}

/** Puts that end with `scope`. The same content is sent once, however many want it delivered at the same time. */
export const sharedPuts = (scope: Scope.Scope): SharedPuts => {
  const byCid = new Map<string, SharedPut>()

  const remove = (cid: string, put: SharedPut): void => {
    if (byCid.get(cid) === put) byCid.delete(cid)
  }

  const begin = Effect.fnUntraced(function* (cid: string, effect: Effect.Effect<void, BackendFailed>) {
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
      // Whoever wants it from now on begins anew.
      remove(cid, put)
      return Fiber.interrupt(put.fiber)
    })

  const share: SharedPuts["share"] = (cid, effect) =>
    Effect.uninterruptibleMask(
      Effect.fnUntraced(function* (restore) {
        const put = byCid.get(cid) ?? (yield* begin(cid, effect))
        put.waiting++
        return yield* Effect.ensuring(restore(Deferred.await(put.done)), leave(cid, put))
      }),
    )

  return { count: () => byCid.size, share }
}
