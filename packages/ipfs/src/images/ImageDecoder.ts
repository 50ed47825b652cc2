import type { ImageType } from "../ImageFormat.ts"
import type { CleanImage } from "./CleanImage.ts"
import { pngFrames } from "./PngFrames.ts"

/** Pixels of all frames together: what a browser can be asked to show. */
export const PIXELS_MAX = 40_000_000

/** Far more than 40 million pixels take; what takes longer was made to. */
const DECODE_SECONDS_MAX = 20

let loading: Promise<typeof import("sharp").default> | undefined

/** sharp with every loader but the four formats shut: its default build also reads SVG, TIFF and PDF. */
const loadSharp = () =>
  (loading ??= import("sharp").then(({ default: sharp }) => {
    // An operation is never made twice, and one thread each keeps the buffers of lines few.
    sharp.cache(false)
    sharp.concurrency(1)
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

/** What a decoder found an image to be. */
export interface DecodedImage {
  /** As sharp names formats. */
  readonly format: string
  readonly width: number
  /** Of one frame. */
  readonly height: number
  readonly frames: number
}

/** Decodes an image; the promise fails if it is damaged, or takes too long. */
export type ImageDecoder = (
  image: Pick<CleanImage, "bytes" | "frames">,
  contentType: ImageType,
) => Promise<DecodedImage>

/** Reads every pixel of every frame, which is what tells a truncated file or a forged header from an image. */
export const decodeImage: ImageDecoder = async ({ bytes, frames: pictures }, contentType) => {
  const sharp = await loadSharp()
  // One channel is kept of what is decoded: no more than that of a picture that comes row by row, and beside all of its
  // channels for an interlaced PNG, a progressive JPEG, a GIF and a WebP, which decoders keep whole.
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
