import { ReadSource } from "@launch-registry/postgres/replicas/ReadSource"
import { Context, Deferred, Effect, type Fiber } from "effect"

/** A read waits no longer than this for the one before. */
export const PATIENCE_MILLIS = 250

/** A read that has not begun, and those who wait for it. */
interface Next {
  readonly answer: Deferred.Deferred<unknown, unknown>
  readonly begin: () => void
  waiting: number
  /** Begins it if the one before takes long; then the read itself. */
  fiber: Fiber.Fiber<unknown, unknown> | undefined
}

/** A read that runs. */
interface Running {
  next: Next | undefined
}

/**
 * Reads of the same thing. Whoever asks while one runs shares the next one with all others who do: the running one may not see
 * what was written before it was asked for, and one that has not begun sees everything.
 */
export class SharedReads {
  readonly #running = new Map<string, Running>()

  get size(): number {
    return this.#running.size
  }

  /** `read`, or the answer of another one with the same key and of the same replica, which must be the same for everybody. */
  read<A, E, R>(what: string, read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.contextWith((context: Context.Context<R>) => {
        const replica = Context.get(context, ReadSource)?.replica
        const key = replica === undefined ? what : `${replica.name} ${what}`
        const running = this.#running.get(key)
        if (running === undefined) return this.#run(key, restore(read))
        const next = (running.next ??= this.#after(key, running, Effect.provideContext(read, context), context))
        next.waiting++
        const answer = next.answer as Deferred.Deferred<A, E>
        return Effect.onExit(restore(Deferred.await(answer)), () => Effect.sync(() => this.#leave(running, next)))
      }),
    )
  }

  #run<A, E, R>(key: string, read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    const running: Running = { next: undefined }
    this.#running.set(key, running)
    return Effect.onExit(read, () =>
      Effect.sync(() => {
        // Otherwise the next one has begun already.
        if (this.#running.get(key) !== running) return
        if (running.next === undefined) this.#running.delete(key)
        else running.next.begin()
      }),
    )
  }

  #after<A, E>(key: string, running: Running, read: Effect.Effect<A, E>, context: Context.Context<never>): Next {
    const answer = Deferred.makeUnsafe<A, E>()
    // In a fiber of its own, because any of those who wait may leave.
    const begin = () => {
      next.fiber?.interruptUnsafe()
      const shared = Effect.onExit(this.#run(key, read), (exit) => Effect.sync(() => Deferred.doneUnsafe(answer, exit)))
      next.fiber = Effect.runFork(shared)
    }
    const next: Next = { answer: answer as Deferred.Deferred<unknown, unknown>, begin, waiting: 0, fiber: undefined }
    const patience = Effect.andThen(
      Effect.sleep(PATIENCE_MILLIS),
      Effect.sync(() => {
        if (running.next === next && this.#running.get(key) === running) begin()
      }),
    )
    next.fiber = Effect.runForkWith(context)(patience)
    return next
  }

  #leave(running: Running, next: Next): void {
    next.waiting--
    if (next.waiting > 0) return
    if (running.next === next) running.next = undefined
    next.fiber?.interruptUnsafe()
  }
}

/** The reads of the current server. */
export const SharedReadsOfServer = Context.Reference<SharedReads>("@launch-registry/http/answers/SharedReads", {
  defaultValue: () => new SharedReads(),
})
