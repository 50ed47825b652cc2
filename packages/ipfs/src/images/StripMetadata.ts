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
 * Removes metadata: place, time, camera, author, previews, comments, and bytes outside the image. Pixels, colour profile,
 * orientation and animation stay bit for bit. Encoding again would be seen, or cost seconds (docs/ipfs.md), and the CID would depend
 * on a library's version.
 */
export const stripMetadata = (type: ImageType, bytes: Uint8Array): Cleaning => BY_TYPE[type](bytes)
