import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { decodeChanges, isReadable, UnreadableChange } from "@launch-registry/domain/stream/CommittedChanges"
import { idOf } from "./ChangePosition.ts"

/** What a subscriber wants to hear of. */
export interface ChangeFilter {
  readonly types: ReadonlySet<string>
  /** Base mints; `undefined` means all. */
  readonly mints: ReadonlySet<string> | undefined
}

/** One change, written as a server-sent event when the first subscriber wants it, and once for all of them. */
export class CommittedChange {
  readonly #change: ChainChange
  readonly #id: string
  #frame: Buffer | undefined

  constructor(change: ChainChange, id: string) {
    this.#change = change
    this.#id = id
  }

  /** A revert names no mint, and whoever shows a mint has to know it: it passes every filter of mints. */
  passes({ mints, types }: ChangeFilter): boolean {
    const change = this.#change
    if (!types.has(change.type)) return false
    if (mints === undefined || change.type === "revert") return true
    return change.baseMint !== null && mints.has(change.baseMint)
  }

  get frame(): Buffer {
    return (this.#frame ??= Buffer.from(
      `id: ${this.#id}\nevent: ${this.#change.type}\ndata: ${JSON.stringify(this.#change)}\n\n`,
    ))
  }
}

/** A row of `index_changes`. */
export interface Commit {
  readonly id: number
  /** Each in its place, which its id is made of; `undefined` is one that this version cannot read, and passes over. */
  readonly changes: ReadonlyArray<CommittedChange | undefined>
  readonly unreadable: ReadonlyArray<UnreadableChange>
  /** Length of its text, for what holds commits to know how much it holds. */
  readonly characters: number
}

/** A commit from the text that the indexer wrote. */
export const commitOf = (id: number, text: string): Commit => {
  const changes = decodeChanges(text)
  return {
    id,
    changes: changes.map((change, index) =>
      isReadable(change) ? new CommittedChange(change, idOf({ commit: id, index })) : undefined,
    ),
    unreadable: changes.filter((change) => change instanceof UnreadableChange),
    characters: text.length,
  }
}
