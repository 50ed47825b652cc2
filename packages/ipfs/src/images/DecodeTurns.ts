import { Busy } from "@launch-registry/domain/http/LimitErrors"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { Effect, PartitionedSemaphore } from "effect"
import type { CleanImage } from "./CleanImage.ts"

const MIB = 1024 * 1024
/** Estimated memory of a decode. */
export const DECODE_BYTES_MAX = 256 * MIB
/** How long an image waits for its turn before it is refused. */
export const WAIT_MILLIS = 10_000

/** What decoding takes is known from the headers. */
type Headers = Pick<CleanImage, "decodeBytes" | "frames" | "heightPixels" | "widthPixels">

/**
 * Decodes one image at a time, however many are uploaded: a decoder takes a core and up to {@link DECODE_BYTES_MAX}, and cannot be stopped.
 * Callers take turns, so that one who sends many waits for himself.
 */
export interface DecodeTurns {
  /** Runs `decode` in the turn of the caller; `Busy` after 10 s without one, `InvalidRequest` if it needs more than the limit. */
  readonly decodeInTurn: <A, E, R>(
    caller: string,
    image: Headers,
    decode: Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, E | InvalidRequest | Busy, R>
}

export const makeDecodeTurns: Effect.Effect<DecodeTurns> = Effect.map(
  PartitionedSemaphore.make<string>({ permits: 1 }),
  (turns) => ({
    decodeInTurn: Effect.fnUntraced(function* (caller, image, decode) {
      if (image.decodeBytes > DECODE_BYTES_MAX) return yield* InvalidRequest.at("body.image", excess(image))
      let isBegun = false
      const begun = Effect.suspend(() => {
        isBegun = true
        return decode
      })
      const waited = Effect.andThen(
        Effect.sleep(WAIT_MILLIS),
        Effect.suspend(() => (isBegun ? Effect.never : Effect.fail(new Busy({ resource: "uploads" })))),
      )
      return yield* Effect.raceFirst(turns.withPermit(caller)(begun), waited)
    }),
  }),
)

const excess = (image: Headers): string => {
  const pixels = image.widthPixels * image.heightPixels * image.frames
  const most = Math.floor((pixels * DECODE_BYTES_MAX) / image.decodeBytes)
  const mebibytes = Math.ceil(image.decodeBytes / MIB)
  return `it takes ${mebibytes} MiB of memory to show it, and ${DECODE_BYTES_MAX / MIB} is the most: of its kind, images up to ${most} pixels are accepted`
}
