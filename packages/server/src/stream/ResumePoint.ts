import type { StreamReset } from "@launch-registry/domain/stream/StreamApi"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { ReadChanges } from "./ChangeLog.ts"
import { afterCommit, type ChangePosition, continuesAt, positionOf } from "./ChangePosition.ts"
import type { RecentCommits } from "./RecentCommits.ts"

/** Start position of a stream, and the reason if it is not the requested one. */
export interface ResumePoint {
  readonly position: ChangePosition
  readonly reset: StreamReset | undefined
}

/** After the event with this id if everything after it is still stored; otherwise after the latest commit. */
export const resumePoint = Effect.fnUntraced(function* (
  readChanges: ReadChanges,
  recent: RecentCommits,
  lastEventId: string | undefined,
): Effect.fn.Return<ResumePoint, SqlError> {
  const now = (reset?: StreamReset): ResumePoint => ({ position: afterCommit(recent.last), reset })
  if (lastEventId === undefined) return now()
  const position = positionOf(lastEventId)
  if (position.commit > recent.last) return now({ reason: "unknown_id" })
  const held = recent.since(position)
  const [next] = held ?? (yield* readChanges(position, 1)).commits
  // Another commit came after the one before it: it is of another history, as after a failover that lost it.
  if (next !== undefined && next.after < position.commit && next.id !== position.commit)
    return now({ reason: "unknown_id" })
  if (held === undefined && (next === undefined || !continuesAt(position, next)))
    return now({ reason: "older_than_kept" })
  if (next?.id === position.commit && position.index >= next.changes.length) return now({ reason: "unknown_id" })
  return { position, reset: undefined }
})
