import { Result } from "effect"
import { ByteReader, latin1 } from "./ByteReader.ts"
import { type Cleaning, TRUNCATED, unsound } from "./CleanImage.ts"
import { PROFILE_BYTES_MAX, PROFILE_TOO_LARGE } from "./ColourProfile.ts"
import { EXIF_PREFIX, exifOfOrientation, orientationOf } from "./ExifOrientation.ts"
import { ByteWriter } from "./ByteWriter.ts"

/** Markers of ITU-T T.81, table B.1, and of the JFIF, Exif, ICC and Adobe specifications. */
const TEM = 0x01
const DHT = 0xc4
const DAC = 0xcc
const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const DQT = 0xdb
const DNL = 0xdc
const DRI = 0xdd
const APP0 = 0xe0
const APP1 = 0xe1
const APP2 = 0xe2
const APP14 = 0xee
const APP15 = 0xef
const COM = 0xfe

/** Tables that decoding needs. */
const TABLES: ReadonlySet<number> = new Set([DHT, DAC, DQT, DNL, DRI])

/** Encoders write about ten. Each makes a decoder visit the whole picture, however short the scan is. */
const SCANS_MAX = 64

/** A segment holds up to 64 KiB, so the largest profile and metadata take a few hundred. */
const SEGMENTS_MAX = 10_000

const JFIF_BYTES = 14
const ADOBE_BYTES = 12

const isRestart = (code: number): boolean => code >= 0xd0 && code <= 0xd7
const isFrame = (code: number): boolean => code >= 0xc0 && code <= 0xcf && ![DHT, 0xc8, DAC].includes(code)

/**
 * Copies a JPEG up to its end-of-image marker: tables, frame, scans, JFIF (without its thumbnail), ICC profile, Adobe transform,
 * and of Exif the orientation. Everything else is dropped: XMP, IPTC, comments, previews, second images (MPF), bytes after the end.
 */
export const cleanJpeg = (source: Uint8Array): Cleaning => {
  const file = new ByteReader(source)
  const output = new ByteWriter(source)
  if (file.u16(0) !== 0xffd8) return unsound("it does not start as a JPEG")
  output.copy(0, 2)
  let frame: JpegFrame | undefined
  let hasJfif = false
  let hasExif = false
  let scans = 0
  let segments = 0
  let profileBytes = 0
  let isHeldWhole = false
  let at = 2
  for (;;) {
    // Decoders skip bytes that are not a marker, and fill bytes before its code.
    while (at < file.length && source[at] !== 0xff) at++
    while (at < file.length && source[at] === 0xff) at++
    if (at >= file.length) return unsound(TRUNCATED)
    if (++segments > SEGMENTS_MAX) return unsound(`it has more than ${SEGMENTS_MAX} segments`)
    const code = file.u8(at++)
    if (code === 0 || code === TEM || isRestart(code)) continue
    if (code === SOI) return unsound("another image starts inside it")
    if (code === EOI) {
      if (frame === undefined || scans === 0) return unsound("there is no picture in it")
      output.write([0xff, EOI])
      const { heightPixels, widthPixels } = frame
      const decodeBytes = widthPixels * heightPixels * (1 + (isHeldWhole ? frame.coefficientBytes : 0))
      return Result.succeed({ ...{ heightPixels, widthPixels, decodeBytes }, frames: 1, bytes: output.bytes })
    }
    const length = file.u16(at)
    const end = at + length
    if (length < 2 || end > file.length) return unsound(TRUNCATED)
    const data = at + 2
    const copySegment = () => {
      output.write([0xff, code])
      output.copy(at, end)
    }
    if (isFrame(code)) {
      if (frame !== undefined || length < 8) return unsound("its frame header is damaged")
      frame = frameOf(file, data, code)
      copySegment()
    } else if (code === SOS) {
      if (frame === undefined) return unsound("a scan comes before its frame header")
      const scanned = scanEnd(source, end)
      if (scanned === undefined) return unsound(TRUNCATED)
      // With several scans decoders hold all coefficients until the last.
      if (scans === 0) isHeldWhole = frame.isProgressive || file.u8(data) < frame.components
      copySegment()
      output.copy(end, scanned)
      if (++scans > SCANS_MAX) return unsound(`it has more than ${SCANS_MAX} scans`)
      at = scanned
      continue
    } else if (TABLES.has(code)) copySegment()
    else if (code === APP2) {
      if (file.hasText(data, "ICC_PROFILE\0")) {
        profileBytes += end - data
        if (profileBytes > PROFILE_BYTES_MAX) return unsound(PROFILE_TOO_LARGE)
        copySegment()
      }
    } else if (code === APP0) {
      if (!hasJfif && length - 2 >= JFIF_BYTES && file.hasText(data, "JFIF\0")) {
        hasJfif = true
        output.write([0xff, APP0, 0, 2 + JFIF_BYTES])
        output.copy(data, data + JFIF_BYTES - 2)
        // Width and height of the thumbnail.
        output.write([0, 0])
      }
    } else if (code === APP1) {
      if (!hasExif && file.hasText(data, EXIF_PREFIX)) {
        hasExif = true
        output.write(orientationSegment(orientationOf(source.subarray(data, end))))
      }
    } else if (code === APP14) {
      if (length - 2 >= ADOBE_BYTES && file.hasText(data, "Adobe")) {
        output.write([0xff, APP14, 0, 2 + ADOBE_BYTES])
        output.copy(data, data + ADOBE_BYTES)
      }
    } else if (code !== COM && (code < APP0 || code > APP15)) return unsound("it has a part that no JPEG has")
    at = end
  }
}

interface JpegFrame {
  readonly widthPixels: number
  readonly heightPixels: number
  readonly isProgressive: boolean
  readonly components: number
  /** Memory of the coefficients per pixel, two bytes each; chroma may be subsampled. */
  readonly coefficientBytes: number
}

/** The frame whose header has its data at `data` (T.81, B.2.2). */
const frameOf = (file: ByteReader, data: number, code: number): JpegFrame => {
  const components = file.u8(data + 5)
  const factors = Array.from({ length: components }, (_, index) => file.u8(data + 7 + index * 3))
  const across = factors.map((factor) => Math.max(1, factor >> 4))
  const down = factors.map((factor) => Math.max(1, factor & 15))
  const blocks = across.reduce((sum, factor, index) => sum + factor * down[index]!, 0)
  return {
    heightPixels: file.u16(data + 1),
    widthPixels: file.u16(data + 3),
    isProgressive: code === 0xc2 || code === 0xca,
    components,
    coefficientBytes: (2 * blocks) / (Math.max(1, ...across) * Math.max(1, ...down)),
  }
}

const orientationSegment = (orientation: number): Uint8Array => {
  if (orientation === 1) return new Uint8Array()
  const data = Uint8Array.of(...latin1(EXIF_PREFIX), ...exifOfOrientation(orientation))
  return Uint8Array.of(0xff, APP1, 0, data.length + 2, ...data)
}

/** Where the data of a scan ends: at the first marker that is neither escaped nor a restart. */
const scanEnd = (source: Uint8Array, start: number): number | undefined => {
  let at = start
  while (at < source.length) {
    if (source[at] !== 0xff) {
      at++
      continue
    }
    let codeAt = at + 1
    while (codeAt < source.length && source[codeAt] === 0xff) codeAt++
    const code = source[codeAt]
    if (code === undefined) return undefined
    if (code !== 0 && !isRestart(code)) return at
    at = codeAt + 1
  }
  return undefined
}
