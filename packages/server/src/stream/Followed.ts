import { Effect, Latch, type Scope } from "effect"

/** Read at once: anybody can follow what there never is. With more, each is read in its turn. */
const READ_AT_ONCE = 2_000

/** Something that some subscriber follows, as last read. */
export class Followed {
  readonly followers = new Set<Follower>()
  /** Whether it cannot change any more. */
  isFinal = false
  /** Its latest event; undefined while there is none. */
  frame: Uint8Array | undefined

  tell(frame: Uint8Array): void {
    this.frame = frame
    for (const follower of this.followers) follower.tell(this)
  }
}

/** What one subscriber follows; it is sent the latest state of each, never every state in between. */
export class Follower {
  /** Wakes the stream of the subscriber. */
  readonly #wake: () => void
  /** With news since they were last taken. */
  readonly #news = new Set<Followed>()

  constructor(wake: () => void) {
    this.#wake = wake
  }

  tell(one: Followed): void {
    this.#news.add(one)
    this.#wake()
  }

  get hasNews(): boolean {
    return this.#news.size > 0
  }

  /** The events since the last call; none without news. They have no id: a new stream begins with the states. */
  take(): Buffer | undefined {
    if (this.#news.size === 0) return undefined
    const frames = [...this.#news].flatMap(({ frame }) => frame ?? [])
    this.#news.clear()
    return frames.length === 0 ? undefined : Buffer.concat(frames)
  }
}

/** What the subscribers of this process follow, by key. */
export const following = <State extends Followed>(make: () => State) => {
  const followed = new Map<string, State>()
  const hasFollowers = Latch.makeUnsafe(false)

  /** The next of those that can change, and of these of some alone, which go to the end of the line. */
  const inTurn = (
    most = READ_AT_ONCE,
    isOne: (state: State) => boolean = () => true,
  ): ReadonlyArray<readonly [key: string, state: State]> => {
    const next = followed
      .entries()
      .filter(([, state]) => !state.isFinal && isOne(state))
      .take(most)
      .toArray()
    for (const [key, state] of next) {
      followed.delete(key)
      followed.set(key, state)
    }
    return next
  }

  const stop = (follower: Follower, keys: ReadonlyArray<string>) => {
    for (const key of keys) {
      const state = followed.get(key)
      state?.followers.delete(follower)
      if (state?.followers.size === 0) followed.delete(key)
    }
    if (followed.size === 0) hasFollowers.closeUnsafe()
  }

  /** Follows these, also ones that are yet to be, while the scope is open. */
  const follow = (follower: Follower, keys: ReadonlyArray<string>): Effect.Effect<void, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.sync(() => {
        for (const key of keys) {
          const state = followed.get(key) ?? make()
          followed.set(key, state)
          state.followers.add(follower)
          if (state.frame !== undefined) follower.tell(state)
        }
        if (keys.length > 0) hasFollowers.openUnsafe()
      }),
      () => Effect.sync(() => stop(follower, keys)),
    )

  return { find: (key: string) => followed.get(key), inTurn, follow, untilFollowed: hasFollowers.await }
}
