import { InvalidImage } from "@launch-registry/domain/ipfs/IpfsErrors"
import { Effect, Semaphore } from "effect"
import type { CleanImage } from "./CleanImage.ts"

const MIB = 1024 * 1024
/** Memory that decoders take at once, by estimate. */
export const DECODE_BYTES_MAX = 256 * MIB
/** From this estimate on images are decoded one at a time. */
const BIG_BYTES = 64 * MIB
/** What a decoder takes for the smallest image. */
const BYTES_MIN = MIB

/** Decodes images within a bound of memory, for all of them together. */
export interface DecodeMemory {
  /** Runs `decode` when there is memory for the image; `InvalidImage` if there never is, as it takes more than all of it. */
  readonly decodeWithin: <A, E, R>(
    image: Pick<CleanImage, "decodeBytes" | "frames" | "heightPixels" | "widthPixels">,
    decode: Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, E | InvalidImage, R>
}

export const makeDecodeMemory: Effect.Effect<DecodeMemory> = Effect.gen(function* () {
  const memory = yield* Semaphore.make(DECODE_BYTES_MAX)
  const big = yield* Semaphore.make(1)
  // Memory is given in the order of asking: a row of small images would keep a big one waiting for ever.
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
  return `it takes ${mebibytes} MiB of memory to show it, and ${DECODE_BYTES_MAX / MIB} is the most: of its kind, images up to ${most} pixels are taken`
}
