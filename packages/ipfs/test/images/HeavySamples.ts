import { deflateSync } from "node:zlib"
import { restartedJpeg } from "./ImageSamples.ts"
import { gifExtension, jpegSegment, pngChunk, webpChunk } from "./Planted.ts"

const EMPTY = Buffer.alloc(0)

/** So many copies of bytes. */
const copies = (count: number, bytes: Uint8Array): Buffer => Buffer.alloc(bytes.length * count, bytes)

/** The picture with so many meaningless chunks. */
export const pngOfChunks = (png: Buffer, chunks: number): Buffer =>
  Buffer.concat([png.subarray(0, 33), copies(chunks, pngChunk("paDd", EMPTY)), png.subarray(33)])

/** The picture with so many segments of a restart interval. */
export const jpegOfSegments = (jpeg: Buffer, segments: number): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), copies(segments, jpegSegment(0xdd, Buffer.alloc(2))), jpeg.subarray(2)])

/** The extended WebP with so many chunks behind its header. */
export const webpOfChunks = (webp: Buffer, chunks: number): Buffer =>
  webpChunk("RIFF", Buffer.concat([webp.subarray(8, 30), copies(chunks, webpChunk("paDd", EMPTY)), webp.subarray(30)]))

/** An animated WebP whose only frame has so many chunks and no picture. */
export const webpOfFrameChunks = (chunks: number): Buffer => {
  const header = webpChunk("VP8X", Buffer.from([2, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
  const frame = webpChunk("ANMF", Buffer.concat([Buffer.alloc(16), copies(chunks, webpChunk("paDd", EMPTY))]))
  return webpChunk("RIFF", Buffer.concat([Buffer.from("WEBP"), header, frame]))
}

/** The GIF with so many comments before its end. */
export const gifOfBlocks = (gif: Buffer, blocks: number): Buffer =>
  Buffer.concat([gif.subarray(0, -1), copies(blocks, gifExtension(0xfe)), gif.subarray(-1)])

/** A gray JPEG with so many scans. */
export const jpegOfScans = (scans: number): Buffer => {
  const jpeg = restartedJpeg()
  const start = jpeg.indexOf(Buffer.from([0xff, 0xda]))
  // Fill bytes and the end.
  return Buffer.concat([jpeg.subarray(0, start), copies(scans, jpeg.subarray(start, -4)), jpeg.subarray(-4)])
}

/** A black interlaced PNG of four samples of 16 bits a pixel: 5 kB for a million pixels, and 10 MB decoded; and data beyond its pixels. */
export const interlacedPng = (side: number, excessBytes = 0): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side)
  header.writeUInt32BE(side, 4)
  header.set([16, 6, 0, 0, 1], 8)
  const passes = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] as const
  const length = passes.reduce(
    (sum, [x, y, dx, dy]) => sum + (Math.ceil((side - x) / dx) * 8 + 1) * Math.ceil((side - y) / dy),
    0,
  )
  const data = deflateSync(Buffer.alloc(length + excessBytes))
  const parts = [pngChunk("IHDR", header), pngChunk("IDAT", data), pngChunk("IEND", EMPTY)]
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts])
}
