import { Busy } from "@launch-registry/domain/http/LimitErrors"
import { Effect } from "effect"

/** Memory for all bodies in flight: of four of the largest. */
const BYTES_AT_ONCE = 64 * 1024 * 1024

/** Claims memory for received bytes; `Busy` if there is none left. */
export type ClaimBytes = (bytes: number) => Effect.Effect<void, Busy>

/**
 * Limits the memory of all uploads together. An upload is charged for received bytes only: a large Content-Length without a body
 * blocks no other upload.
 */
export const makeUploadMemory = Effect.sync(() => {
  let freeBytes = BYTES_AT_ONCE

  /** Runs an upload, whose memory is free again when it ends. */
  const hold = <A, E, R>(upload: (claim: ClaimBytes) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.sync(() => ({ bytes: 0 })),
      (held) =>
        upload((bytes) =>
          Effect.suspend(() => {
            if (bytes > freeBytes) return Effect.fail(new Busy({ resource: "uploads" }))
            freeBytes -= bytes
            held.bytes += bytes
            return Effect.void
          }),
        ),
      (held) => Effect.sync(() => (freeBytes += held.bytes)),
    )

  return { hold }
})

export type UploadMemory = Effect.Success<typeof makeUploadMemory>
