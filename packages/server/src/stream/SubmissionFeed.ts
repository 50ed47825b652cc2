import { regularly } from "@launch-registry/postgres/Regularly"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SUBMISSION_COLUMNS, type SubmissionRow, toSubmission } from "../submissions/SubmissionQueue.ts"
import { Followed, following } from "./Followed.ts"

const encoder = new TextEncoder()

class FollowedSubmission extends Followed {
  /** 0 while there is none. */
  version = 0
}

interface VersionedRow extends SubmissionRow {
  readonly version: number
}

/**
 * The states of submissions for the streams of this process: one statement reads what changed of all that are followed, by their
 * versions, whichever process changed it.
 */
export const submissionFeed = Effect.fnUntraced(function* (pollMillis: number) {
  const sql = yield* SqlClient
  const { find, follow, inTurn, untilFollowed } = following(() => new FollowedSubmission())

  const poll = Effect.gen(function* () {
    const open = inTurn()
    if (open.length === 0) return
    const rows = yield* sql<VersionedRow>`
      select ${sql.literal(SUBMISSION_COLUMNS)}, s.version
      from unnest(
        ${open.map(([signature]) => signature)}::text[], ${open.map(([, { version }]) => version)}::integer[]
      ) as known(signature, version)
      join launch_submissions s on s.signature = known.signature and s.version > known.version`
    for (const { version, ...row } of rows) {
      const submission = find(row.signature)
      if (submission === undefined || submission.version >= version) continue
      submission.version = version
      submission.isFinal = row.isFinal
      submission.tell(encoder.encode(`event: submission\ndata: ${JSON.stringify(toSubmission(row))}\n\n`))
    }
  })

  yield* Effect.forkScoped(regularly("Following submissions", pollMillis, Effect.andThen(untilFollowed, poll)))
  return { follow }
})
