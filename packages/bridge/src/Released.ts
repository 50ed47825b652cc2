import { Effect } from "effect"

/** How long an end may be held up by giving back what was claimed: a lease ends by itself. */
const DEADLINE_MILLIS = 2_000

/** Gives back what was claimed by somebody who is ending; when the database does not answer, it is left as it is. */
export const released = (giveBack: Effect.Effect<unknown, unknown>): Effect.Effect<void> =>
  giveBack.pipe(Effect.interruptible, Effect.timeoutOption(DEADLINE_MILLIS), Effect.ignoreCause, Effect.asVoid)
