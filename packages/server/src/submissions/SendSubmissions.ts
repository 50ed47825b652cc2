import { regularly } from "@launch-registry/postgres/Regularly"
import { Effect, Layer } from "effect"
import { submissionRound } from "./SubmissionRound.ts"

const LOOK_MILLIS = 250
const SWEEP_MILLIS = 60_000
/** Submissions per statement. */
const SWEEP_BATCH = 1_000
const KEPT_MILLIS = 7 * 24 * 3_600_000

/** Sends what was submitted for as long as the process lives, and deletes what ended a week ago. Any number of processes may. */
export const SendSubmissionsLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { next, sweep } = yield* submissionRound
    const catchUp = Effect.repeat(next, { while: (more) => more })
    const forget = Effect.repeat(sweep(KEPT_MILLIS, SWEEP_BATCH), {
      while: (deleted) => deleted === SWEEP_BATCH,
    })
    yield* Effect.forkScoped(regularly("Sending submissions", LOOK_MILLIS, catchUp))
    yield* Effect.forkScoped(regularly("Sweeping submissions", SWEEP_MILLIS, forget))
  }),
)
