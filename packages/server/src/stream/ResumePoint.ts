import type { StreamReset } from "@launch-registry/domain/stream/StreamApi"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { ReadChanges } from "./ChangeLog.ts"
import { afterCommit, type ChangePosition, continuesAt, positionOf } from "./ChangePosition.ts"
import type { Commit } from "./Commit.ts"
import type { RecentCommits } from "./RecentCommits.ts"

/** Start position of a stream, commits already read from there, and the reason if it is not the requested one. */
export interface ResumePoint {
  readonly position: ChangePosition
  readonly backlog: ReadonlyArray<Commit>
  readonly reset: StreamReset | undefined
}

/** After the event with this id if everything after it is still stored; otherwise after the latest commit. */
export const resumePoint = Effect.fnUntraced(function* (
  readChanges: ReadChanges,
  recent: RecentCommits,
  lastEventId: string | undefined,
): Effect.fn.Return<ResumePoint, SqlError> {
  const now = (reset?: StreamReset): ResumePoint => ({ position: afterCommit(recent.last), backlog: [], reset })
  if (lastEventId === undefined) return now()
  const position = positionOf(lastEventId)
  if (position.commit > recent.last) return now({ reason: "unknown_id" })
  const held = recent.since(position)
  const backlog = held === undefined ? (yield* readChanges(position)).commits : []
  const next = (held ?? backlog)[0]
  // Another commit came after the one before it: it is of another history, as after a failover that lost it.
  if (next !== undefined && next.after < position.commit && next.id !== position.commit)
    return now({ reason: "unknown_id" })
  if (held === undefined && (next === undefined || !continuesAt(position, next)))
    return now({ reason: "older_than_kept" })
  if (next?.id === position.commit && position.index >= next.changes.length) return now({ reason: "unknown_id" })
  return { position, backlog, reset: undefined }
})
