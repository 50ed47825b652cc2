import { type CleanImage, unsound } from "./CleanImage.ts"

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

const ZERO = Buffer.alloc(1)

/** Size of the colour table that a packed field declares. */
const colourTableBytes = (packed: number): number => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 0x07) + 1))

/**
 * Copies a GIF up to its trailer: frames, their controls, plain text and the loop count. Comments, extensions of other
 * applications (such as XMP) and bytes after the trailer are dropped.
 */
export const cleanGif = (file: Buffer): CleanImage => {
  let at = HEADER_BYTES + colourTableBytes(file.readUInt8(10))
  const output = [file.subarray(0, at)]
  let widthPixels = file.readUInt16LE(6)
  let heightPixels = file.readUInt16LE(8)
  let frames = 0
  for (let blocks = 1; file.readUInt8(at) !== TRAILER; blocks++) {
    if (blocks >= BLOCKS_MAX) unsound(`it has more than ${BLOCKS_MAX} blocks`)
    const introducer = file[at]
    if (introducer === 0) {
      // Some writers terminate data twice; readers skip that.
      at++
      continue
    }
    if (introducer !== IMAGE && introducer !== EXTENSION) unsound("it has a part that no GIF has")
    const isImage = introducer === IMAGE
    // The colour table and the code size of an image precede its data.
    const data = isImage ? at + DESCRIPTOR_BYTES + colourTableBytes(file.readUInt8(at + 9)) + 1 : at + 2
    const end = dataEnd(file, data)
    const label = file[at + 1]
    if (isImage) {
      frames++
      // Decoders enlarge the canvas for a frame that does not fit.
      widthPixels = Math.max(widthPixels, file.readUInt16LE(at + 1) + file.readUInt16LE(at + 5))
      heightPixels = Math.max(heightPixels, file.readUInt16LE(at + 3) + file.readUInt16LE(at + 7))
      output.push(file.subarray(at, end))
    } else if (label === PLAIN_TEXT) output.push(file.subarray(at, end))
    else if (label === GRAPHIC_CONTROL) {
      if (file[data] === 4) output.push(file.subarray(at, data + 5), ZERO)
    } else if (label === APPLICATION) {
      const loop = loopBlock(file, data, end)
      if (loop !== undefined) output.push(file.subarray(at, data + 12), loop, ZERO)
    }
    at = end
  }
  if (frames === 0) unsound("there is no picture in it")
  output.push(file.subarray(at, at + 1))
  // The canvas, a second one for frames that restore the previous one, and one channel of every frame.
  const decodeBytes = widthPixels * heightPixels * (frames + (frames > 1 ? 8 : 4))
  return { widthPixels, heightPixels, frames, bytes: Buffer.concat(output), decodeBytes }
}

/** Where data that starts at `at` ends: after the block of length 0. */
const dataEnd = (file: Buffer, at: number): number => {
  for (let length = file.readUInt8(at); length !== 0; length = file.readUInt8(at)) at += 1 + length
  return at + 1
}

/** The block with the loop count: 3 bytes, the first of which is 1. */
const loopBlock = (file: Buffer, data: number, end: number): Buffer | undefined => {
  if (file[data] !== 11 || !LOOP_APPLICATIONS.includes(file.toString("latin1", data + 1, data + 12))) return undefined
  for (let at = data + 12; at < end - 1; at += 1 + file[at]!) {
    if (file[at] === 3 && (file[at + 1]! & 0x07) === 1) return file.subarray(at, at + 4)
  }
  return undefined
}
