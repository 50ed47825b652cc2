import { promisify } from "node:util"
import { zstdDecompress } from "node:zlib"
import { FrameCompressor } from "./FrameCompressor.ts"

const decompress = promisify(zstdDecompress)

const LENGTH_BYTES = 4
/** Output comes in pieces, each of which costs a turn of the event loop and, when there are several, a copy of them all. */
const CHUNK_BYTES_MIN = 16 * 1024
const CHUNK_BYTES_MAX = 4 * 1024 * 1024
const chunkOf = (bytes: number): number => Math.min(Math.max(Math.ceil(bytes), CHUNK_BYTES_MIN), CHUNK_BYTES_MAX)
/** What a segment is smaller than what it holds, at least about. */
const RATIO = 3
/** Largest content of a segment: what is read back must fit into memory. */
const CONTENT_BYTES_MAX = 512 * 1024 * 1024

/** Those that are not at work; as many as segments are made at once. */
const idle: Array<FrameCompressor> = []

/**
 * Bodies compressed together (zstd): each after its length as u32, little-endian. Together they are much smaller than one
 * by one, and the work is done outside of the event loop.
 */
export const encodeSegment = async (bodies: ReadonlyArray<Uint8Array>): Promise<Uint8Array> => {
  const compressor = idle.pop() ?? new FrameCompressor()
  let bytes = 0
  for (const body of bodies) bytes += LENGTH_BYTES + body.length
  const content = compressor.buffer(bytes)
  let at = 0
  for (const body of bodies) {
    content.writeUInt32LE(body.length, at)
    content.set(body, at + LENGTH_BYTES)
    at += LENGTH_BYTES + body.length
  }
  const segment = await compressor.compress(content)
  // One that has failed is not used again.
  idle.push(compressor)
  return segment
}

/** The bodies of a segment. */
export const decodeSegment = async (segment: Uint8Array): Promise<ReadonlyArray<Uint8Array>> => {
  const content = await decompress(segment, {
    maxOutputLength: CONTENT_BYTES_MAX,
    chunkSize: chunkOf(segment.length * RATIO),
  })
  const bodies: Array<Uint8Array> = []
  for (let at = 0; at < content.length;) {
    const end = at + LENGTH_BYTES + content.readUInt32LE(at)
    bodies.push(content.subarray(at + LENGTH_BYTES, end))
    at = end
  }
  return bodies
}
