import type { JobKind, JobState } from "@launch-registry/domain/system/IndexerJobs"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** A row of `indexer_jobs`. */
export interface JobRow {
  readonly id: bigint
  readonly kind: JobKind
  /** Null for a replay. */
  readonly fromSlot: bigint | null
  /** Null for a replay, and for others up to the finalized slot until they start. */
  readonly toSlot: bigint | null
  readonly reason: string
  readonly state: JobState
  /** How often a leader began or went on with it. */
  readonly starts: number
  readonly done: bigint
  readonly total: bigint | null
  readonly detail: string | null
  /** How far a repair is; as it was stored. */
  readonly resume: unknown
  readonly requestedAt: Date
  readonly startedAt: Date | null
  readonly endedAt: Date | null
}

/** What is to be done. */
export interface JobDraft extends Pick<JobRow, "kind" | "fromSlot" | "toSlot" | "reason"> {}

export interface JobProgress extends Pick<JobRow, "done" | "total"> {}

/** Ended jobs that are kept, and those of them that are listed. */
const [ENDED_KEPT, ENDED_LISTED] = [100, 50]
const DETAIL_LENGTH_MAX = 2_000

const COLUMNS =
  "id, kind, from_slot, to_slot, reason, state, starts, done, total, detail, resume, requested_at, started_at, ended_at"

/** SQL of `indexer_jobs`. */
export const jobStatements = (sql: SqlClient) => ({
  /** Use within a transaction before {@link same}, {@link countOpen} and {@link insert}: additions follow one another. */
  lock: sql`lock table indexer_jobs in share row exclusive mode`,

  /** A job that has not ended and does the same. */
  same: ({ fromSlot, kind, toSlot }: JobDraft) =>
    Effect.map(
      sql<JobRow>`
        select ${sql.literal(COLUMNS)} from indexer_jobs
        where ended_at is null and kind = ${kind} and from_slot is not distinct from ${fromSlot}::bigint
          and to_slot is not distinct from ${toSlot}::bigint
        order by id limit 1`,
      ([row]) => row,
    ),

  /** A repair that has not ended, from this slot to that one, or to any. */
  repairFrom: (fromSlot: bigint, toSlot: bigint | undefined) =>
    Effect.map(
      sql<JobRow>`
        select ${sql.literal(COLUMNS)} from indexer_jobs
        where ended_at is null and kind = 'repair' and from_slot = ${fromSlot}
          and (${toSlot ?? null}::bigint is null or to_slot = ${toSlot ?? null}::bigint)
        order by id limit 1`,
      ([row]) => row,
    ),

  countOpen: Effect.map(
    sql<{ readonly count: number }>`select count(*)::integer as count from indexer_jobs where ended_at is null`,
    ([row]) => row!.count,
  ),

  insert: ({ fromSlot, kind, reason, toSlot }: JobDraft) =>
    Effect.map(
      sql<JobRow>`
        insert into indexer_jobs (kind, from_slot, to_slot, reason, requested_at)
        values (${kind}, ${fromSlot}, ${toSlot}, ${reason}, now()) returning ${sql.literal(COLUMNS)}`,
      ([row]) => row!,
    ),

  prune: sql`
    delete from indexer_jobs where id in (
      select id from indexer_jobs where ended_at is not null order by ended_at desc, id desc offset ${ENDED_KEPT})`,

  list: sql<JobRow>`
    (select ${sql.literal(COLUMNS)} from indexer_jobs where ended_at is null)
    union all
    (select ${sql.literal(COLUMNS)} from indexer_jobs where ended_at is not null order by ended_at desc, id desc limit ${ENDED_LISTED})
    order by id desc`,

  byId: (id: bigint) =>
    Effect.map(sql<JobRow>`select ${sql.literal(COLUMNS)} from indexer_jobs where id = ${id}`, ([row]) => row),

  cancel: (id: bigint) => sql`
    update indexer_jobs set state = 'cancelled', ended_at = now() where id = ${id} and ended_at is null`,

  /** The one that is next: of those that have not ended the oldest. */
  next: Effect.map(
    sql<JobRow>`select ${sql.literal(COLUMNS)} from indexer_jobs where ended_at is null order by id limit 1`,
    ([row]) => row,
  ),

  /** It is running from now on; `undefined` if it has ended meanwhile. */
  start: (id: bigint) =>
    Effect.map(
      sql<JobRow>`
        update indexer_jobs set state = 'running', starts = starts + 1, started_at = coalesce(started_at, now())
        where id = ${id} and ended_at is null returning ${sql.literal(COLUMNS)}`,
      ([row]) => row,
    ),

  /** The finalized slot that a job without an end goes up to. */
  setEnd: (id: bigint, toSlot: bigint) => sql`update indexer_jobs set to_slot = ${toSlot} where id = ${id}`,

  /** Whether it is still wanted: it may have been cancelled. */
  progress: (id: bigint, { done, total }: JobProgress) =>
    Effect.map(
      sql`
        update indexer_jobs set done = ${done}, total = ${total}, detail = null
        where id = ${id} and ended_at is null returning id`,
      (rows) => rows.length > 0,
    ),

  /** The same, with how far a repair is. */
  resume: (id: bigint, { done, total }: JobProgress, resume: string) =>
    Effect.map(
      sql`
        update indexer_jobs set done = ${done}, total = ${total}, detail = null, resume = ${resume}::text::jsonb
        where id = ${id} and ended_at is null returning id`,
      (rows) => rows.length > 0,
    ),

  note: (id: bigint, detail: string) => sql`
    update indexer_jobs set detail = ${detail.slice(0, DETAIL_LENGTH_MAX)} where id = ${id} and ended_at is null`,

  end: (id: bigint, state: "done" | "failed", detail: string) => sql`
    update indexer_jobs set state = ${state}, detail = ${detail.slice(0, DETAIL_LENGTH_MAX)}, ended_at = now()
    where id = ${id} and ended_at is null`,
})
