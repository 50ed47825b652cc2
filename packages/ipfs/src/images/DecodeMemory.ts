import { InvalidImage } from "@launch-registry/domain/ipfs/IpfsErrors"
import { Effect, Semaphore } from "effect"
import type { CleanImage } from "./CleanImage.ts"

const MIB = 1024 * 1024
/** Estimated memory of all decodes in flight. */
export const DECODE_BYTES_MAX = 256 * MIB
/** Images above this estimate are decoded one at a time. */
const BIG_BYTES = 64 * MIB
/** Memory of a decoder for the smallest image. */
const BYTES_MIN = MIB

/** Limits the memory of all decodes together. */
export interface DecodeMemory {
  /** Runs `decode` once there is memory for the image; `InvalidImage` if it needs more than the limit. */
  readonly decodeWithin: <A, E, R>(
    image: Pick<CleanImage, "decodeBytes" | "frames" | "heightPixels" | "widthPixels">,
    decode: Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, E | InvalidImage, R>
}

export const makeDecodeMemory: Effect.Effect<DecodeMemory> = Effect.gen(function* () {
  const memory = yield* Semaphore.make(DECODE_BYTES_MAX)
  const big = yield* Semaphore.make(1)
  // First come, first served: otherwise small images could starve a big one.
  const turn = yield* Semaphore.make(1)
  return {
    decodeWithin: (image, decode) => {
      const bytes = Math.max(BYTES_MIN, Math.ceil(image.decodeBytes))
      if (bytes > DECODE_BYTES_MAX) return Effect.fail(new InvalidImage({ reason: excess(image) }))
      const decodeNow = Effect.scoped(
        Effect.andThen(Semaphore.withPermits(turn, 1, Semaphore.takeScoped(memory, bytes)), decode),
      )
      return bytes > BIG_BYTES ? Semaphore.withPermits(big, 1, decodeNow) : decodeNow
    },
  }
})

const excess = (image: Pick<CleanImage, "decodeBytes" | "frames" | "heightPixels" | "widthPixels">): string => {
  const pixels = image.widthPixels * image.heightPixels * image.frames
  const most = Math.floor((pixels * DECODE_BYTES_MAX) / image.decodeBytes)
  const mebibytes = Math.ceil(image.decodeBytes / MIB)
  return `it takes ${mebibytes} MiB of memory to show it, and ${DECODE_BYTES_MAX / MIB} is the most: of its kind, images up to ${most} pixels are accepted`
}
