import { crc32 } from "node:zlib"
import { TRUNCATED, unsound } from "./CleanImage.ts"

/** A chunk of a PNG or a WebP. */
export interface Chunk {
  readonly name: string
  readonly at: number
  readonly data: number
  /** Where the data ends. */
  readonly end: number
  /** Where the next chunk starts, after a checksum (PNG) or padding (WebP). */
  readonly next: number
}

/** The chunks between two positions: of a PNG with length, name, data and checksum, of a WebP with name, length, data and padding. */
export function* chunksOf(file: Buffer, type: "png" | "webp", from: number, to: number): Generator<Chunk> {
  for (let at = from; at < to;) {
    const length = type === "png" ? file.readUInt32BE(at) : file.readUInt32LE(at + 4)
    const nameAt = type === "png" ? at + 4 : at
    const data = at + 8
    const end = data + length
    const next = end + (type === "png" ? 4 : length % 2)
    if (next > to) unsound(TRUNCATED)
    yield { name: file.toString("latin1", nameAt, nameAt + 4), at, data, end, next }
    at = next
  }
}

/** A PNG chunk with its checksum. */
export const pngChunk = (name: string, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const data = Buffer.concat([Buffer.from(name, "latin1"), ...parts])
  const bytes = Buffer.alloc(data.length + 8)
  bytes.writeUInt32BE(data.length - 4)
  bytes.set(data, 4)
  bytes.writeUInt32BE(crc32(data), data.length + 4)
  return bytes
}

/** The parts of a WebP chunk, padded to an even length. */
export const webpChunk = (name: string, ...parts: ReadonlyArray<Uint8Array>): ReadonlyArray<Uint8Array> => {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const head = Buffer.alloc(8)
  head.write(name, "latin1")
  head.writeUInt32LE(length, 4)
  return [head, ...parts, Buffer.alloc(length % 2)]
}
