import { regularly } from "@launch-registry/postgres/Regularly"
import { Effect, Layer } from "effect"
import { IdempotentRequests } from "./IdempotentRequests.ts"

const SWEEP_MILLIS = 3_600_000
/** Rows per statement, to keep locks short. */
const BATCH = 1_000

/** Deletes expired requests for the lifetime of the process. Safe in any number of processes. */
export const SweepRequestsLayer = Layer.effectDiscard(
  Effect.flatMap(IdempotentRequests, ({ sweep }) =>
    Effect.forkScoped(
      regularly(
        "Sweeping idempotent requests",
        SWEEP_MILLIS,
        Effect.repeat(sweep(BATCH), { while: (removed) => removed === BATCH }),
      ),
    ),
  ),
)
