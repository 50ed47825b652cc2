import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { decodeChanges, isReadable, UnreadableChange } from "@launch-registry/domain/stream/CommittedChanges"
import type { ShowChange, ShownChange } from "@launch-registry/domain/stream/ShownChange"
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
  readonly #show: ShowChange
  #frame: Uint8Array | undefined

  constructor(change: ChainChange, id: string, show: ShowChange) {
    this.#change = change
    this.#id = id
    this.#show = show
  }

  get type(): ChainChange["type"] {
    return this.#change.type
  }

  /** A revert has no single mint and concerns every reader: it passes every mint filter. */
  get concernsEveryMint(): boolean {
    return this.#change.type === "revert"
  }

  /** Null where it has none, or more than one. */
  get mintAddress(): string | null {
    return this.#change.type === "revert" ? null : this.#change.mintAddress
  }

  passes({ mints, types }: ChangeFilter): boolean {
    if (!types.has(this.#change.type)) return false
    if (mints === undefined || this.concernsEveryMint) return true
    const { mintAddress } = this
    return mintAddress !== null && mints.has(mintAddress)
  }

  /** As readers are shown it. */
  get shown(): ShownChange {
    return this.#show(this.#change)
  }

  get frame(): Uint8Array {
    // Not `Buffer.from`: a small buffer is a view of Node's pool, all of which it would hold for as long as it is buffered.
    return (this.#frame ??= encoder.encode(
      `id: ${this.#id}\nevent: ${this.#change.type}\ndata: ${JSON.stringify(this.shown)}\n\n`,
    ))
  }
}

/** A row of `index_changes`. */
export interface Commit {
  readonly id: number
  /** Id of the commit before it. */
  readonly after: number
  /** By index, which is part of their ids; `undefined` for an unreadable change, which is skipped. */
  readonly changes: ReadonlyArray<CommittedChange | undefined>
  readonly unreadable: ReadonlyArray<UnreadableChange>
  /** Length of its text, for the size limit of buffers. */
  readonly characters: number
  /** Types of its changes, and their mints. A revert concerns every reader. */
  readonly types: ReadonlySet<string>
  readonly mints: ReadonlySet<string>
}

/** Whether a reader with this filter may get something of a commit, at a cost that does not depend on its changes. */
export const mayConcern = ({ mints: ofCommit, types: has }: Commit, { mints, types }: ChangeFilter): boolean =>
  mints === undefined || (has.has("revert") && types.has("revert"))
    ? !types.isDisjointFrom(has)
    : !mints.isDisjointFrom(ofCommit)

/** A commit as the indexer wrote it. */
export interface DecodedCommit {
  readonly id: number
  readonly after: number
  readonly changes: ReadonlyArray<ChainChange | UnreadableChange>
  readonly characters: number
}

export const decodeCommit = (id: number, text: string, after = id - 1): DecodedCommit => ({
  ...{ id, after, changes: decodeChanges(text), characters: text.length },
})

/** A commit whose changes are shown by `show`. */
export const commitOf = ({ after, changes, characters, id }: DecodedCommit, show: ShowChange): Commit => {
  const committed = changes.map((change, index) =>
    isReadable(change) ? new CommittedChange(change, idOf({ commit: id, index }), show) : undefined,
  )
  return {
    ...{ id, after, changes: committed, characters },
    unreadable: changes.filter((change) => change instanceof UnreadableChange),
    types: new Set(committed.flatMap((change) => change?.type ?? [])),
    mints: new Set(committed.flatMap((change) => change?.mintAddress ?? [])),
  }
}
