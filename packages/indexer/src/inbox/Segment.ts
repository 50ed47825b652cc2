import { promisify } from "node:util"
import { zstdDecompress } from "node:zlib"
import { Effect } from "effect"
import { FrameCompressor } from "./FrameCompressor.ts"

const decompress = promisify(zstdDecompress)

const LENGTH_BYTES = 4
/** For frames without a content size. */
const CHUNK_BYTES = 4 * 1024 * 1024
/** Largest content of a segment, which must fit into memory when it is read back. */
const CONTENT_BYTES_MAX = 512 * 1024 * 1024

/** Idle ones; as many as segments are made at once. */
const idle: Array<FrameCompressor> = []

/**
 * Bodies compressed together (zstd), each after its length as u32, little-endian: much smaller than one by one, and compressed off the
 * event loop.
 */
export const encodeSegment = (bodies: ReadonlyArray<Uint8Array>): Effect.Effect<Uint8Array> =>
  Effect.promise(async () => {
    const compressor = idle.pop() ?? new FrameCompressor()
    const frame = await compressor.compress(contentOf(bodies, compressor))
    // One that has failed is not reused.
    idle.push(compressor)
    return frame
  })

const contentOf = (bodies: ReadonlyArray<Uint8Array>, compressor: FrameCompressor): Buffer => {
  let bytes = 0
  for (const { length } of bodies) bytes += LENGTH_BYTES + length
  const content = compressor.buffer(bytes)
  let at = 0
  for (const body of bodies) {
    content.writeUInt32LE(body.length, at)
    content.set(body, at + LENGTH_BYTES)
    at += LENGTH_BYTES + body.length
  }
  return content
}

const FRAME_MAGIC = 0xfd2fb528
const HEADER_BYTES_MAX = 14

/**
 * The content size of a zstd frame, if its header has it (RFC 8878, 3.1.1.1), as all of ours do: one output buffer of that size spares
 * copying.
 */
const contentBytesOf = (frame: Uint8Array): number | undefined => {
  const { buffer, byteLength, byteOffset } = frame
  const view = new DataView(buffer, byteOffset, byteLength)
  if (byteLength < HEADER_BYTES_MAX || view.getUint32(0, true) !== FRAME_MAGIC) return undefined
  const descriptor = view.getUint8(4)
  const isSingleSegment = (descriptor & 0x20) !== 0
  if ((descriptor & 0x03) !== 0) return undefined
  const at = isSingleSegment ? 5 : 6
  switch (descriptor >> 6) {
    case 0:
      return isSingleSegment ? view.getUint8(at) : undefined
    case 1:
      return view.getUint16(at, true) + 256
    case 2:
      return view.getUint32(at, true)
    default:
      return Number(view.getBigUint64(at, true))
  }
}

/** The bodies of a segment. */
export const decodeSegment = async (segment: Uint8Array): Promise<ReadonlyArray<Uint8Array>> => {
  const content = await decompress(segment, {
    maxOutputLength: CONTENT_BYTES_MAX,
    // Room for all of it in one piece, and for zstd to see its end.
    chunkSize: Math.min(contentBytesOf(segment) ?? CHUNK_BYTES, CONTENT_BYTES_MAX) + 64,
  })
  const bodies: Array<Uint8Array> = []
  for (let at = 0; at < content.length;) {
    const end = at + LENGTH_BYTES + content.readUInt32LE(at)
    bodies.push(content.subarray(at + LENGTH_BYTES, end))
    at = end
  }
  return bodies
}
