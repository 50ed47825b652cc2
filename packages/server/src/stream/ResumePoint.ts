import type { StreamReset } from "@launch-registry/domain/stream/StreamApi"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { readChanges } from "./ChangeLog.ts"
import { afterCommit, type ChangePosition, nextCommit, positionOf } from "./ChangePosition.ts"
import type { Commit } from "./Commit.ts"
import type { RecentCommits } from "./RecentCommits.ts"

/** Where a stream starts, what was read on the way of what comes after it, and why it is not where it was asked to be. */
export interface ResumePoint {
  readonly position: ChangePosition
  readonly backlog: ReadonlyArray<Commit>
  readonly reset: StreamReset | undefined
}

/** After the event with this id when all that came after it is still there; otherwise after the latest commit. */
export const resumePoint = Effect.fnUntraced(function* (
  sql: SqlClient,
  recent: RecentCommits,
  lastEventId: string | undefined,
): Effect.fn.Return<ResumePoint, SqlError> {
  const now = (reset?: StreamReset): ResumePoint => ({ position: afterCommit(recent.last), backlog: [], reset })
  if (lastEventId === undefined) return now()
  const position = positionOf(lastEventId)
  if (position.commit > recent.last) return now({ reason: "unknown_id" })
  const held = recent.since(position)
  const backlog = held === undefined ? (yield* readChanges(sql, position)).commits : []
  const next = (held ?? backlog)[0]
  if (held === undefined && next?.id !== nextCommit(position)) return now({ reason: "older_than_kept" })
  if (next?.id === position.commit && position.index >= next.changes.length) return now({ reason: "unknown_id" })
  return { position, backlog, reset: undefined }
})
