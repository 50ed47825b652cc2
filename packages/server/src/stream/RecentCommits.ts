import { type ChangePosition, nextCommit } from "./ChangePosition.ts"
import type { Commit } from "./Commit.ts"

/**
 * Buffer of the latest commits, shared by all subscribers: each has a position in it, so that memory per subscriber is
 * constant.
 */
export class RecentCommits {
  readonly #charactersMax: number
  #commits: Array<Commit> = []
  #characters = 0
  #floor = 0

  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax
  }

  /** Id of the latest commit. */
  get last(): number {
    return this.#commits.at(-1)?.id ?? this.#floor
  }

  /** Clears the buffer; the next commit follows this one. */
  startAfter(commit: number): void {
    this.#commits = []
    this.#characters = 0
    this.#floor = commit
  }

  /** Appends the commit after `last`. Evicts the oldest ones to stay within the limit, but always keeps the new one. */
  append(commit: Commit): void {
    this.#commits.push(commit)
    this.#characters += commit.characters
    let dropped = 0
    while (this.#characters > this.#charactersMax && dropped < this.#commits.length - 1)
      this.#characters -= this.#commits[dropped++]!.characters
    if (dropped > 0) this.#floor = this.#commits.splice(0, dropped).at(-1)!.id
  }

  /** Commits from a position; `undefined` if some are no longer buffered. */
  since(position: ChangePosition): ReadonlyArray<Commit> | undefined {
    const next = nextCommit(position)
    if (next <= this.#floor) return undefined
    // Readers are near the end.
    return this.#commits.slice(this.#commits.findLastIndex(({ id }) => id < next) + 1)
  }
}
