import type { ImageType } from "../ImageFormat.ts"
import type { Cleaning } from "./CleanImage.ts"
import { cleanGif } from "./GifBlocks.ts"
import { cleanJpeg } from "./JpegSegments.ts"
import { cleanPng } from "./PngChunks.ts"
import { cleanWebp } from "./WebpChunks.ts"

const BY_TYPE: Readonly<Record<ImageType, (bytes: Uint8Array) => Cleaning>> = {
  "image/png": cleanPng,
  "image/jpeg": cleanJpeg,
  "image/gif": cleanGif,
  "image/webp": cleanWebp,
}

/**
 * The image without metadata: the place and the time it was taken, the camera, the author, previews, comments, and bytes
 * that are no part of it. Pixels, colour profile, orientation and animation stay, bit by bit: nothing is encoded again, so
 * the same picture has the same CID whatever library decodes it. One pass, whatever the bytes.
 */
export const stripMetadata = (type: ImageType, bytes: Uint8Array): Cleaning => BY_TYPE[type](bytes)
