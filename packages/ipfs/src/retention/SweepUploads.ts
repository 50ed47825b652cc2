import { regularly } from "@launch-registry/postgres/Regularly"
import { Effect, Layer, Metric } from "effect"
import { type SweepPosition, unusedUploads } from "./UnusedUploads.ts"

const SWEEP_MILLIS = 3_600_000

const sweptUploads = Metric.counter("ipfs_uploads_swept_total", {
  description: "Uploads that nothing used and this process deleted",
  incremental: true,
})
const sweptBytes = Metric.counter("ipfs_swept_bytes_total", {
  description: "Bytes of blocks that this process deleted with unused uploads",
  incremental: true,
})

/** Deletes stored uploads that were not used for so many days. Any number of processes may at once. */
export const sweepUploads = Effect.gen(function* () {
  const { sweep } = yield* unusedUploads

  const pass = Effect.fnUntraced(function* (days: number) {
    let uploads = 0
    let bytes = 0
    let position: SweepPosition | undefined
    do {
      const swept = yield* sweep(days, position)
      position = swept.position
      uploads += swept.uploads
      bytes += swept.bytes
      yield* Metric.update(sweptUploads, swept.uploads)
      yield* Metric.update(sweptBytes, swept.bytes)
    } while (position !== undefined)
    if (uploads > 0)
      yield* Effect.logInfo(`Deleted ${uploads} uploads (${bytes} bytes) that nothing used for ${days} days`)
    return uploads
  })

  return Effect.fn("sweepUploads")(function* (days: number) {
    // What only deleted uploads linked to is found by another pass.
    yield* Effect.repeat(pass(days), { while: (deleted) => deleted > 0 }).pipe(
      Effect.catchTag("LaunchesUncertain", ({ reason }) =>
        Effect.logWarning(`No uploads are deleted, because ${reason}`),
      ),
    )
  })
})

/** Deletes uploads that were not used for so many days, for the lifetime of the process. */
export const SweepUploadsLayer = (days: number) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sweep = yield* sweepUploads
      yield* Effect.forkScoped(regularly("Sweeping uploads", SWEEP_MILLIS, sweep(days)))
    }),
  )
