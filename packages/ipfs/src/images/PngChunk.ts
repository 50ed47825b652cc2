import { crc32 } from "node:zlib"
import { type ByteReader, latin1 } from "./ByteReader.ts"

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

/** Length, name and checksum. */
const OVERHEAD_BYTES = 12

/** The chunk at `at`; `undefined` if it is truncated. */
export const pngChunkAt = (file: ByteReader, at: number): Chunk | undefined => {
  const data = at + 8
  const end = data + file.u32(at)
  const next = end + 4
  return at + OVERHEAD_BYTES > file.length || next > file.length
    ? undefined
    : { name: file.name(at + 4), at, data, end, next }
}

/** The chunks of a PNG whose structure is sound. */
export function* pngChunksOf(file: ByteReader): Generator<Chunk> {
  for (let chunk = pngChunkAt(file, 8); chunk !== undefined; chunk = pngChunkAt(file, chunk.next)) yield chunk
}

/** Whether the checksum of a chunk is right. */
export const isChunkIntact = (file: ByteReader, { at, end }: Chunk): boolean =>
  crc32(file.bytes.subarray(at + 4, end)) === file.u32(end)

/** A chunk with its checksum. */
export const pngChunk = (name: string, parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const data = Buffer.concat([latin1(name), ...parts])
  const bytes = Buffer.alloc(data.length + 8)
  bytes.writeUInt32BE(data.length - 4)
  bytes.set(data, 4)
  bytes.writeUInt32BE(crc32(data), data.length + 4)
  return bytes
}
