import { createInflate } from "node:zlib"
import { chunksOf, pngChunk } from "./Chunks.ts"
import type { CleanImage } from "./CleanImage.ts"
import { samplesOf } from "./PngChunks.ts"

/** Some encoders write a few bytes too many, which decoders ignore. */
const EXCESS_BYTES_MAX = 64 * 1024

/**
 * The pictures of a PNG that `cleanPng` made: itself, and each further frame as a PNG of its own, so that a decoder without
 * animation reads their pixels too.
 */
export function* pngPictures({ bytes, frames }: Pick<CleanImage, "bytes" | "frames">): Generator<Buffer> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  yield file
  if (frames === 1) return
  const colours: Array<Buffer> = []
  let size = file.subarray(16, 24)
  let parts: Array<Buffer> = []
  for (const { at, data, end, name, next } of chunksOf(file, "png", 8, file.length)) {
    if (name === "PLTE" || name === "tRNS") colours.push(file.subarray(at, next))
    if (name === "fdAT") parts.push(file.subarray(data + 4, end))
    if (name !== "fcTL" && name !== "IEND") continue
    const head = [file.subarray(0, 8), pngChunk("IHDR", size, file.subarray(24, 29)), ...colours]
    if (parts.length > 0) yield Buffer.concat([...head, pngChunk("IDAT", ...parts), pngChunk("IEND")])
    size = file.subarray(data + 4, data + 12)
    parts = []
  }
}

/** Most bytes of all rows by the header, each with its filter: twice those without interlacing, which may break up rows. */
const pixelBytes = (file: Buffer): number => {
  const rowBytes = 1 + Math.ceil((file.readUInt32BE(16) * samplesOf(file) * file[24]!) / 8)
  return file.readUInt32BE(20) * rowBytes * (file[28] === 0 ? 1 : 2)
}

/**
 * Whether a PNG has more image data than pixels: a decompression bomb for decoders that inflate all of it. Our decoder stops at the
 * last pixel, so the data is inflated here, on another thread and only up to the size of the pixels.
 */
export const hasExcessData = async (image: Pick<CleanImage, "bytes" | "frames">): Promise<boolean> => {
  for (const picture of pngPictures(image)) if (await isLongerThanPixels(picture)) return true
  return false
}

const isLongerThanPixels = async (picture: Buffer): Promise<boolean> => {
  const limitBytes = pixelBytes(picture) + EXCESS_BYTES_MAX
  const inflate = createInflate({ chunkSize: 256 * 1024 })
  const data = [...chunksOf(picture, "png", 8, picture.length)].filter(({ name }) => name === "IDAT")
  inflate.end(Buffer.concat(data.map(({ data, end }) => picture.subarray(data, end))))
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
