import { promisify } from "node:util"
import { constants, zstdCompress, zstdDecompress } from "node:zlib"

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** The fastest level that is worth its time: transactions of one program resemble each other, so even it finds a factor of five. */
const LEVEL = 1
const LENGTH_BYTES = 4
/** Output comes in pieces, each of which costs a turn of the event loop and, when there are several, a copy of them all. */
const CHUNK_BYTES_MIN = 16 * 1024
const CHUNK_BYTES_MAX = 4 * 1024 * 1024
const chunkOf = (bytes: number): number => Math.min(Math.max(Math.ceil(bytes), CHUNK_BYTES_MIN), CHUNK_BYTES_MAX)
/** What a segment is smaller than what it holds, at least about. */
const RATIO = 3
/** Largest content of a segment: what is read back must fit into memory. */
const CONTENT_BYTES_MAX = 512 * 1024 * 1024

/** What bodies are put together in before they are compressed. Fresh memory would cost more than what is done in it. */
const spare: Array<Buffer> = []
const SPARE_MAX = 2
const SPARE_BYTES_MAX = 16 * 1024 * 1024

const takeSpare = (bytes: number): Buffer => {
  const buffer = spare.pop()
  return buffer !== undefined && buffer.length >= bytes ? buffer : Buffer.allocUnsafeSlow(bytes)
}

const giveBack = (buffer: Buffer): void => {
  if (spare.length < SPARE_MAX && buffer.length <= SPARE_BYTES_MAX) spare.push(buffer)
}

/**
 * Bodies compressed together (zstd): each after its length as u32, little-endian. Together they are much smaller than one
 * by one, and the work is done outside of the event loop.
 */
export const encodeSegment = async (bodies: ReadonlyArray<Uint8Array>): Promise<Uint8Array> => {
  let bytes = 0
  for (const body of bodies) bytes += LENGTH_BYTES + body.length
  const buffer = takeSpare(bytes)
  let at = 0
  for (const body of bodies) {
    buffer.writeUInt32LE(body.length, at)
    buffer.set(body, at + LENGTH_BYTES)
    at += LENGTH_BYTES + body.length
  }
  const segment = await compress(buffer.subarray(0, bytes), {
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
    chunkSize: chunkOf(bytes / RATIO),
  })
  giveBack(buffer)
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
