import type { ImageType } from "./ImageFormat.ts"
import type { CleanImage } from "./CleanImage.ts"
import { pngPictures } from "./PngPictures.ts"

/** Pixels of all frames together that a browser can reasonably show. */
export const PIXELS_MAX = 40_000_000

/** Far more than 40 million pixels need: an image that takes longer is an attack. */
const DECODE_SECONDS_MAX = 20

let loading: Promise<typeof import("sharp").default> | undefined

/** sharp with only the four formats enabled: its default build also reads SVG, TIFF and PDF. */
const loadSharp = () =>
  (loading ??= import("sharp").then(({ default: sharp }) => {
    // No operation repeats, and one thread each keeps line buffers few.
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

/** An image as the decoder saw it. */
export interface DecodedImage {
  /** sharp's name of the format. */
  readonly format: string
  readonly width: number
  /** Of one frame. */
  readonly height: number
  readonly frames: number
}

/** Decodes an image; the promise rejects if it is damaged or takes too long. */
export type ImageDecoder = (
  image: Pick<CleanImage, "bytes" | "frames">,
  contentType: ImageType,
) => Promise<DecodedImage>

/** Reads every pixel of every frame: only that detects truncated files and forged headers. */
export const decodeImage: ImageDecoder = async (clean, contentType) => {
  const sharp = await loadSharp()
  // Only one channel of the output is held. Decoders hold an interlaced PNG, a progressive JPEG, a GIF and a WebP whole besides.
  const readPixels = async (image: Uint8Array) => {
    await sharp(image, DECODING).timeout({ seconds: DECODE_SECONDS_MAX }).extractChannel(0).raw().toBuffer()
  }
  const { format, height, pageHeight, pages, width } = await sharp(clean.bytes, DECODING).metadata()
  for (const picture of contentType === "image/png" ? pngPictures(clean) : [clean.bytes]) await readPixels(picture)
  return { format, width, height: pageHeight ?? height, frames: pages ?? 1 }
}

/** The first frame, upright and cut to a square, as RGBA; the promise rejects if it cannot be decoded. */
export const squareOf = async (image: Uint8Array, sidePixels: number): Promise<Uint8Array> => {
  const sharp = await loadSharp()
  return sharp(image, { limitInputPixels: PIXELS_MAX })
    .timeout({ seconds: DECODE_SECONDS_MAX })
    .autoOrient()
    .resize(sidePixels, sidePixels, { fit: "cover" })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer()
}
