import { isDeepStrictEqual } from "node:util"
import {
  Submission,
  type SubmissionFailure,
  type SubmissionState,
} from "@launch-registry/domain/submissions/Submission"
import { leasedQueue } from "@launch-registry/postgres/LeasedQueue"
import { columnsOf, picking, type RowOf } from "@launch-registry/postgres/SchemaRow"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** A submission as the driver gives it; what the columns hold was checked when it was written. */
export type SubmissionRow = RowOf<Submission>

/** Columns of a submission, of table alias `s`. */
export const SUBMISSION_COLUMNS = columnsOf("s", Object.keys(Submission.fields), {
  feePayer: "s.signers[1]",
  isFinal: "(s.settled_at is not null)",
  slot: "s.slot::text",
  lastValidBlockHeight: "s.last_valid_block_height::text",
})

/** Rows with further columns are picked from. */
export const toSubmission = picking<Submission>(Submission.fields)

/** Longer than a round takes; what it sends can be sent by another process as well, being the same bytes. */
const LEASE_MILLIS = 25_000

/** A submission that this process has claimed for a round. */
export interface ClaimedSubmission {
  readonly signature: string
  readonly transaction: Uint8Array
  readonly programs: ReadonlyArray<string>
  readonly blockhash: string
  readonly lastValidBlockHeight: bigint | null
  readonly skipsPreflight: boolean
  readonly state: SubmissionState
  readonly slot: bigint | null
  readonly error: SubmissionFailure | null
  readonly recordId: string | null
  readonly createdAt: Date
  /** Claims, this one included. */
  readonly attempts: number
  readonly leasedUntil: Date
}

/** What a round found out. */
export interface RoundResult {
  readonly claimed: ClaimedSubmission
  readonly state: SubmissionState
  readonly slot: bigint | null
  readonly error: SubmissionFailure | null
  readonly lastValidBlockHeight: bigint | null
  /** Whether any endpoint took it in this round. */
  readonly isSent: boolean
  readonly isFinal: boolean
  /** Milliseconds until the next round. */
  readonly pauseMillis: number
}

/** As a row of `jsonb_to_recordset`: an array of nulls alone has no type. */
const rowOf = ({ claimed, error, isFinal, isSent, lastValidBlockHeight, pauseMillis, slot, state }: RoundResult) => {
  const isMoved = state !== claimed.state || slot !== claimed.slot || isFinal
  return {
    ...{ signature: claimed.signature, attempts: claimed.attempts, state, error, pause: pauseMillis },
    ...{ slot: slot === null ? null : String(slot), is_sent: isSent, is_final: isFinal },
    height: lastValidBlockHeight === null ? null : String(lastValidBlockHeight),
    // The database changes the order of the fields of a document.
    is_changed: isMoved || !isDeepStrictEqual(error, claimed.error),
  }
}

/** The queue that `launch_submissions` is; its attempts fence claims. */
export const submissionQueue = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { claim, moment, release } = yield* leasedQueue({
    ...{ table: "launch_submissions", key: { signature: "text" }, fence: "attempts" },
    ...{ lease: "next_check_at", leaseMillis: LEASE_MILLIS },
  })

  /** The longest due first. */
  const claimDue = (limit: number) =>
    claim<ClaimedSubmission>(
      ({ now }) => sql`
        select signature from launch_submissions where settled_at is null and next_check_at <= ${now}
        order by next_check_at limit ${limit}`,
      sql`s.signature, s.transaction, s.programs, s.blockhash, s.last_valid_block_height, s.skips_preflight, s.state, s.slot,
        s.error, s.record_id, s.created_at, s.attempts`,
    )

  /** Milliseconds until the next one is due; `undefined` where none is open. */
  const dueMillis = Effect.flatMap(moment, ({ now }) =>
    Effect.map(
      sql<{ readonly millis: number }>`
        select extract(epoch from next_check_at - ${now})::float8 * 1000 as millis from launch_submissions
        where settled_at is null order by next_check_at limit 1`,
      ([row]) => row?.millis,
    ),
  )

  /** Writes results whose claim is still held; what another process has claimed since is left to it. */
  const settle = Effect.fnUntraced(function* (results: ReadonlyArray<RoundResult>) {
    const { now } = yield* moment
    const at = new Date(yield* Clock.currentTimeMillis)
    return yield* sql`
      update launch_submissions s set state = d.state, slot = d.slot, error = nullif(d.error, 'null'::jsonb),
        last_valid_block_height = d.height, sends = s.sends + d.is_sent::integer,
        skips_preflight = s.skips_preflight or d.is_sent, next_check_at = ${now} + interval '1 millisecond' * d.pause,
        version = s.version + d.is_changed::integer,
        updated_at = case when d.is_changed then ${at}::timestamptz else s.updated_at end,
        settled_at = case when d.is_final then ${at}::timestamptz end,
        transaction = case when d.is_final then null else s.transaction end
      from jsonb_to_recordset(${JSON.stringify(results.map(rowOf))}::text::jsonb) as d(signature text, attempts integer,
        state text, slot bigint, error jsonb, height bigint, is_sent boolean, is_final boolean, is_changed boolean,
        pause float8)
      where s.signature = d.signature and s.attempts = d.attempts returning s.signature`
  })

  /** Deletes up to `limit` submissions that ended so long ago; returns how many. */
  const sweep = Effect.fnUntraced(function* (keptMillis: number, limit: number) {
    const before = new Date((yield* Clock.currentTimeMillis) - keptMillis)
    const rows = yield* sql`
      delete from launch_submissions where signature = any (array(
        select signature from launch_submissions where settled_at < ${before} order by settled_at limit ${limit}
        for update skip locked)) returning signature`
    return rows.length
  })

  return { claimDue, dueMillis, settle, release, sweep }
})
