import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { decodeChanges, isReadable, UnreadableChange } from "@launch-registry/domain/stream/CommittedChanges"
import { idOf } from "./ChangePosition.ts"

/** Filter of a subscriber. */
export interface ChangeFilter {
  readonly types: ReadonlySet<string>
  /** Base mints; `undefined` means all. */
  readonly mints: ReadonlySet<string> | undefined
}

const encoder = new TextEncoder()

/** A change, encoded lazily as a server-sent event, once for all subscribers. */
export class CommittedChange {
  readonly #change: ChainChange
  readonly #id: string
  #frame: Uint8Array | undefined

  constructor(change: ChainChange, id: string) {
    this.#change = change
    this.#id = id
  }

  /** A revert has no single mint and concerns every reader: it passes every mint filter. */
  passes({ mints, types }: ChangeFilter): boolean {
    const change = this.#change
    if (!types.has(change.type)) return false
    if (mints === undefined || change.type === "revert") return true
    return change.baseMint !== null && mints.has(change.baseMint)
  }

  get frame(): Uint8Array {
    // Not `Buffer.from`: a small buffer is a view of Node's pool, all of which it would hold for as long as it is buffered.
    return (this.#frame ??= encoder.encode(
      `id: ${this.#id}\nevent: ${this.#change.type}\ndata: ${JSON.stringify(this.#change)}\n\n`,
    ))
  }
}

/** A row of `index_changes`. */
export interface Commit {
  readonly id: number
  /** By index, which is part of their ids; `undefined` for an unreadable change, which is skipped. */
  readonly changes: ReadonlyArray<CommittedChange | undefined>
  readonly unreadable: ReadonlyArray<UnreadableChange>
  /** Length of its text, for the size limit of buffers. */
  readonly characters: number
}

/** Decodes a commit written by the indexer. */
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
