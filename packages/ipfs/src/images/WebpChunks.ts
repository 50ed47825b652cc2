import { type Chunk, chunksOf, webpChunk } from "./Chunks.ts"
import { type CleanImage, PROFILE_BYTES_MAX, PROFILE_TOO_LARGE, TRUNCATED, unsound } from "./CleanImage.ts"
import { exifOfOrientation, orientationOf } from "./ExifOrientation.ts"

/** Flags of the chunk `VP8X`. */
const ANIMATION = 0x02
const XMP = 0x04
const EXIF = 0x08
const ICC = 0x20

/** Room for 4,096 frames with transparency, of three chunks each. */
const CHUNKS_MAX = 20_000

const RIFF_BYTES = 12
/** Position, size and duration of a frame, before its chunks. */
const FRAME_BYTES = 16
const VP8X_BYTES = 10

const isImage = (name: string): boolean => name === "VP8 " || name === "VP8L"

/**
 * Copies the chunks of pixels, colour and animation, and of Exif the orientation. XMP, unknown chunks and bytes after the end are
 * dropped. (WebP Container Specification.)
 */
export const cleanWebp = (file: Buffer): CleanImage => {
  const limit = 8 + file.readUInt32LE(4)
  if (limit > file.length) unsound(TRUNCATED)
  let chunks = 0
  /** Counts those within frames as well. */
  function* counted(from: number, to: number): Generator<Chunk> {
    for (const chunk of chunksOf(file, "webp", from, to)) {
      if (++chunks > CHUNKS_MAX) unsound(`it has more than ${CHUNKS_MAX} chunks`)
      yield chunk
    }
  }
  const copied = ({ data, end, name }: Chunk) => webpChunk(name, file.subarray(data, end))

  /** A frame with its picture and transparency. */
  const frameOf = ({ data, end }: Chunk): ReadonlyArray<Uint8Array> => {
    const parts: Array<Uint8Array> = [file.subarray(data, data + FRAME_BYTES)]
    let hasAlpha = false
    for (const chunk of counted(data + FRAME_BYTES, end)) {
      if (isImage(chunk.name)) return webpChunk("ANMF", ...parts, ...copied(chunk))
      if (chunk.name !== "ALPH" || hasAlpha) continue
      hasAlpha = true
      parts.push(...copied(chunk))
    }
    return unsound("its animation is damaged")
  }

  const [header] = chunksOf(file, "webp", RIFF_BYTES, limit)
  if (header === undefined) return unsound(TRUNCATED)
  if (isImage(header.name)) return finished(imageSize(file, header), 1, copied(header))
  if (header.name !== "VP8X" || header.end - header.data !== VP8X_BYTES) unsound("its header is damaged")
  const flags = file.readUInt8(header.data)
  const isAnimated = (flags & ANIMATION) !== 0
  const output: Array<Uint8Array> = []
  const seen = new Set<string>()
  let outputFlags = flags & ~(EXIF | XMP)
  let frames = 0
  for (const chunk of counted(header.next, limit)) {
    const kind = isImage(chunk.name) ? "image" : chunk.name
    const isFirst = !seen.has(kind)
    seen.add(kind)
    if (kind === "ANMF" && isAnimated) {
      frames++
      for (const part of frameOf(chunk)) output.push(part)
    } else if (kind === "EXIF" && isFirst && (flags & EXIF) !== 0) {
      const orientation = orientationOf(file.subarray(chunk.data, chunk.end))
      if (orientation === 1) continue
      output.push(...webpChunk("EXIF", exifOfOrientation(orientation)))
      outputFlags |= EXIF
    } else if (isFirst && isShown(kind, flags, seen)) {
      if (kind === "ICCP" && chunk.end - chunk.data > PROFILE_BYTES_MAX) unsound(PROFILE_TOO_LARGE)
      output.push(...copied(chunk))
      if (kind === "image") frames++
    }
  }
  if (frames === 0) unsound("there is no picture in it")
  const size = file.subarray(header.data + 4, header.end)
  // The other 24 bits are reserved.
  const extended = webpChunk("VP8X", Buffer.from([outputFlags, 0, 0, 0]), size)
  const sides = { widthPixels: size.readUIntLE(0, 3) + 1, heightPixels: size.readUIntLE(3, 3) + 1 }
  return finished(sides, frames, [...extended, ...output])
}

/** Whether a chunk outside of frames is shown, by the flags of the header. */
const isShown = (kind: string, flags: number, seen: ReadonlySet<string>): boolean => {
  if (kind === "ICCP") return (flags & ICC) !== 0
  if (kind === "ANIM") return (flags & ANIMATION) !== 0
  return (flags & ANIMATION) === 0 && (kind === "image" || (kind === "ALPH" && !seen.has("image")))
}

type Size = Pick<CleanImage, "widthPixels" | "heightPixels">

const finished = (size: Size, frames: number, chunks: ReadonlyArray<Uint8Array>): CleanImage => {
  const bytes = Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBP", "latin1"), ...chunks])
  bytes.writeUInt32LE(bytes.length - 8, 4)
  // Four channels of each frame and of one more, and the channel that is read; animations were measured to take more.
  const decodeBytes = size.widthPixels * size.heightPixels * ((frames > 1 ? 6 : 5) * frames + 4)
  return { ...size, frames, bytes, decodeBytes }
}

/** Size by the header of the picture (RFC 6386, 9.1; WebP Lossless Bitstream Specification, 4). */
const imageSize = (file: Buffer, { data, end, name }: Chunk): Size => {
  if (name === "VP8 ") {
    if (end - data < 10 || file.readUIntBE(data + 3, 3) !== 0x9d012a) unsound("its header is damaged")
    return { widthPixels: file.readUInt16LE(data + 6) & 0x3fff, heightPixels: file.readUInt16LE(data + 8) & 0x3fff }
  }
  if (end - data < 5 || file[data] !== 0x2f) unsound("its header is damaged")
  const bits = file.readUInt32LE(data + 1)
  return { widthPixels: (bits & 0x3fff) + 1, heightPixels: ((bits >>> 14) & 0x3fff) + 1 }
}
