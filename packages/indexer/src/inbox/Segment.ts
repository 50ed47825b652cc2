import { promisify } from "node:util"
import { constants, zstdCompress, zstdDecompress } from "node:zlib"
import { Effect } from "effect"
import { type BodyElement, joinBodies, readBody } from "./ReadBody.ts"

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Of what is written at a time: with the 16 KB that are usual, a segment takes dozens of turns of the event loop. */
const CHUNK_BYTES = 1024 * 1024
/** Transactions of one program resemble each other, so even the fastest level compresses them fivefold. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 }, chunkSize: CHUNK_BYTES }
const LENGTH_BYTES = 4
/** Largest content of a segment, which must fit into memory when it is read back. */
const CONTENT_BYTES_MAX = 512 * 1024 * 1024

/**
 * Bodies compressed together (zstd), each after its length as u32, little-endian: much smaller than one by one, and compressed off the
 * event loop.
 */
export const encodeSegment = (bodies: ReadonlyArray<Uint8Array>): Effect.Effect<Uint8Array> => {
  const content = bodies.flatMap((body) => {
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32LE(body.length)
    return [length, body]
  })
  return Effect.promise(() => compress(Buffer.concat(content), COMPRESSION))
}

/** The bodies of a segment. */
export const decodeSegment = async (segment: Uint8Array): Promise<ReadonlyArray<Uint8Array>> => {
  const content = await decompress(segment, { maxOutputLength: CONTENT_BYTES_MAX, chunkSize: CHUNK_BYTES })
  const bodies: Array<Uint8Array> = []
  for (let at = 0; at < content.length;) {
    const end = at + LENGTH_BYTES + content.readUInt32LE(at)
    bodies.push(content.subarray(at + LENGTH_BYTES, end))
    at = end
  }
  return bodies
}

/** What a segment holds, by position: the same as when its bodies were received. */
export const segmentElements = (segment: Uint8Array): Effect.Effect<ReadonlyArray<BodyElement>> =>
  Effect.map(
    Effect.promise(() => decodeSegment(segment)),
    (bodies) => joinBodies(bodies.map(readBody)).elements,
  )
