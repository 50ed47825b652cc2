import { createInflate } from "node:zlib"
import { ByteReader } from "./ByteReader.ts"
import type { CleanImage } from "./CleanImage.ts"
import { pngChunksOf } from "./PngChunk.ts"
import { samplesOf } from "./PngChunks.ts"
import { pngFrames } from "./PngFrames.ts"

/** Some encoders write a few bytes too many, which decoders ignore. */
const EXCESS_BYTES_MAX = 64 * 1024

/** Most bytes of all rows by the header, each with its filter: twice those without interlacing, which may break up rows. */
const pixelBytes = (file: ByteReader): number => {
  const [width, height] = [file.u32(16), file.u32(20)]
  return height * (1 + Math.ceil((width * samplesOf(file) * file.u8(24)) / 8)) * (file.u8(28) === 0 ? 1 : 2)
}

/**
 * Whether a PNG has more image data than pixels: a decompression bomb for decoders that inflate all of it. Our decoder stops at the
 * last pixel, so the data is inflated here, on another thread and only up to the size of the pixels. `cleanPng` made the image.
 */
export const hasExcessData = async ({ bytes, frames }: Pick<CleanImage, "bytes" | "frames">): Promise<boolean> => {
  for (const picture of frames > 1 ? [bytes, ...pngFrames(bytes)] : [bytes]) {
    if (await isLongerThanPixels(new ByteReader(picture))) return true
  }
  return false
}

const isLongerThanPixels = async (picture: ByteReader): Promise<boolean> => {
  const limitBytes = pixelBytes(picture) + EXCESS_BYTES_MAX
  const inflate = createInflate({ chunkSize: 256 * 1024 })
  const data = [...pngChunksOf(picture)].filter(({ name }) => name === "IDAT")
  inflate.end(Buffer.concat(data.map(({ data, end }) => picture.bytes.subarray(data, end))))
  let bytes = 0
  try {
    for await (const piece of inflate) {
      bytes += (piece as Buffer).length
      if (bytes > limitBytes) return true
    }
  } catch {
    // Damage after the last pixel, such as a wrong checksum: every pixel was decoded.
  }
  return false
}
