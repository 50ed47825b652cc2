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
