import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { Result } from "effect"
import { type ImageType, imageTypeOf } from "./ImageFormat.ts"
import { type CleanImage, TRUNCATED, Unsound } from "./CleanImage.ts"
import { cleanGif } from "./GifBlocks.ts"
import { cleanJpeg } from "./JpegSegments.ts"
import { cleanPng } from "./PngChunks.ts"
import { cleanWebp } from "./WebpChunks.ts"

const BY_TYPE: Readonly<Record<ImageType, (file: Buffer) => CleanImage>> = {
  "image/png": cleanPng,
  "image/jpeg": cleanJpeg,
  "image/gif": cleanGif,
  "image/webp": cleanWebp,
}

const reasonOf = (error: unknown): string => {
  if (error instanceof Unsound) return error.message
  // A number is read beyond the last byte.
  if (error instanceof RangeError) return TRUNCATED
  throw error
}

/**
 * Removes metadata: place, time, camera, author, previews, comments, and bytes outside the image. Pixels, colour profile,
 * orientation and animation stay bit for bit. Encoding again would be seen, or cost seconds (docs/ipfs.md), and the CID would depend
 * on a library's version.
 */
export const stripMetadata = (type: ImageType, bytes: Uint8Array): Result.Result<CleanImage, InvalidRequest> =>
  Result.try({
    try: () => {
      if (imageTypeOf(bytes) !== type) throw new Unsound("it does not start as an image")
      return BY_TYPE[type](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    },
    catch: (error) => InvalidRequest.at("body.image", reasonOf(error)),
  })
