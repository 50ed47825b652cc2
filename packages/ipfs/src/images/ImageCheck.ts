import { InvalidRequest, UnsupportedContentType } from "@launch-registry/domain/http/RequestErrors"
import { Effect } from "effect"
import { IMAGE_TYPES, type ImageType, imageTypeOf } from "./ImageFormat.ts"
import type { DecodeTurns } from "./DecodeTurns.ts"
import { decodeImage, type ImageDecoder, PIXELS_MAX } from "./ImageDecoder.ts"
import { hasExcessData } from "./PngPictures.ts"
import { stripMetadata } from "./StripMetadata.ts"

const SIDE_MAX = 8_192
/** A decoder allocates memory for every frame, however small. */
const FRAMES_MAX = 4_096

/** Why a size is not accepted; `undefined` if it is. */
const sizeFault = (width: number, height: number, frames: number): string | undefined => {
  if (width === 0 || height === 0) return "it has no size"
  if (width > SIDE_MAX || height > SIDE_MAX) return `it is ${width} by ${height} pixels; ${SIDE_MAX} a side is the most`
  if (frames > FRAMES_MAX) return `it has ${frames} frames; ${FRAMES_MAX} is the most`
  if (width * height * frames > PIXELS_MAX)
    return `it is larger than ${PIXELS_MAX} pixels, counting every one of its frames`
  return undefined
}

/** An image that can be stored: the bytes without metadata, and their type. */
export interface CheckedImage {
  readonly bytes: Uint8Array
  readonly contentType: ImageType
}

/** Whose image it is, and when it is decoded. */
export interface ImageTurn {
  readonly caller: string
  readonly turns: DecodeTurns
}

/**
 * Strips metadata and decodes the result in its turn: the image must be of the detected type, whole, and of an accepted size.
 * Exactly the decoded bytes are returned.
 */
export const checkImage = Effect.fn("checkImage")(function* (
  bytes: Uint8Array,
  { caller, turns }: ImageTurn,
  decode: ImageDecoder = decodeImage,
) {
  const contentType = imageTypeOf(bytes)
  if (contentType === undefined) return yield* new UnsupportedContentType({ supported: IMAGE_TYPES })
  const clean = yield* Effect.fromResult(stripMetadata(contentType, bytes))
  // By its headers, before decoding.
  const fault = sizeFault(clean.widthPixels, clean.heightPixels, clean.frames)
  if (fault !== undefined) return yield* InvalidRequest.at("body.image", fault)
  const pixels = Effect.tryPromise({
    try: async () => {
      const found = await decode(clean, contentType)
      return { found, hasExcess: contentType === "image/png" && (await hasExcessData(clean)) }
    },
    catch: (error) =>
      InvalidRequest.at("body.image", isTimeout(error) ? "it takes too long to decode" : "it is damaged"),
  })
  // A decoder cannot be stopped: its turn lasts until it ends, even if the caller has disconnected.
  const { found: decoded, hasExcess } = yield* turns.decodeInTurn(caller, clean, Effect.uninterruptible(pixels))
  if (`image/${decoded.format}` !== contentType)
    return yield* InvalidRequest.at("body.image", "its content is not what it starts as")
  const decodedFault = sizeFault(decoded.width, decoded.height, decoded.frames)
  if (decodedFault !== undefined) return yield* InvalidRequest.at("body.image", decodedFault)
  if (hasExcess) return yield* InvalidRequest.at("body.image", "its image data is longer than its pixels")
  return { bytes: clean.bytes, contentType } satisfies CheckedImage
})

const isTimeout = (error: unknown): boolean => error instanceof Error && error.message.includes("timeout")
