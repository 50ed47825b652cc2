import type { Commit } from "./Commit.ts"
import type { Subscriber } from "./Subscriber.ts"

/**
 * Commits that readers who catch up have read from the database, bounded for all of them together: beyond that, those lose theirs who
 * have had them longest, and read again from their positions once they have drained.
 */
export class Backlogs {
  readonly #charactersMax: number
  /** In the order in which they were read. */
  readonly #held = new Map<Subscriber, number>()
  #characters = 0

  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax
  }

  /** Characters of all that are held. */
  get characters(): number {
    return this.#characters
  }

  /** Gives a reader what was read for it; none, where it has all of it. */
  set(subscriber: Subscriber, commits: ReadonlyArray<Commit>): void {
    this.#release(subscriber)
    subscriber.backlog = commits
    if (commits.length === 0) return
    const characters = commits.reduce((sum, commit) => sum + commit.characters, 0)
    this.#held.set(subscriber, characters)
    this.#characters += characters
    for (const oldest of this.#held.keys()) {
      if (this.#characters <= this.#charactersMax || oldest === subscriber) break
      this.#release(oldest)
    }
  }

  #release(subscriber: Subscriber): void {
    this.#characters -= this.#held.get(subscriber) ?? 0
    this.#held.delete(subscriber)
    subscriber.backlog = []
  }
}
