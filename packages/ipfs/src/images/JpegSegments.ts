import { type CleanImage, PROFILE_BYTES_MAX, PROFILE_TOO_LARGE, TRUNCATED, unsound } from "./CleanImage.ts"
import { EXIF_PREFIX, exifOfOrientation, orientationOf } from "./ExifOrientation.ts"

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
export const cleanJpeg = (file: Buffer): CleanImage => {
  const output: Array<Buffer> = [file.subarray(0, 2)]
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
    while (at < file.length && file[at] !== 0xff) at++
    while (file[at] === 0xff) at++
    const code = file.readUInt8(at++)
    if (++segments > SEGMENTS_MAX) unsound(`it has more than ${SEGMENTS_MAX} segments`)
    if (code === 0 || code === TEM || isRestart(code)) continue
    if (code === SOI) unsound("another image starts inside it")
    if (code === EOI) break
    const length = file.readUInt16BE(at)
    const end = at + length
    if (length < 2 || end > file.length) unsound(TRUNCATED)
    const data = file.subarray(at + 2, end)
    const starts = (name: string) => data.toString("latin1", 0, name.length) === name
    if (isFrame(code)) {
      if (frame !== undefined || data.length < 6) unsound("its frame header is damaged")
      frame = frameOf(data, code)
      output.push(segment(code, data))
    } else if (code === SOS) {
      if (frame === undefined) return unsound("a scan comes before its frame header")
      const scanned = scanEnd(file, end)
      // With several scans decoders hold all coefficients until the last.
      if (scans === 0) isHeldWhole = frame.isProgressive || (data[0] ?? 0) < frame.components
      output.push(segment(code, data), file.subarray(end, scanned))
      if (++scans > SCANS_MAX) unsound(`it has more than ${SCANS_MAX} scans`)
      at = scanned
      continue
    } else if (TABLES.has(code)) output.push(segment(code, data))
    else if (code === APP2 && starts("ICC_PROFILE\0")) {
      profileBytes += data.length
      if (profileBytes > PROFILE_BYTES_MAX) unsound(PROFILE_TOO_LARGE)
      output.push(segment(code, data))
    } else if (code === APP0 && !hasJfif && data.length >= JFIF_BYTES && starts("JFIF\0")) {
      hasJfif = true
      // Without the width and height of the thumbnail.
      output.push(segment(code, Buffer.concat([data.subarray(0, JFIF_BYTES - 2), Buffer.alloc(2)])))
    } else if (code === APP1 && !hasExif && starts(EXIF_PREFIX)) {
      hasExif = true
      const orientation = orientationOf(data)
      const exif = Buffer.concat([Buffer.from(EXIF_PREFIX, "latin1"), exifOfOrientation(orientation)])
      if (orientation !== 1) output.push(segment(code, exif))
    } else if (code === APP14 && data.length >= ADOBE_BYTES && starts("Adobe"))
      output.push(segment(code, data.subarray(0, ADOBE_BYTES)))
    else if (code !== COM && (code < APP0 || code > APP15)) unsound("it has a part that no JPEG has")
    at = end
  }
  if (frame === undefined || scans === 0) return unsound("there is no picture in it")
  output.push(Buffer.from([0xff, EOI]))
  const { coefficientBytes, heightPixels, widthPixels } = frame
  const decodeBytes = widthPixels * heightPixels * (1 + (isHeldWhole ? coefficientBytes : 0))
  return { heightPixels, widthPixels, decodeBytes, frames: 1, bytes: Buffer.concat(output) }
}

const segment = (code: number, data: Buffer): Buffer => {
  const length = data.length + 2
  return Buffer.concat([Buffer.from([0xff, code, length >> 8, length & 0xff]), data])
}

interface JpegFrame {
  readonly widthPixels: number
  readonly heightPixels: number
  readonly isProgressive: boolean
  readonly components: number
  /** Memory of the coefficients per pixel, two bytes each; chroma may be subsampled. */
  readonly coefficientBytes: number
}

/** The frame of a header (T.81, B.2.2). */
const frameOf = (data: Buffer, code: number): JpegFrame => {
  const components = data.readUInt8(5)
  const factors = Array.from({ length: components }, (_, index) => data[7 + index * 3] ?? 0)
  const across = factors.map((factor) => Math.max(1, factor >> 4))
  const down = factors.map((factor) => Math.max(1, factor & 15))
  const blocks = across.reduce((sum, factor, index) => sum + factor * down[index]!, 0)
  return {
    heightPixels: data.readUInt16BE(1),
    widthPixels: data.readUInt16BE(3),
    isProgressive: code === 0xc2 || code === 0xca,
    components,
    coefficientBytes: (2 * blocks) / (Math.max(1, ...across) * Math.max(1, ...down)),
  }
}

/** Where the data of a scan ends: at the first marker that is neither escaped nor a restart. */
const scanEnd = (file: Buffer, start: number): number => {
  for (let at = file.indexOf(0xff, start); at !== -1; at = file.indexOf(0xff, at)) {
    let codeAt = at + 1
    while (file[codeAt] === 0xff) codeAt++
    const code = file.readUInt8(codeAt)
    if (code !== 0 && !isRestart(code)) return at
    at = codeAt + 1
  }
  return unsound(TRUNCATED)
}
