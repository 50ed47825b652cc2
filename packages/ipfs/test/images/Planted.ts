import { crc32 } from "node:zlib"

/** A secret text, planted wherever metadata may be. */
export const SECRET = "GPS 52.5200 N 13.4050 E <x:xmpmeta/>"

const ascii = (text: string) => Buffer.from(text, "latin1")

/** A JPEG segment, with its marker. */
export const jpegSegment = (marker: number, data: Uint8Array): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** A PNG chunk, with its checksum. */
export const pngChunk = (name: string, data: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(data.length + 12)
  bytes.writeUInt32BE(data.length)
  bytes.write(name, 4, "latin1")
  bytes.set(data, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8)
  return bytes
}

/** A WebP chunk, padded to an even length. */
export const webpChunk = (name: string, data: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(data.length + 8 + (data.length % 2))
  bytes.write(name, "latin1")
  bytes.writeUInt32LE(data.length, 4)
  bytes.set(data, 8)
  return bytes
}

/** A GIF extension of one kind, its data in blocks. */
export const gifExtension = (label: number, ...blocks: ReadonlyArray<Uint8Array>): Buffer =>
  Buffer.concat([
    Buffer.from([0x21, label]),
    ...blocks.flatMap((block) => [Buffer.from([block.length]), block]),
    Buffer.from([0]),
  ])

/** Positions in a JPEG before every segment, except within the first scan's data. */
const jpegSegmentsAt = (jpeg: Buffer): ReadonlyArray<number> => {
  const positions: Array<number> = []
  for (let at = 2; jpeg[at] === 0xff && jpeg[at + 1] !== 0xd9;) {
    positions.push(at)
    at += 2 + jpeg.readUInt16BE(at + 2)
    if (jpeg[positions.at(-1)! + 1] === 0xda) {
      while (jpeg[at] !== 0xff || jpeg[at + 1] === 0 || (jpeg[at + 1]! >= 0xd0 && jpeg[at + 1]! <= 0xd7)) at++
    }
  }
  return positions
}

/** The JPEG with the secret in every kind of segment without picture data, before every segment and after the end. */
export const plantedJpeg = (jpeg: Buffer): Buffer => {
  const secret = ascii(SECRET)
  const named = (name: string) => Buffer.concat([ascii(name), secret])
  const planted = Buffer.concat([
    jpegSegment(0xe1, named("http://ns.adobe.com/xap/1.0/\0")),
    jpegSegment(0xe1, named("http://ns.adobe.com/xmp/extension/\0")),
    jpegSegment(0xe0, named("JFXX\0\x13")),
    jpegSegment(0xe2, named("MPF\0")),
    jpegSegment(0xe2, named("FPXR\0")),
    jpegSegment(0xed, named("Photoshop 3.0\x008BIM\x04\x04")),
    jpegSegment(0xee, named("Other")),
    ...[0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xeb, 0xec, 0xef, 0xfe].map((marker) =>
      jpegSegment(marker, secret),
    ),
    // Bytes between segments, and a fill byte before the next marker.
    secret,
    Buffer.from([0xff]),
  ])
  const positions = jpegSegmentsAt(jpeg)
  const pieces = [0, ...positions].map((start, index) => jpeg.subarray(start, positions[index] ?? jpeg.length))
  return Buffer.concat([...pieces.flatMap((piece, index) => (index === 0 ? [piece] : [planted, piece])), jpeg, secret])
}

/** The PNG with the secret in all text chunks and unknown ones, before and after the image data and after the end. */
export const plantedPng = (png: Buffer): Buffer => {
  const secret = ascii(SECRET)
  const planted = ["tEXt", "zTXt", "iTXt", "tIME", "gpSd", "vpAg", "sPLT", "hIST", "caBX"].map((name) =>
    pngChunk(name, secret),
  )
  const idat = png.indexOf("IDAT") - 4
  const iend = png.length - 12
  const parts = [
    png.subarray(0, 33),
    pngChunk("gAMA", secret),
    ...planted,
    png.subarray(33, idat),
    ...planted,
    png.subarray(idat, iend),
  ]
  // Decoders no longer read it here; the one above has a wrong length.
  const misplaced = pngChunk("iCCP", secret)
  return Buffer.concat([...parts, ...planted, misplaced, png.subarray(iend), secret])
}

/** The extended WebP with the secret in XMP, in unknown chunks, in those of its frames and after the end. */
export const plantedWebp = (webp: Buffer): Buffer => {
  const secret = ascii(SECRET)
  const unknown = webpChunk("GPSd", secret)
  const chunks: Array<Buffer> = []
  for (let at = 12; at < webp.length;) {
    const size = webp.readUInt32LE(at + 4)
    const chunk = webp.subarray(at, at + 8 + size + (size % 2))
    const name = chunk.toString("latin1", 0, 4)
    const inside = chunk.subarray(8, 8 + size)
    chunks.push(name === "ANMF" ? webpChunk("ANMF", Buffer.concat([inside, unknown])) : Buffer.from(chunk))
    // Decoders require a picture directly after its transparency.
    if (name !== "ALPH") chunks.push(unknown)
    at += chunk.length
  }
  // The header declares XMP.
  chunks[0]!.writeUInt8(chunks[0]!.readUInt8(8) | 0x04, 8)
  const body = Buffer.concat([...chunks, webpChunk("XMP ", secret)])
  const head = Buffer.from(webp.subarray(0, 12))
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body, secret])
}

/** The GIF with the secret in comments, in application extensions, in the loop extension, and after the end. */
export const plantedGif = (gif: Buffer): Buffer => {
  const secret = ascii(SECRET)
  const tables = 13 + ((gif[10]! & 0x80) === 0 ? 0 : 3 * 2 ** ((gif[10]! & 7) + 1))
  const planted = [
    gifExtension(0xfe, secret),
    gifExtension(0xff, ascii("XMP DataXMP"), secret),
    gifExtension(0xff, ascii("ICCRGBG1012"), secret),
    gifExtension(0x42, secret),
    gifExtension(0xf9, Buffer.alloc(4), secret),
  ]
  const loops = gifExtension(0xff, ascii("NETSCAPE2.0"), secret, Buffer.from([1, 7, 0]), secret)
  return Buffer.concat([
    ...[gif.subarray(0, tables), loops, ...planted, gif.subarray(tables, -1), ...planted],
    ...[gif.subarray(-1), secret],
  ])
}
