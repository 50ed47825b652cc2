import { TooMany } from "@launch-registry/domain/http/LimitErrors"
import { NotFound } from "@launch-registry/domain/http/NotFound"
import { type IndexerJob, type IndexerJobRequest, IndexerJobs } from "@launch-registry/domain/system/IndexerJobs"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type JobDraft, type JobRow, jobStatements } from "./JobStatements.ts"

/** Jobs that wait or run at a time. */
const OPEN_MAX = 10

const slotOf = (text: string | undefined): bigint | null => (text === undefined ? null : BigInt(text))

const draftOf = ({ fromSlot, kind, reason, toSlot }: IndexerJobRequest): JobDraft => ({
  ...{ kind, reason, fromSlot: slotOf(fromSlot), toSlot: slotOf(toSlot) },
})

const decimal = (value: bigint | null): string | null => (value === null ? null : String(value))

const toJob = (row: JobRow): IndexerJob => ({
  ...{ id: String(row.id), kind: row.kind, fromSlot: decimal(row.fromSlot), toSlot: decimal(row.toSlot) },
  ...{ reason: row.reason, state: row.state },
  ...{ done: String(row.done), total: decimal(row.total), detail: row.detail },
  requestedAt: row.requestedAt.toISOString(),
  startedAt: row.startedAt?.toISOString() ?? null,
  endedAt: row.endedAt?.toISOString() ?? null,
})

/** The jobs of the leader, for the server of every process. */
export const IndexerJobsLayer = Layer.effect(
  IndexerJobs,
  Effect.map(SqlClient, (sql) => {
    const jobs = jobStatements(sql)

    const add = Effect.fn("IndexerJobs.add")(function* (request: IndexerJobRequest) {
      const draft = draftOf(request)
      return yield* Effect.gen(function* () {
        yield* jobs.lock
        const same = yield* jobs.same(draft)
        if (same !== undefined) return toJob(same)
        if ((yield* jobs.countOpen) >= OPEN_MAX)
          return yield* new TooMany({ resource: "indexer_jobs", limit: OPEN_MAX })
        yield* jobs.prune
        return toJob(yield* jobs.insert(draft))
      }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
    })

    const cancel = Effect.fn("IndexerJobs.cancel")(function* (id: string) {
      const row = yield* Effect.andThen(jobs.cancel(BigInt(id)), jobs.byId(BigInt(id))).pipe(Effect.orDie)
      return row === undefined ? yield* new NotFound({ resource: "indexer_job", id }) : toJob(row)
    })

    const list = Effect.orDie(Effect.map(jobs.list, (rows) => rows.map(toJob)))

    return IndexerJobs.of({ add, list, cancel })
  }),
)
