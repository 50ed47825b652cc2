import { Result } from "effect"
import { ByteReader, latin1 } from "./ByteReader.ts"
import { type Cleaning, TRUNCATED, unsound } from "./CleanImage.ts"
import { PROFILE_BYTES_MAX, PROFILE_TOO_LARGE } from "./ColourProfile.ts"
import { exifOfOrientation, orientationOf } from "./ExifOrientation.ts"
import { ByteWriter } from "./ByteWriter.ts"
import type { Chunk } from "./PngChunk.ts"

/** Flags of the chunk `VP8X`. */
const ANIMATION = 0x02
const XMP = 0x04
const EXIF = 0x08
const ICC = 0x20

/** Room for 4,096 frames with transparency, of three chunks each. */
const CHUNKS_MAX = 20_000

const TOO_MANY = `it has more than ${CHUNKS_MAX} chunks`

const RIFF_BYTES = 12
/** Position, size and duration of a frame, before its chunks. */
const FRAME_BYTES = 16
const VP8X_BYTES = 10

/** The chunk at `at`, if it and its padding to an even length end by `limit`. */
const chunkAt = (file: ByteReader, at: number, limit: number): Chunk | undefined => {
  const data = at + 8
  const end = data + (data > limit ? 0 : file.u32(at + 4, true))
  const next = end + ((end - data) % 2)
  return data > limit || next > limit ? undefined : { name: file.name(at), at, data, end, next }
}

/** Chunks visited so far, including those within frames. */
interface Count {
  chunks: number
}

const isImage = (name: string): boolean => name === "VP8 " || name === "VP8L"

/**
 * Copies the chunks of pixels, colour and animation, and of Exif the orientation. XMP, unknown chunks and bytes after the end are
 * dropped. (WebP Container Specification.)
 */
export const cleanWebp = (source: Uint8Array): Cleaning => {
  const file = new ByteReader(source)
  if (!file.hasText(0, "RIFF") || !file.hasText(8, "WEBP")) return unsound("it does not start as a WebP")
  const limit = 8 + file.u32(4, true)
  if (limit > file.length) return unsound(TRUNCATED)
  const first = chunkAt(file, RIFF_BYTES, limit)
  if (first === undefined) return unsound(TRUNCATED)
  const output = new ByteWriter(source)
  output.copy(0, RIFF_BYTES)
  if (isImage(first.name)) {
    const size = imageSize(file, first)
    if (size === undefined) return unsound("its header is damaged")
    copyChunk(output, first)
    return finished(output, size, 1)
  }
  if (first.name !== "VP8X" || first.end - first.data !== VP8X_BYTES) return unsound("its header is damaged")
  return cleanExtended(file, output, first, limit)
}

const cleanExtended = (file: ByteReader, output: ByteWriter, header: Chunk, limit: number): Cleaning => {
  const flags = file.u8(header.data)
  const isAnimated = (flags & ANIMATION) !== 0
  const size = {
    widthPixels: file.u24LittleEndian(header.data + 4) + 1,
    heightPixels: file.u24LittleEndian(header.data + 7) + 1,
  }
  const flagsAt = output.length + 8
  copyChunk(output, header)
  const seen = new Set<string>()
  let outputFlags = flags & ~(EXIF | XMP)
  let frames = 0
  const count: Count = { chunks: 0 }
  for (let at = header.next; at < limit;) {
    if (++count.chunks > CHUNKS_MAX) return unsound(TOO_MANY)
    const chunk = chunkAt(file, at, limit)
    if (chunk === undefined) return unsound(TRUNCATED)
    const { data, end, name } = chunk
    const isFirst = !seen.has(isImage(name) ? "image" : name)
    seen.add(isImage(name) ? "image" : name)
    if (name === "ANMF" && isAnimated) {
      if (!copyFrame(file, output, chunk, count))
        return unsound(count.chunks > CHUNKS_MAX ? TOO_MANY : "its animation is damaged")
      frames++
    } else if (name === "EXIF" && isFirst && (flags & EXIF) !== 0) {
      const orientation = orientationOf(file.bytes.subarray(data, end))
      if (orientation !== 1) {
        const exif = exifOfOrientation(orientation)
        output.write([...latin1("EXIF"), ...littleEndian(exif.length), ...exif])
        outputFlags |= EXIF
      }
    } else if (isFirst && isNeeded(name, flags, seen)) {
      if (name === "ICCP" && end - data > PROFILE_BYTES_MAX) return unsound(PROFILE_TOO_LARGE)
      copyChunk(output, chunk)
      if (isImage(name)) frames++
    }
    at = chunk.next
  }
  if (frames === 0) return unsound("there is no picture in it")
  // The other 24 bits are reserved.
  output.overwrite(flagsAt, [outputFlags, 0, 0, 0])
  return finished(output, size, frames)
}

/** Whether a chunk outside of frames is shown, by the flags of the header. */
const isNeeded = (name: string, flags: number, seen: ReadonlySet<string>): boolean => {
  if (name === "ICCP") return (flags & ICC) !== 0
  if (name === "ANIM") return (flags & ANIMATION) !== 0
  return (flags & ANIMATION) === 0 && (isImage(name) || (name === "ALPH" && !seen.has("image")))
}

/** Copies a frame with its picture and transparency; `false` if it has no picture. */
const copyFrame = (file: ByteReader, output: ByteWriter, frame: Chunk, count: Count): boolean => {
  const start = output.length
  if (frame.end - frame.data < FRAME_BYTES) return false
  output.copy(frame.at, frame.data + FRAME_BYTES)
  let hasAlpha = false
  for (let at = frame.data + FRAME_BYTES; at < frame.end;) {
    const chunk = chunkAt(file, at, frame.end)
    if (chunk === undefined || ++count.chunks > CHUNKS_MAX) return false
    if (chunk.name === "ALPH" && !hasAlpha) {
      hasAlpha = true
      copyChunk(output, chunk)
    } else if (isImage(chunk.name)) {
      copyChunk(output, chunk)
      output.overwrite(start + 4, littleEndian(output.length - start - 8))
      return true
    }
    at = chunk.next
  }
  return false
}

const copyChunk = (output: ByteWriter, { at, end, next }: Chunk): void => {
  output.copy(at, end)
  if (next > end) output.write([0])
}

const finished = (
  output: ByteWriter,
  size: { widthPixels: number; heightPixels: number },
  frames: number,
): Cleaning => {
  output.overwrite(4, littleEndian(output.length - 8))
  // Four channels of each frame and of one more, and the channel that is read; animations were measured to take more.
  const decodeBytes = size.widthPixels * size.heightPixels * ((frames > 1 ? 6 : 5) * frames + 4)
  return Result.succeed({ ...size, frames, bytes: output.bytes, decodeBytes })
}

/** Size by the header of the picture (RFC 6386, 9.1; WebP Lossless Bitstream Specification, 4). */
const imageSize = (file: ByteReader, { data, end, name }: Chunk) => {
  if (name === "VP8 ") {
    if (end - data < 10 || !file.hasText(data + 3, "\x9d\x01\x2a")) return undefined
    return { widthPixels: file.u16(data + 6, true) & 0x3fff, heightPixels: file.u16(data + 8, true) & 0x3fff }
  }
  if (end - data < 5 || file.u8(data) !== 0x2f) return undefined
  const bits = file.u32(data + 1, true)
  return { widthPixels: (bits & 0x3fff) + 1, heightPixels: ((bits >>> 14) & 0x3fff) + 1 }
}

const littleEndian = (value: number): ReadonlyArray<number> => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff)
