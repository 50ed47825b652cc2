import { InvalidImage, UnsupportedImage } from "@launch-registry/domain/ipfs/IpfsErrors"
import { Effect } from "effect"
import { type ImageType, imageTypeOf } from "./ImageFormat.ts"

/** Pixels of all frames together: what a browser can be asked to show. */
const PIXELS_MAX = 40_000_000
const SIDE_MAX = 8_192

const FORMAT_OF: Readonly<Record<ImageType, string>> = {
  "image/png": "png",
  "image/jpeg": "jpeg",
  "image/gif": "gif",
  "image/webp": "webp",
}

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

/** The type of an image whose content is what its first bytes say, whole, and of a size that can be shown. */
export const checkImage = Effect.fn("checkImage")(function* (bytes: Uint8Array) {
  const type = imageTypeOf(bytes)
  if (type === undefined) return yield* new UnsupportedImage()
  const sharp = yield* Effect.promise(loadSharp)
  const decoded = yield* Effect.tryPromise({
    try: async () => {
      const image = sharp(bytes, { limitInputPixels: PIXELS_MAX, animated: true, failOn: "error" })
      const header = await image.metadata()
      // Reading the pixels is what tells a truncated file or a forged header from an image.
      await image.stats()
      return header
    },
    catch: () => new InvalidImage({ reason: `it is damaged, truncated or larger than ${PIXELS_MAX} pixels` }),
  })
  if (decoded.format !== FORMAT_OF[type])
    return yield* new InvalidImage({ reason: "its content is not what it starts as" })
  const height = decoded.pageHeight ?? decoded.height
  if (decoded.width > SIDE_MAX || height > SIDE_MAX) {
    return yield* new InvalidImage({
      reason: `it is ${decoded.width} by ${height} pixels; ${SIDE_MAX} a side is the most`,
    })
  }
  return type
})
