import { SLOT_MAX } from "../solana/Ordinal.ts"
import { Context, type Effect, Schema } from "effect"
import { field } from "../http/Field.ts"
import type { TooMany } from "../http/LimitErrors.ts"
import type { NotFound } from "../http/NotFound.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { CordonReason } from "./RpcCordons.ts"

const Slot = Schema.String.check(
  Schema.isPattern(/^(0|[1-9]\d{0,9})$/, { message: "expected a slot, in decimal digits" }),
  Schema.makeFilter((text: string) => !/^\d{1,10}$/.test(text) || BigInt(text) <= SLOT_MAX || "expected a slot"),
  Schema.isMaxLength(10),
)

/** What can be asked for. */
export const JOB_KINDS = ["backfill", "repair", "replay"] as const
export type JobKind = (typeof JOB_KINDS)[number]

interface Asked {
  readonly kind: JobKind
  readonly fromSlot?: string
  readonly toSlot?: string
}

/** A field that is missing, or that is not of this kind of job. */
const fieldFault = ({ fromSlot, kind, toSlot }: Asked) => {
  if (kind === "replay") {
    const given = fromSlot !== undefined ? "fromSlot" : toSlot !== undefined ? "toSlot" : undefined
    return given === undefined || { path: [given], issue: "expected no slots: a replay derives all tables" }
  }
  if (fromSlot === undefined) return { path: ["fromSlot"], issue: `expected the first slot of a ${kind}` }
  return (
    toSlot === undefined ||
    BigInt(toSlot) >= BigInt(fromSlot) || { path: ["toSlot"], issue: "expected a slot from `fromSlot` on" }
  )
}

/** What the leading indexer is to do. */
export const IndexerJobRequest = Schema.Struct({
  kind: field(
    Schema.Literals(JOB_KINDS),
    "backfill: proves slots against the chain, and fetches what the log lacks of them. repair: reads slots again from the chain, also proven ones, and replaces what differs in the log or the tables. replay: derives all tables again from the log, compares, and switches to them",
  ),
  fromSlot: Schema.optionalKey(field(Slot, "First slot of a backfill or repair, a decimal string; required for one")),
  toSlot: Schema.optionalKey(
    field(Slot, "Last slot of a backfill or repair, inclusive; by default, and at most, the finalized slot"),
  ),
  reason: field(CordonReason, "Why, in one line; the audit log has it as well"),
})
  .check(Schema.makeFilter(fieldFault))
  .annotate({ identifier: "IndexerJobRequest", description: "What the leading indexer is to do" })
export type IndexerJobRequest = typeof IndexerJobRequest.Type

/** `cancelled` by an operator; `failed` says why in `detail`. */
export const JOB_STATES = ["queued", "running", "done", "failed", "cancelled"] as const
export type JobState = (typeof JOB_STATES)[number]

/** Something that the leading indexer was asked to do. */
export const IndexerJob = Schema.Struct({
  id: field(Schema.String, "Id of the job, a decimal string"),
  kind: field(
    Schema.Literals(JOB_KINDS),
    "backfill: proves slots. repair: reads them again from the chain. replay: derives all tables again",
  ),
  fromSlot: field(
    Schema.NullOr(Schema.String),
    "First slot of a backfill or repair, a decimal string; null for a replay",
  ),
  toSlot: field(
    Schema.NullOr(Schema.String),
    "Last slot of a backfill or repair, inclusive; null for a replay, and for others up to the finalized slot that have not started",
  ),
  reason: field(Schema.String, "Why, in the words of the operator"),
  state: field(
    Schema.Literals(JOB_STATES),
    "queued: waits for the leader, and for jobs before it. running; done; failed; cancelled: by an operator",
  ),
  done: field(
    Schema.String,
    "Of `total`: slots that are proven; slots that were read again, once for the program and once for each migrated pool; or offsets of the log that are derived. A decimal string",
  ),
  total: field(Schema.NullOr(Schema.String), "How many there are, a decimal string; null before the start"),
  detail: field(
    Schema.NullOr(Schema.String),
    "What came of it, or the latest problem of one that runs; null while there is nothing to say",
  ),
  requestedAt: field(Timestamp, "When it was asked for"),
  startedAt: field(Schema.NullOr(Timestamp), "When a leader first took it; null before"),
  endedAt: field(Schema.NullOr(Timestamp), "When it was done, failed or cancelled; null before"),
}).annotate({ identifier: "IndexerJob", description: "Something that the leading indexer was asked to do" })
export type IndexerJob = typeof IndexerJob.Type

/** Ids are of the database. */
export const JobId = Schema.String.check(
  Schema.isPattern(/^[1-9]\d{0,17}$/, { message: "expected the id of a job" }),
  Schema.isMaxLength(18),
)

/** What operators ask the leading indexer to do. Implemented by the indexer, used by the server. */
export class IndexerJobs extends Context.Service<
  IndexerJobs,
  {
    /** Queues a job; one for the same that has not ended is answered instead. */
    readonly add: (request: IndexerJobRequest) => Effect.Effect<IndexerJob, TooMany>
    /** Those that have not ended, and the last that did: newest first. */
    readonly list: Effect.Effect<ReadonlyArray<IndexerJob>>
    /** Cancels a job unless it has ended; its state is answered. */
    readonly cancel: (id: string) => Effect.Effect<IndexerJob, NotFound>
  }
>()("@launch-registry/domain/system/IndexerJobs") {}
