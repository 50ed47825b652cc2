import { Deferred, Effect, Exit, Option, type Scope } from "effect"

/** What a kept value takes besides its bytes: its key and its place in the maps, roughly. */
const ENTRY_BYTES = 512

/** What a cache keeps and how it is read. */
export interface BlockCacheOptions<A> {
  /** Bytes of all values together; 0 keeps nothing. */
  readonly bytesMax: number
  readonly bytesOf: (value: A) => number
  /** What is kept of a value that was read: itself, without what it hangs on. */
  readonly detached: (value: A) => A
  readonly load: (key: string) => Effect.Effect<Option.Option<A>>
  /** Reads live here, and not in the fiber of who asked first: others wait for them too. */
  readonly scope: Scope.Scope
}

interface Kept<A> {
  readonly value: A
  readonly bytes: number
}

const always = () => true

/**
 * Values that never change, by key: the least recently used leave when the bytes are used up, and readers who come while
 * a value is being read share that one read. What was not found is never kept: it may be there the next moment.
 */
export class BlockCache<A> {
  readonly #options: BlockCacheOptions<A>
  readonly #kept = new Map<string, Kept<A>>()
  readonly #reads = new Map<string, Deferred.Deferred<Option.Option<A>>>()
  #bytes = 0

  constructor(options: BlockCacheOptions<A>) {
    this.#options = options
  }

  /** Bytes of what is kept, with what keeping it costs. */
  get bytes(): number {
    return this.#bytes
  }

  /** A kept value, now the most recently used one. */
  hot(key: string): A | undefined {
    const kept = this.#kept.get(key)
    if (kept === undefined) return undefined
    // A map lists its keys in the order they were put in: the first one is the least recently used.
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept.value
  }

  /**
   * The value of a key. One that is not `wanted` counts as not found, and is read anew: so does what a read brought
   * that had begun before this call, because the value may have been written in between.
   */
  read(key: string, wanted: (value: A) => boolean = always): Effect.Effect<Option.Option<A>> {
    return Effect.suspend(() => {
      const hot = this.hot(key)
      if (hot !== undefined && wanted(hot)) return Effect.succeedSome(hot)
      const underWay = this.#reads.get(key)
      if (underWay === undefined) return Effect.flatten(this.#begin(key))
      return Effect.flatMap(Deferred.await(underWay), (found) =>
        Option.isSome(found) && wanted(found.value) ? Effect.succeed(found) : Effect.flatten(this.#begin(key)),
      )
    }).pipe(Effect.map(Option.filter(wanted)))
  }

  /** Begins to read a key; the effect inside waits for it. */
  readAhead(key: string): Effect.Effect<Effect.Effect<Option.Option<A>>> {
    return Effect.suspend(() => {
      const hot = this.hot(key)
      return hot === undefined ? this.#begin(key) : Effect.succeed(Effect.succeedSome(hot))
    })
  }

  #begin(key: string): Effect.Effect<Effect.Effect<Option.Option<A>>> {
    return Effect.suspend(() => {
      const underWay = this.#reads.get(key)
      if (underWay !== undefined) return Effect.succeed(Deferred.await(underWay))
      const read = Deferred.makeUnsafe<Option.Option<A>>()
      this.#reads.set(key, read)
      const load = Effect.onExit(this.#options.load(key), (exit) =>
        Effect.sync(() => {
          this.#reads.delete(key)
          if (Exit.isSuccess(exit) && Option.isSome(exit.value)) this.#keep(key, exit.value.value)
          Deferred.doneUnsafe(read, exit)
        }),
      )
      return Effect.as(Effect.forkIn(load, this.#options.scope, { startImmediately: true }), Deferred.await(read))
    })
  }

  #keep(key: string, value: A): void {
    const { bytesMax, bytesOf, detached } = this.#options
    this.#forget(key)
    const bytes = bytesOf(value) + ENTRY_BYTES
    if (bytes > bytesMax) return
    this.#kept.set(key, { value: detached(value), bytes })
    this.#bytes += bytes
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= bytesMax) return
      this.#forget(oldest)
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0
    this.#kept.delete(key)
  }
}
