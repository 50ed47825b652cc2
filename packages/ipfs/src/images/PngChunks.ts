import { Result } from "effect"
import { ByteReader } from "./ByteReader.ts"
import { type Cleaning, TRUNCATED, unsound } from "./CleanImage.ts"
import { pngProfile, PROFILE_TOO_LARGE } from "./ColourProfile.ts"
import { exifOfOrientation, orientationOf } from "./ExifOrientation.ts"
import { ByteWriter } from "./ByteWriter.ts"
import { isChunkIntact, pngChunk, pngChunkAt } from "./PngChunk.ts"

const SIGNATURE = "\x89PNG\r\n\x1a\n"
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

interface Size {
  readonly widthPixels: number
  readonly heightPixels: number
}

/** Whether the frame whose `fcTL` has its data at `data` lies within the picture. */
const fits = (file: ByteReader, data: number, { heightPixels, widthPixels }: Size): boolean => {
  const [width, height] = [file.u32(data + 4), file.u32(data + 8)]
  const isSized = width > 0 && height > 0
  return isSized && width + file.u32(data + 12) <= widthPixels && height + file.u32(data + 16) <= heightPixels
}

/**
 * Copies a PNG up to `IEND`: the chunks of pixels, colour and animation, and of Exif the orientation. Text, time, unknown chunks
 * and bytes after the end are dropped without inflating them. Checksums are verified.
 */
export const cleanPng = (source: Uint8Array): Cleaning => {
  const file = new ByteReader(source)
  const output = new ByteWriter(source)
  if (!file.hasText(0, SIGNATURE)) return unsound("it does not start as a PNG")
  if (file.length < 33 || !file.hasText(12, "IHDR") || file.u32(8) !== 13) return unsound("its header is damaged")
  const size = { widthPixels: file.u32(16), heightPixels: file.u32(20) }
  output.copy(0, 8)
  const seen = new Set<string>()
  let chunks = 0
  let place: Place = "before image"
  let animation: Animation | undefined
  for (let at = 8; ;) {
    const chunk = pngChunkAt(file, at)
    if (chunk === undefined) return unsound(TRUNCATED)
    if (++chunks > CHUNKS_MAX) return unsound(`it has more than ${CHUNKS_MAX} chunks`)
    if (!isChunkIntact(file, chunk)) return unsound("a checksum in it is wrong")
    const { data, end, name, next } = chunk
    const length = end - data
    const isFirst = !seen.has(name)
    if (place === "in image" && name !== "IDAT") place = "after image"
    const isBefore = place === "before image"
    let isCopied = false
    switch (name) {
      case "IHDR":
        if (!isFirst) return unsound("it has two headers")
        isCopied = true
        break
      case "PLTE":
        if (!isFirst || !isBefore || length > 768) return unsound("its palette is damaged")
        isCopied = true
        break
      case "IDAT":
        if (place === "after image") return unsound("its image data is not in one piece")
        place = "in image"
        isCopied = true
        break
      case "IEND":
        if (isBefore || length !== 0) return unsound("there is no picture in it")
        if (animation?.frames !== animation?.announced) return unsound(BAD_ANIMATION)
        output.copy(at, next)
        return Result.succeed({
          ...{ ...size, frames: animation?.pictures ?? 1, bytes: output.bytes },
          decodeBytes: size.widthPixels * size.heightPixels * bytesOfPixel(file, seen.has("tRNS")),
        })
      case "acTL":
        isCopied = isFirst && isBefore && length === 8
        if (isCopied) animation = { announced: file.u32(data), frames: 0, sequence: 0, pictures: 1 }
        break
      case "fcTL":
        isCopied = animation !== undefined
        if (animation === undefined) break
        if (length !== 26 || !fits(file, data, size) || file.u32(data) !== animation.sequence++)
          return unsound(BAD_ANIMATION)
        animation.frames++
        // The image data is the first frame if its control comes before.
        if (!isBefore) animation.pictures++
        break
      case "fdAT":
        isCopied = animation !== undefined
        if (animation === undefined) break
        if (length < 4 || animation.pictures === 1 || file.u32(data) !== animation.sequence++)
          return unsound(BAD_ANIMATION)
        break
      case "eXIf":
        if (isFirst) output.write(orientationChunk(orientationOf(source.subarray(data, end))))
        seen.add(name)
        break
      default:
        // An upper-case first letter marks a chunk that decoders must know.
        if ((file.u8(at + 4) & 0x20) === 0) return unsound("it has a part that no PNG has")
        isCopied = isFirst && isBefore && Object.hasOwn(COLOUR_CHUNKS, name) && COLOUR_CHUNKS[name]!(length)
        if (isCopied && name === "iCCP") {
          const profile = pngProfile(source.subarray(data, end))
          if (profile === "too large") return unsound(PROFILE_TOO_LARGE)
          isCopied = profile === "sound"
        }
    }
    if (isCopied) {
      seen.add(name)
      output.copy(at, next)
    }
    at = next
  }
}

/** Samples per pixel by colour type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Samples per pixel in the file; one for a palette. */
export const samplesOf = (file: ByteReader): number => SAMPLES[file.u8(25)] ?? 4

const PALETTE = 3

/** Memory per pixel: one sample is read; an interlaced picture is held whole until the last pass. */
const bytesOfPixel = (file: ByteReader, isTransparent: boolean): number => {
  const sampleBytes = file.u8(24) === 16 ? 2 : 1
  // A palette expands to three.
  const samples = (file.u8(25) === PALETTE ? 3 : samplesOf(file)) + (isTransparent ? 1 : 0)
  const isInterlaced = file.u8(28) !== 0
  return sampleBytes * (isInterlaced ? samples + 1 : 1)
}

const orientationChunk = (orientation: number): Uint8Array =>
  orientation === 1 ? new Uint8Array() : pngChunk("eXIf", [exifOfOrientation(orientation)])
