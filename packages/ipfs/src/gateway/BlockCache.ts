import { RecentlyUsed } from "@launch-registry/http/answers/RecentlyUsed"
import { Deferred, Effect, Exit, Option, type Scope } from "effect"

/** Estimated overhead per entry: its key and its place in the map. */
const ENTRY_BYTES = 512

export interface BlockCacheOptions<A> {
  /** Size of the cache; 0 disables it. */
  readonly bytesMax: number
  readonly bytesOf: (value: A) => number
  /** The value to cache: a copy if the loaded one is a view of a larger buffer. */
  readonly detached: (value: A) => A
  readonly load: (key: string) => Effect.Effect<Option.Option<A>>
  /** Owns the reads, which other callers wait for as well. */
  readonly scope: Scope.Scope
}

const always = () => true

/**
 * A cache of immutable values, limited in bytes: it evicts the least recently used. Concurrent reads of a key share one load.
 * Misses are not cached: the value may be written the next moment.
 */
export class BlockCache<A> {
  readonly #options: BlockCacheOptions<A>
  readonly #entries: RecentlyUsed<A>
  readonly #reads = new Map<string, Deferred.Deferred<Option.Option<A>>>()

  constructor(options: BlockCacheOptions<A>) {
    this.#options = options
    this.#entries = new RecentlyUsed(options.bytesMax)
  }

  /** Bytes of all entries, including overhead. */
  get bytes(): number {
    return this.#entries.bytes
  }

  clear(): void {
    this.#entries.clear()
  }

  /** A cached value, which becomes the most recently used. */
  get(key: string): A | undefined {
    return this.#entries.get(key)
  }

  /**
   * The value of a key. A cached value that is not `wanted` is loaded again, and so is the result of a load that was already in
   * flight, because the value may have been written since.
   */
  read(key: string, wanted: (value: A) => boolean = always): Effect.Effect<Option.Option<A>> {
    return Effect.suspend(() => {
      const cached = this.get(key)
      if (cached !== undefined && wanted(cached)) return Effect.succeedSome(cached)
      const inFlight = this.#reads.get(key)
      if (inFlight === undefined) return Effect.flatten(this.#load(key))
      return Effect.flatMap(Deferred.await(inFlight), (found) =>
        Option.isSome(found) && wanted(found.value) ? Effect.succeed(found) : Effect.flatten(this.#load(key)),
      )
    }).pipe(Effect.map(Option.filter(wanted)))
  }

  /** Starts loading a key; the inner effect waits for it. */
  readAhead(key: string): Effect.Effect<Effect.Effect<Option.Option<A>>> {
    return Effect.suspend(() => {
      const cached = this.get(key)
      return cached === undefined ? this.#load(key) : Effect.succeed(Effect.succeedSome(cached))
    })
  }

  #load(key: string): Effect.Effect<Effect.Effect<Option.Option<A>>> {
    return Effect.suspend(() => {
      const inFlight = this.#reads.get(key)
      if (inFlight !== undefined) return Effect.succeed(Deferred.await(inFlight))
      const read = Deferred.makeUnsafe<Option.Option<A>>()
      this.#reads.set(key, read)
      const load = Effect.onExit(this.#options.load(key), (exit) =>
        Effect.sync(() => {
          this.#reads.delete(key)
          if (Exit.isSuccess(exit) && Option.isSome(exit.value)) this.#add(key, exit.value.value)
          Deferred.doneUnsafe(read, exit)
        }),
      )
      return Effect.as(Effect.forkIn(load, this.#options.scope, { startImmediately: true }), Deferred.await(read))
    })
  }

  #add(key: string, value: A): void {
    const { bytesMax, bytesOf, detached } = this.#options
    const bytes = bytesOf(value) + ENTRY_BYTES
    if (bytes > bytesMax) this.#entries.delete(key)
    else this.#entries.set(key, detached(value), bytes)
  }
}
