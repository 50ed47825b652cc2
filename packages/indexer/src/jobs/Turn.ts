import { Effect, Schema } from "effect"

/** How long a job keeps the regular rounds waiting. */
const TURN_MILLIS = 5_000

/** Others are to have their turn; what is done stays. */
export class TurnOver extends Schema.TaggedError<TurnOver>()("TurnOver", {}) {}

/** Begins a turn; tells whether it is over. */
export const startOfTurn = Effect.sync(() => {
  const until = performance.now() + TURN_MILLIS
  return (): boolean => performance.now() > until
})

/** An operator cancelled the job that runs. */
export class JobCancelled extends Schema.TaggedError<JobCancelled>()("JobCancelled", {}) {}

/** How a job ended, and what is said of it. */
export interface Outcome {
  readonly state: "done" | "failed"
  readonly detail: string
}

export const done = (detail: string): Outcome => ({ state: "done", detail })
export const failed = (detail: string): Outcome => ({ state: "failed", detail })
