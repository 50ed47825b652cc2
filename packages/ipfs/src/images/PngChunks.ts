import { crc32, inflateSync } from "node:zlib"
import { chunksOf, pngChunk } from "./Chunks.ts"
import { type CleanImage, PROFILE_BYTES_MAX, PROFILE_TOO_LARGE, TRUNCATED, unsound } from "./CleanImage.ts"
import { exifOfOrientation, orientationOf } from "./ExifOrientation.ts"

/** Encoders write chunks of 8 KiB or more, so the largest image has 2,000. */
const CHUNKS_MAX = 100_000

const between = (minimum: number, maximum: number) => (length: number) => length >= minimum && length <= maximum

/** Ancillary chunks about colour, and their valid lengths (PNG 3rd edition, 11.3). One each, before the image data: decoders ignore others. */
const COLOUR_CHUNKS: Readonly<Record<string, (length: number) => boolean>> = {
  tRNS: between(1, 256),
  gAMA: between(4, 4),
  cHRM: between(32, 32),
  sRGB: between(1, 1),
  iCCP: between(4, Infinity),
  cICP: between(4, 4),
  mDCV: between(24, 24),
  cLLI: between(8, 8),
  sBIT: between(1, 4),
  bKGD: between(1, 6),
  pHYs: between(9, 9),
}

/** Image data is one run of chunks. */
type Place = "before image" | "in image" | "after image"

const BAD_ANIMATION = "its animation is damaged"

/** An animation up to a chunk (PNG 3rd edition, 11.3.6); its pictures include the image data. */
interface Animation {
  readonly announced: number
  frames: number
  sequence: number
  pictures: number
}

type Size = Pick<CleanImage, "widthPixels" | "heightPixels">

/** Whether the frame of an `fcTL` lies within the picture. */
const fits = (control: Buffer, { heightPixels, widthPixels }: Size): boolean => {
  const [width, height, left, top] = [4, 8, 12, 16].map((at) => control.readUInt32BE(at)) as [
    number,
    number,
    number,
    number,
  ]
  return width > 0 && height > 0 && width + left <= widthPixels && height + top <= heightPixels
}

/**
 * Copies a PNG up to `IEND`: the chunks of pixels, colour and animation, and of Exif the orientation. Text, time, unknown chunks
 * and bytes after the end are dropped without inflating them. Checksums are verified.
 */
export const cleanPng = (file: Buffer): CleanImage => {
  if (file.length < 33 || file.toString("latin1", 12, 16) !== "IHDR" || file.readUInt32BE(8) !== 13)
    unsound("its header is damaged")
  const size = { widthPixels: file.readUInt32BE(16), heightPixels: file.readUInt32BE(20) }
  const output = [file.subarray(0, 8)]
  const seen = new Set<string>()
  let chunks = 0
  let place: Place = "before image"
  let animation: Animation | undefined
  for (const { at, data: start, end, name, next } of chunksOf(file, "png", 8, file.length)) {
    if (++chunks > CHUNKS_MAX) unsound(`it has more than ${CHUNKS_MAX} chunks`)
    if (crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) unsound("a checksum in it is wrong")
    const data = file.subarray(start, end)
    const { length } = data
    const isFirst = !seen.has(name)
    if (place === "in image" && name !== "IDAT") place = "after image"
    const isBefore = place === "before image"
    let isCopied = true
    switch (name) {
      case "IHDR":
        if (!isFirst) unsound("it has two headers")
        break
      case "PLTE":
        if (!isFirst || !isBefore || length > 768) unsound("its palette is damaged")
        break
      case "IDAT":
        if (place === "after image") unsound("its image data is not in one piece")
        place = "in image"
        break
      case "IEND":
        if (isBefore || length !== 0) unsound("there is no picture in it")
        if (animation?.frames !== animation?.announced) unsound(BAD_ANIMATION)
        output.push(file.subarray(at, next))
        return {
          ...{ ...size, frames: animation?.pictures ?? 1, bytes: Buffer.concat(output) },
          decodeBytes: size.widthPixels * size.heightPixels * bytesOfPixel(file, seen.has("tRNS")),
        }
      case "acTL":
        isCopied = isFirst && isBefore && length === 8
        if (isCopied) animation = { announced: data.readUInt32BE(0), frames: 0, sequence: 0, pictures: 1 }
        break
      case "fcTL":
      case "fdAT":
        isCopied = animation !== undefined
        if (animation === undefined) break
        if (name === "fcTL" ? length !== 26 || !fits(data, size) : length < 4 || animation.pictures === 1)
          unsound(BAD_ANIMATION)
        if (data.readUInt32BE(0) !== animation.sequence++) unsound(BAD_ANIMATION)
        if (name === "fdAT") break
        animation.frames++
        // The image data is the first frame if its control comes before.
        if (!isBefore) animation.pictures++
        break
      case "eXIf": {
        isCopied = false
        const orientation = orientationOf(data)
        if (isFirst && orientation !== 1) output.push(pngChunk("eXIf", exifOfOrientation(orientation)))
        seen.add(name)
        break
      }
      default:
        // An upper-case first letter marks a chunk that decoders must know.
        if (/^[^a-z]/.test(name)) unsound("it has a part that no PNG has")
        isCopied = isFirst && isBefore && Object.hasOwn(COLOUR_CHUNKS, name) && COLOUR_CHUNKS[name]!(length)
        if (isCopied && name === "iCCP") isCopied = isProfile(data)
    }
    if (!isCopied) continue
    seen.add(name)
    output.push(file.subarray(at, next))
  }
  return unsound(TRUNCATED)
}

/**
 * Checks the data of `iCCP` (PNG 3rd edition, 11.3.2.3): a name of 1 to 79 characters, a zero, the method 0, and the deflated
 * profile, which is inflated only up to the limit. Decoders ignore a profile that cannot be inflated.
 */
const isProfile = (data: Buffer): boolean => {
  if (data.length > PROFILE_BYTES_MAX) unsound(PROFILE_TOO_LARGE)
  const nameEnd = data.indexOf(0)
  if (nameEnd < 1 || nameEnd > 79 || data[nameEnd + 1] !== 0) return false
  try {
    inflateSync(data.subarray(nameEnd + 2), { maxOutputLength: PROFILE_BYTES_MAX })
    return true
  } catch (error) {
    return error instanceof RangeError ? unsound(PROFILE_TOO_LARGE) : false
  }
}

/** Samples per pixel by colour type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Samples per pixel in the file; one for a palette. */
export const samplesOf = (file: Buffer): number => SAMPLES[file[25]!] ?? 4

const PALETTE = 3

/** Memory per pixel: one sample is read; an interlaced picture is held whole until the last pass. */
const bytesOfPixel = (file: Buffer, isTransparent: boolean): number => {
  const sampleBytes = file[24] === 16 ? 2 : 1
  // A palette expands to three.
  const samples = (file[25] === PALETTE ? 3 : samplesOf(file)) + (isTransparent ? 1 : 0)
  return sampleBytes * (file[28] === 0 ? 1 : samples + 1)
}
