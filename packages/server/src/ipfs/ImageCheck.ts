import { InvalidImage, UnsupportedImage } from "@launch-registry/domain/ipfs/IpfsErrors"
import { Effect } from "effect"
import { type ImageType, imageTypeOf } from "./ImageFormat.ts"
import type { CleanImage } from "./images/CleanImage.ts"
import { pngFrames } from "./images/PngFrames.ts"
import { stripMetadata } from "./images/StripMetadata.ts"

/** Pixels of all frames together: what a browser can be asked to show. */
const PIXELS_MAX = 40_000_000
const SIDE_MAX = 8_192
/** A decoder keeps something of every frame, however small it is. */
const FRAMES_MAX = 4_096

const FORMAT_OF: Readonly<Record<ImageType, string>> = {
  "image/png": "png",
  "image/jpeg": "jpeg",
  "image/gif": "gif",
  "image/webp": "webp",
}

/** Far more than 40 million pixels take; what takes longer was made to. */
const DECODE_SECONDS_MAX = 20

let loading: Promise<typeof import("sharp").default> | undefined

/** sharp with every loader but the four formats shut: its default build also reads SVG, TIFF and PDF. */
const loadSharp = () =>
  (loading ??= import("sharp").then(({ default: sharp }) => {
    sharp.block({ operation: ["VipsForeignLoad"] })
    sharp.unblock({
      operation: [
        "VipsForeignLoadJpegBuffer",
        "VipsForeignLoadPngBuffer",
        "VipsForeignLoadWebpBuffer",
        "VipsForeignLoadNsgifBuffer",
      ],
    })
    return sharp
  }))

const DECODING = { limitInputPixels: PIXELS_MAX, animated: true, failOn: "error" } as const

/** Why a picture of this size cannot be used; `undefined` if it can. */
const sizeFault = (width: number, height: number, frames: number): string | undefined => {
  if (width === 0 || height === 0) return "it has no size"
  if (width > SIDE_MAX || height > SIDE_MAX) return `it is ${width} by ${height} pixels; ${SIDE_MAX} a side is the most`
  if (frames > FRAMES_MAX) return `it has ${frames} frames; ${FRAMES_MAX} is the most`
  if (width * height * frames > PIXELS_MAX)
    return `it is larger than ${PIXELS_MAX} pixels, counting every one of its frames`
  return undefined
}

/** An image that can be stored: the bytes without metadata, and what they are. */
export interface CheckedImage {
  readonly bytes: Uint8Array
  readonly contentType: ImageType
}

/**
 * The image without metadata, if its content is what its first bytes say, whole, and of a size that can be shown. The
 * bytes that come back are the ones that were decoded: nothing else of the upload is kept.
 */
export const checkImage = Effect.fn("checkImage")(function* (bytes: Uint8Array) {
  const contentType = imageTypeOf(bytes)
  if (contentType === undefined) return yield* new UnsupportedImage()
  const clean = yield* Effect.fromResult(stripMetadata(contentType, bytes))
  // By its own headers, before anything is decoded.
  const fault = sizeFault(clean.widthPixels, clean.heightPixels, clean.frames)
  if (fault !== undefined) return yield* new InvalidImage({ reason: fault })
  const decoded = yield* Effect.tryPromise({
    try: () => decode(clean, contentType),
    catch: (error) => new InvalidImage({ reason: isTimeout(error) ? "it takes too long to decode" : "it is damaged" }),
  })
  if (decoded.format !== FORMAT_OF[contentType])
    return yield* new InvalidImage({ reason: "its content is not what it starts as" })
  const decodedFault = sizeFault(decoded.width, decoded.height, decoded.frames)
  if (decodedFault !== undefined) return yield* new InvalidImage({ reason: decodedFault })
  return { bytes: clean.bytes, contentType } satisfies CheckedImage
})

const isTimeout = (error: unknown): boolean => error instanceof Error && error.message.includes("timeout")

/** Reads every pixel of every frame, which is what tells a truncated file or a forged header from an image. */
const decode = async ({ bytes, frames: pictures }: CleanImage, contentType: ImageType) => {
  const sharp = await loadSharp()
  // One channel is kept of what is decoded row by row: a picture takes a quarter of the memory of its pixels.
  const readPixels = async (image: Uint8Array) => {
    await sharp(image, DECODING).timeout({ seconds: DECODE_SECONDS_MAX }).extractChannel(0).raw().toBuffer()
  }
  const { format, height, pageHeight, pages, width } = await sharp(bytes, DECODING).metadata()
  await readPixels(bytes)
  if (contentType === "image/png" && pictures > 1) {
    for (const frame of pngFrames(bytes)) await readPixels(frame)
  }
  return { format, width, height: pageHeight ?? height, frames: pages ?? 1 }
}
