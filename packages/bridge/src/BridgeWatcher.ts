import { regularly } from "@launch-registry/postgres/Regularly"
import { Cause, Effect, FiberSet, Layer } from "effect"
import { Bridge, type BridgeParts } from "./Bridge.ts"
import type { Look } from "./FollowSwaps.ts"

const LOOK_MILLIS = 500
/** A batch at a time: as many as quotes can be asked for, unless a rate was set. */
const SWEEP_MILLIS = 15_000
/** The asset list is refreshed without callers too, so that health knows whether the swap service answers. */
const ASSETS_MILLIS = 30_000
/** Swaps that are looked at. */
const LOOKS_MAX = 16

const follow = Effect.fnUntraced(function* ({ sweep, tokens, watch }: BridgeParts) {
  const inFlight = yield* FiberSet.make<void>()
  const start = (look: Look) =>
    FiberSet.run(
      inFlight,
      Effect.catchCause(look, (cause) =>
        // Its claim is due again when the lease is over.
        Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.logError("Polling a swap failed", cause),
      ),
    )
  const step = Effect.gen(function* () {
    const free = LOOKS_MAX - (yield* FiberSet.size(inFlight))
    if (free > 0) yield* Effect.forEach(yield* watch(free), start, { discard: true })
  })
  yield* Effect.forkScoped(regularly("Following swaps", LOOK_MILLIS, step))
  yield* Effect.forkScoped(regularly("Asking for the assets that can be swapped", ASSETS_MILLIS, tokens.list))
  yield* Effect.forkScoped(regularly("Sweeping swaps", SWEEP_MILLIS, sweep))
})

/** Follows swaps for as long as the process lives; nothing where bridging is switched off. Any number of processes may. */
export const BridgeWatcherLayer = Layer.effectDiscard(
  Effect.flatMap(Bridge, ({ parts }) =>
    parts.pipe(
      Effect.flatMap(follow),
      Effect.catchTag("NotConfigured", () => Effect.void),
    ),
  ),
)
