import type { Commit } from "./Commit.ts"
import type { Subscriber } from "./Subscriber.ts"

/**
 * Readers that have seen all commits and wait for more, by the mints that they follow, or else by type: a commit wakes those alone that it concerns, and
 * looks at few others, however many wait. Who is in here has nothing to read, so that its position is after all commits that are held, or later.
 */
export class WaitingReaders {
  readonly #all = new Set<Subscriber>()
  /** Readers of every mint. */
  readonly #byType = new Map<string, Set<Subscriber>>()
  readonly #byMint = new Map<string, Set<Subscriber>>()

  get size(): number {
    return this.#all.size
  }

  add(reader: Subscriber): void {
    this.#all.add(reader)
    const [index, keys] = this.#placesOf(reader)
    for (const key of keys) {
      const readers = index.get(key)
      if (readers === undefined) index.set(key, new Set([reader]))
      else readers.add(reader)
    }
  }

  delete(reader: Subscriber): void {
    if (!this.#all.delete(reader)) return
    const [index, keys] = this.#placesOf(reader)
    for (const key of keys) {
      const readers = index.get(key)
      readers?.delete(reader)
      if (readers?.size === 0) index.delete(key)
    }
  }

  #placesOf({ filter: { mints, types } }: Subscriber) {
    return mints === undefined ? ([this.#byType, types] as const) : ([this.#byMint, mints] as const)
  }

  /** Those that get something of a commit. */
  concernedBy({ changes }: Commit): ReadonlySet<Subscriber> {
    const concerned = new Set<Subscriber>()
    const types = new Set<string>()
    let revert: Commit["changes"][number]
    for (const change of changes) {
      if (change === undefined) continue
      types.add(change.type)
      if (change.concernsEveryMint) revert ??= change
      else if (change.baseMint !== null)
        for (const reader of this.#byMint.get(change.baseMint) ?? [])
          if (change.passes(reader.filter)) concerned.add(reader)
    }
    for (const type of types) for (const reader of this.#byType.get(type) ?? []) concerned.add(reader)
    if (revert !== undefined) for (const reader of this.#all) if (revert.passes(reader.filter)) concerned.add(reader)
    return concerned
  }
}
