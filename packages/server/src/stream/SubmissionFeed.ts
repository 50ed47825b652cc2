import { regularly } from "@launch-registry/postgres/Regularly"
import { Effect, Latch } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SUBMISSION_COLUMNS, type SubmissionRow, toSubmission } from "../submissions/SubmissionQueue.ts"

const encoder = new TextEncoder()

/** Read at once: anybody can follow signatures that nobody submits. With more, each is read in its turn. */
const READ_AT_ONCE = 2_000

/** The next of those that can change, which go to the end of the line. */
export const inTurn = <Followed extends { readonly isFinal: boolean }>(
  followed: Map<string, Followed>,
  most = READ_AT_ONCE,
): ReadonlyArray<readonly [signature: string, submission: Followed]> => {
  const next = followed
    .entries()
    .filter(([, { isFinal }]) => !isFinal)
    .take(most)
    .toArray()
  for (const [signature, submission] of next) {
    followed.delete(signature)
    followed.set(signature, submission)
  }
  return next
}

/** A submission that some subscriber follows, as last read. */
class FollowedSubmission {
  readonly subscribers = new Set<FollowedSubmissions>()
  /** 0 while there is none. */
  version = 0
  isFinal = false
  frame: Uint8Array | undefined
}

/** The submissions that one subscriber follows; it is sent the latest state of each, never every state in between. */
export class FollowedSubmissions {
  /** Wakes the stream of the subscriber. */
  wake: (() => void) | undefined
  /** With news since they were last taken. */
  readonly #news = new Set<FollowedSubmission>()

  tell(submission: FollowedSubmission): void {
    this.#news.add(submission)
    this.wake?.()
  }

  get hasNews(): boolean {
    return this.#news.size > 0
  }

  /** The events since the last call; none without news. They have no id: a new stream begins with the states. */
  take(): Buffer | undefined {
    if (this.#news.size === 0) return undefined
    const frames = [...this.#news].flatMap(({ frame }) => frame ?? [])
    this.#news.clear()
    return frames.length === 0 ? undefined : Buffer.concat(frames)
  }
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
  const followed = new Map<string, FollowedSubmission>()
  const hasFollowers = Latch.makeUnsafe(false)

  const poll = Effect.gen(function* () {
    const open = inTurn(followed)
    if (open.length === 0) return
    const rows = yield* sql<VersionedRow>`
      select ${sql.literal(SUBMISSION_COLUMNS)}, s.version
      from unnest(
        ${open.map(([signature]) => signature)}::text[], ${open.map(([, { version }]) => version)}::integer[]
      ) as known(signature, version)
      join launch_submissions s on s.signature = known.signature and s.version > known.version`
    for (const { version, ...row } of rows) {
      const submission = followed.get(row.signature)
      if (submission === undefined || submission.version >= version) continue
      submission.version = version
      submission.isFinal = row.isFinal
      submission.frame = encoder.encode(`event: submission\ndata: ${JSON.stringify(toSubmission(row))}\n\n`)
      for (const subscriber of submission.subscribers) subscriber.tell(submission)
    }
  })

  const stop = (subscriber: FollowedSubmissions, signatures: ReadonlyArray<string>) => {
    for (const signature of signatures) {
      const submission = followed.get(signature)
      submission?.subscribers.delete(subscriber)
      if (submission?.subscribers.size === 0) followed.delete(signature)
    }
    if (followed.size === 0) hasFollowers.closeUnsafe()
  }

  /** Follows these submissions, also ones that are yet to be made, while the scope is open. */
  const follow = (signatures: ReadonlyArray<string>) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const subscriber = new FollowedSubmissions()
        for (const signature of signatures) {
          const submission = followed.get(signature) ?? new FollowedSubmission()
          followed.set(signature, submission)
          submission.subscribers.add(subscriber)
          if (submission.frame !== undefined) subscriber.tell(submission)
        }
        hasFollowers.openUnsafe()
        return subscriber
      }),
      (subscriber) => Effect.sync(() => stop(subscriber, signatures)),
    )

  yield* Effect.forkScoped(regularly("Following submissions", pollMillis, Effect.andThen(hasFollowers.await, poll)))
  return { follow }
})
