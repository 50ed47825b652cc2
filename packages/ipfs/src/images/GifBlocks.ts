import { Result } from "effect"
import { ByteReader } from "./ByteReader.ts"
import { type Cleaning, TRUNCATED, unsound } from "./CleanImage.ts"
import { ByteWriter } from "./ByteWriter.ts"

/** Frames and extensions: room for 4,096 frames, each with a control, twice over. */
const BLOCKS_MAX = 20_000

const HEADER_BYTES = 13
const DESCRIPTOR_BYTES = 10

/** Introducers of blocks, and labels of extensions (GIF89a, 18 to 27). */
const IMAGE = 0x2c
const EXTENSION = 0x21
const TRAILER = 0x3b
const GRAPHIC_CONTROL = 0xf9
const PLAIN_TEXT = 0x01
const APPLICATION = 0xff

/** Applications whose extension holds the loop count of an animation. */
const LOOP_APPLICATIONS = ["NETSCAPE2.0", "ANIMEXTS1.0"]

/** Size of the colour table that a packed field declares. */
const colourTableBytes = (packed: number): number => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 0x07) + 1))

/**
 * Copies a GIF up to its trailer: frames, their controls, plain text and the loop count. Comments, extensions of other
 * applications (such as XMP) and bytes after the trailer are dropped.
 */
export const cleanGif = (source: Uint8Array): Cleaning => {
  const file = new ByteReader(source)
  const output = new ByteWriter(source)
  if (!file.hasText(0, "GIF87a") && !file.hasText(0, "GIF89a")) return unsound("it does not start as a GIF")
  let at = HEADER_BYTES + colourTableBytes(file.u8(10))
  if (at > file.length) return unsound(TRUNCATED)
  output.copy(0, at)
  let widthPixels = file.u16(6, true)
  let heightPixels = file.u16(8, true)
  let frames = 0
  let blocks = 0
  for (;;) {
    if (at >= file.length) return unsound(TRUNCATED)
    if (++blocks > BLOCKS_MAX) return unsound(`it has more than ${BLOCKS_MAX} blocks`)
    const introducer = file.u8(at)
    if (introducer === TRAILER) {
      if (frames === 0) return unsound("there is no picture in it")
      output.copy(at, at + 1)
      const size = { widthPixels, heightPixels }
      return Result.succeed({ ...size, frames, bytes: output.bytes, decodeBytes: decodeBytesOf(size, frames) })
    }
    if (introducer === 0) {
      // Some writers terminate data twice; readers skip that.
      at++
      continue
    }
    if (introducer !== IMAGE && introducer !== EXTENSION) return unsound("it has a part that no GIF has")
    const isImage = introducer === IMAGE
    // The colour table and the code size of an image precede its data.
    const data = isImage ? at + DESCRIPTOR_BYTES + colourTableBytes(file.u8(at + 9)) + 1 : at + 2
    const end = dataEnd(source, data)
    if (end === undefined) return unsound(TRUNCATED)
    const label = file.u8(at + 1)
    if (isImage) {
      frames++
      // Decoders enlarge the canvas for a frame that does not fit.
      widthPixels = Math.max(widthPixels, file.u16(at + 1, true) + file.u16(at + 5, true))
      heightPixels = Math.max(heightPixels, file.u16(at + 3, true) + file.u16(at + 7, true))
      output.copy(at, end)
    } else if (label === PLAIN_TEXT) output.copy(at, end)
    else if (label === GRAPHIC_CONTROL) {
      if (file.u8(data) === 4) {
        output.copy(at, data + 5)
        output.write([0])
      }
    } else if (label === APPLICATION) {
      const loop = loopBlock(file, data, end)
      if (loop !== undefined) {
        output.copy(at, data + 12)
        output.copy(loop, loop + 4)
        output.write([0])
      }
    }
    at = end
  }
}

/** The canvas, a second one for frames that restore the previous one, and one channel of every frame. */
const decodeBytesOf = (size: { readonly widthPixels: number; readonly heightPixels: number }, frames: number): number =>
  size.widthPixels * size.heightPixels * (frames + (frames > 1 ? 8 : 4))

/** Where data that starts at `start` ends: after the block of length 0. */
const dataEnd = (source: Uint8Array, start: number): number | undefined => {
  let at = start
  while (at < source.length) {
    const length = source[at]!
    at += 1 + length
    if (length === 0) return at
  }
  return undefined
}

/** The block with the loop count: 3 bytes, the first of which is 1. */
const loopBlock = (file: ByteReader, data: number, end: number): number | undefined => {
  if (file.u8(data) !== 11 || !LOOP_APPLICATIONS.some((name) => file.hasText(data + 1, name))) return undefined
  for (let at = data + 12; at < end - 1; at += 1 + file.u8(at)) {
    if (file.u8(at) === 3 && (file.u8(at + 1) & 0x07) === 1) return at
  }
  return undefined
}
