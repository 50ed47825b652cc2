import { UploadsBusy } from "@launch-registry/domain/ipfs/IpfsErrors"
import { FORM_BYTES_MAX } from "@launch-registry/domain/ipfs/IpfsApi"
import { Effect, Scope, Semaphore } from "effect"

/** Bytes of bodies in memory at once: four of the largest, or hundreds of icons, and the small still pass the large. */
const BYTES_AT_ONCE = 64 * 1024 * 1024
/** What any upload counts for, however small its body says it is. */
const BYTES_MIN = 16 * 1024
/** How long an upload waits before the caller is told to come back. */
const WAIT_MILLIS = 10_000

/** Runs an upload when there is room for its body, which is not read before: until then the caller's sending stands still. */
export interface UploadMemory {
  /** `announcedBytes`: length of the body, if the caller said so; without it the upload counts as one of the largest. */
  readonly hold: <A, E, R>(
    announcedBytes: number | undefined,
    upload: Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, E | UploadsBusy, R>
}

/** The bound on what uploads keep in memory, for all of them together. */
export const makeUploadMemory: Effect.Effect<UploadMemory> = Effect.map(Semaphore.make(BYTES_AT_ONCE), (memory) => ({
  hold: (announcedBytes, upload) => {
    const bytes = Math.max(BYTES_MIN, Math.min(announcedBytes ?? FORM_BYTES_MAX, FORM_BYTES_MAX))
    const room = Effect.timeoutOrElse(Semaphore.takeScoped(memory, bytes), {
      duration: WAIT_MILLIS,
      orElse: () => Effect.fail(new UploadsBusy()),
    })
    return Effect.scopedWith((scope) => Effect.andThen(Effect.provideService(room, Scope.Scope, scope), upload))
  },
}))
