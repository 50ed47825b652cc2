import { type ChangePosition, nextCommit } from "./ChangePosition.ts"
import type { Commit } from "./Commit.ts"

/**
 * The latest commits, held once for all subscribers: each has its own place in them, so that a subscriber costs the same
 * however far behind it is.
 */
export class RecentCommits {
  readonly #charactersMax: number
  #commits: Array<Commit> = []
  #characters = 0
  #floor = 0

  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax
  }

  /** The latest commit there is. */
  get last(): number {
    return this.#commits.at(-1)?.id ?? this.#floor
  }

  /** Forgets everything: what follows comes after this commit. */
  startAfter(commit: number): void {
    this.#commits = []
    this.#characters = 0
    this.#floor = commit
  }

  /** Adds the commit after `last`; the oldest ones make room, the new one stays however large it is. */
  append(commit: Commit): void {
    this.#commits.push(commit)
    this.#characters += commit.characters
    let dropped = 0
    while (this.#characters > this.#charactersMax && dropped < this.#commits.length - 1)
      this.#characters -= this.#commits[dropped++]!.characters
    if (dropped > 0) this.#floor = this.#commits.splice(0, dropped).at(-1)!.id
  }

  /** What comes after a position, from its commit on; `undefined` when some of it is not held (any more). */
  since(position: ChangePosition): ReadonlyArray<Commit> | undefined {
    const next = nextCommit(position)
    return next <= this.#floor ? undefined : this.#commits.slice(next - this.#floor - 1)
  }
}
