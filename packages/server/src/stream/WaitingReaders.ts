import type { Commit, CommittedChange } from "./Commit.ts"
import type { Subscriber } from "./Subscriber.ts"

/**
 * Readers that have seen all commits and wait for more, by the mints that they follow: a commit wakes those alone that it concerns, however many wait.
 * Who is in here has nothing to read, so that its position is after all commits that are held, or later.
 */
export class WaitingReaders {
  readonly #all = new Set<Subscriber>()
  readonly #ofEveryMint = new Set<Subscriber>()
  readonly #byMint = new Map<string, Set<Subscriber>>()

  get size(): number {
    return this.#all.size
  }

  add(reader: Subscriber): void {
    this.#all.add(reader)
    const { mints } = reader.filter
    if (mints === undefined) this.#ofEveryMint.add(reader)
    else
      for (const mint of mints) {
        const readers = this.#byMint.get(mint)
        if (readers === undefined) this.#byMint.set(mint, new Set([reader]))
        else readers.add(reader)
      }
  }

  delete(reader: Subscriber): void {
    if (!this.#all.delete(reader)) return
    this.#ofEveryMint.delete(reader)
    for (const mint of reader.filter.mints ?? []) {
      const readers = this.#byMint.get(mint)
      readers?.delete(reader)
      if (readers?.size === 0) this.#byMint.delete(mint)
    }
  }

  /** Those that get something of a commit. */
  concernedBy({ changes }: Commit): ReadonlySet<Subscriber> {
    const concerned = new Set<Subscriber>()
    const look = (change: CommittedChange, readers: Iterable<Subscriber>): void => {
      for (const reader of readers) if (change.passes(reader.filter)) concerned.add(reader)
    }
    for (const change of changes) {
      if (change === undefined) continue
      const { baseMint, concernsEveryMint } = change
      if (concernsEveryMint) look(change, this.#all)
      else {
        look(change, this.#ofEveryMint)
        if (baseMint !== null) look(change, this.#byMint.get(baseMint) ?? [])
      }
    }
    return concerned
  }
}
