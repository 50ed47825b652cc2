import type { UnreadableChange } from "@launch-registry/domain/stream/CommittedChanges"
import { Effect } from "effect"

/** Maximum number of kinds to log; a later version has few new types. */
const KINDS_MAX = 10

/** Unreadable changes of a commit. */
interface UnreadableOfCommit {
  readonly id: number | bigint
  readonly unreadable: ReadonlyArray<UnreadableChange>
}

/** Logs skipped changes: the first of each kind, because a later version may write thousands. */
export const reportUnreadable = (reader: string) => {
  const reported = new Set<string>()
  return Effect.fnUntraced(function* (commits: ReadonlyArray<UnreadableOfCommit>) {
    for (const { id, unreadable } of commits) {
      for (const { what } of unreadable) {
        if (reported.has(what) || reported.size === KINDS_MAX) continue
        reported.add(what)
        yield* Effect.logWarning(`${reader} skipped ${what}, first seen in commit ${id} of the index`)
      }
    }
  })
}
