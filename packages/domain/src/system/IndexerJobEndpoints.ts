import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { ONLY_WITH_OPERATORS } from "../http/AccessErrors.ts"
import { RequiredAccess } from "../access/RequiredAccess.ts"
import { describe } from "../http/Describe.ts"
import { Data } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { IdempotencyGuard } from "../http/IdempotencyGuard.ts"
import { idempotencyHeaders } from "../http/IdempotencyKey.ts"
import { TooMany } from "../http/LimitErrors.ts"
import { NotFound } from "../http/NotFound.ts"
import { NotConfigured } from "../http/Unavailable.ts"
import { IndexerJob, IndexerJobRequest, JobId } from "./IndexerJobs.ts"

const PATH = "/api/system/indexer/jobs"

/** Endpoints of `/api/system/indexer/jobs`. */
export const indexerJobEndpoints = [
  HttpApiEndpoint.post("startJob", PATH, {
    headers: idempotencyHeaders,
    payload: IndexerJobRequest,
    success: Data(IndexerJob).pipe(HttpApiSchema.status(202)),
    error: [TooMany.response, NotConfigured.response],
  })
    .middleware(IdempotencyGuard)
    .annotate(RequiredAccess, "system")
    .annotateMerge(
      describe(
        "Ask the leading indexer for a backfill, a repair or a replay",
        `Stored and queued: the leader does one job after the other, and a leader that takes over goes on. The same again answers the job that has not ended. ${ONLY_WITH_OPERATORS}`,
      ),
    ),
  HttpApiEndpoint.get("jobs", PATH, {
    success: Data(field(Schema.Array(IndexerJob), "Jobs, newest first")),
    error: [NotConfigured.response],
  })
    .annotate(RequiredAccess, "system")
    .annotateMerge(
      describe(
        "Read the jobs of the indexer",
        `Those that have not ended, and of those that have the last 50; newest first. ${ONLY_WITH_OPERATORS}`,
      ),
    ),
  HttpApiEndpoint.delete("cancelJob", `${PATH}/:id`, {
    params: { id: field(JobId, "Id of the job") },
    success: Data(IndexerJob),
    error: [NotFound.response, NotConfigured.response],
  })
    .annotate(RequiredAccess, "system")
    .annotateMerge(
      describe(
        "Cancel a job of the indexer",
        `One that runs stops after its current page or batch; what is proven or repaired stays so. One that has ended stays as it is. ${ONLY_WITH_OPERATORS}`,
      ),
    ),
] as const
