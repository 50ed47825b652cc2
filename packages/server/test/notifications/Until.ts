import { inspect } from "node:util"
import { Effect } from "effect"

const MILLIS_MAX = 120_000

/** Looks until it sees what it waits for; fails with what it saw last. */
export const until = Effect.fnUntraced(function* <Seen, E, R>(
  look: Effect.Effect<Seen, E, R>,
  isAwaited: (seen: Seen) => boolean,
) {
  const startedAt = performance.now()
  for (;;) {
    const seen = yield* look
    if (isAwaited(seen)) return seen
    if (performance.now() - startedAt > MILLIS_MAX) throw new Error(`Waited in vain; the last was ${inspect(seen)}`)
    yield* Effect.sleep(10)
  }
})
