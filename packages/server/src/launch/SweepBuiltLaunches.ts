import { regularly } from "@launch-registry/postgres/Regularly"
import { Effect, Layer } from "effect"
import { BUILT_KINDS, builtLaunchSweep } from "./BuiltLaunchSweep.ts"

const SWEEP_MILLIS = 3_600_000

/** Deletes all that was built long ago and is not on chain. Any number of processes may at once. */
export const sweepBuiltLaunches = Effect.gen(function* () {
  const sweep = yield* builtLaunchSweep
  const all = Effect.gen(function* () {
    let rows = 0
    for (const kind of BUILT_KINDS)
      for (let isFull = true; isFull;) {
        const swept = yield* sweep(kind)
        rows += swept.deleted
        isFull = swept.isFull
      }
    if (rows > 0) yield* Effect.logInfo(`Deleted ${rows} rows of launches that were built and never landed`)
  })
  return Effect.catchTag(all, "LaunchesUncertain", ({ reason }) =>
    Effect.logWarning(`Nothing of built launches is deleted, because ${reason}`),
  )
})

/** The same regularly, for the lifetime of the process. */
export const SweepBuiltLaunchesLayer = Layer.effectDiscard(
  Effect.flatMap(sweepBuiltLaunches, (sweep) =>
    Effect.forkScoped(regularly("Sweeping built launches", SWEEP_MILLIS, sweep)),
  ),
)
