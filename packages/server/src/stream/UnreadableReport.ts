import type { UnreadableChange } from "@launch-registry/domain/stream/CommittedChanges"
import { Effect } from "effect"

/** Kinds of what cannot be read that are reported; the types of a later version are few. */
const KINDS_MAX = 10

/** What could not be read of a commit. */
interface UnreadableOfCommit {
  readonly id: number | bigint
  readonly unreadable: ReadonlyArray<UnreadableChange>
}

/** Logs what a reader of `index_changes` passes over: the first of each kind, as a later version may write thousands. */
export const reportUnreadable = (reader: string) => {
  const reported = new Set<string>()
  return Effect.fnUntraced(function* (commits: ReadonlyArray<UnreadableOfCommit>) {
    for (const { id, unreadable } of commits) {
      for (const { what } of unreadable) {
        if (reported.has(what) || reported.size === KINDS_MAX) continue
        reported.add(what)
        yield* Effect.logWarning(`${reader} pass over ${what}, first seen in commit ${id} of the index`)
      }
    }
  })
}
