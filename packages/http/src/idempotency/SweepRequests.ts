import { regularly } from "@launch-registry/postgres/Regularly"
import { Effect, Layer } from "effect"
import { IdempotentRequests } from "./IdempotentRequests.ts"

const SWEEP_MILLIS = 3_600_000
/** Rows that are removed at once: nobody waits long for a row that is held. */
const BATCH = 1_000

/** Removes requests whose keys are not kept any more, for as long as the process lives. Any number of processes may. */
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
