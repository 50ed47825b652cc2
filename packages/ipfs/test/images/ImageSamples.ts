import { deflateSync } from "node:zlib"
import sharp from "sharp"
import type { ImageType } from "../../src/images/ImageFormat.ts"
import { jpegSegment, plantedGif, plantedJpeg, plantedPng, plantedWebp, pngChunk, SECRET } from "./Planted.ts"

/** An image, and the requirements once it is clean. */
export interface ImageSample {
  readonly what: string
  readonly type: ImageType
  readonly bytes: Buffer
  /** 1 when it is upright. */
  readonly orientation: number
}

const WIDTH = 33
const HEIGHT = 21

/** Varied pixels of so many pictures, one below the other. */
export const pixels = (pictures = 1, channels: 3 | 4 = 3): Buffer =>
  Buffer.from(
    Uint8Array.from({ length: WIDTH * HEIGHT * channels * pictures }, (_, index) => (index * 2_654_435_761) >>> 24),
  )

const still = (channels: 3 | 4 = 3) => sharp(pixels(1, channels), { raw: { width: WIDTH, height: HEIGHT, channels } })

const animated = () =>
  sharp(pixels(5, 4), { raw: { width: WIDTH, height: HEIGHT * 5, channels: 4, pageHeight: HEIGHT } })

const DELAYS = [40, 80, 120, 160, 200]

const withPlace = (image: ReturnType<typeof sharp>, orientation: number) =>
  image
    .withMetadata({ orientation })
    .withExifMerge({
      IFD0: { ImageDescription: SECRET, Artist: SECRET },
      IFD2: { UserComment: SECRET },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "52/1 31/1 12/1" },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf>${SECRET}</rdf></x:xmpmeta>`)
    .withIccProfile("p3")

/** A gray JPEG of 16 by 16 pixels whose blocks, dark and bright, stand apart by restart markers, with fill bytes before markers. */
export const restartedJpeg = (): Buffer => {
  const fill = Buffer.from([0xff, 0xff])
  const table = (tableClass: number, codes: ReadonlyArray<number>, symbols: ReadonlyArray<number>) =>
    jpegSegment(0xc4, Buffer.from([tableClass << 4, ...codes, ...Array.from({ length: 14 }, () => 0), ...symbols]))
  // No difference is the code 0, one of four bits 10; the end of a block is 0. Ones fill the byte.
  const [dark, bright] = [0b0_0_111111, 0b10_1111_0_1]
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, Buffer.from([0, ...Array.from({ length: 64 }, () => 16)])),
    fill,
    jpegSegment(0xc0, Buffer.from([8, 0, 16, 0, 16, 1, 1, 0x11, 0])),
    ...[table(0, [1, 1], [0, 4]), table(1, [1, 0], [0]), jpegSegment(0xdd, Buffer.from([0, 1]))],
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([dark, 0xff, 0xd0, bright, 0xff, 0xff, 0xd1, dark, 0xff, 0xd2, bright]),
    ...[fill, Buffer.from([0xff, 0xd9])],
  ])
}

/** `fcTL` of a frame as large as the picture, or of another size. */
const frameControl = (sequence: number, width = WIDTH, height = HEIGHT) => {
  const data = Buffer.alloc(26)
  for (const [index, value] of [sequence, width, height, 0, 0].entries()) data.writeUInt32BE(value, index * 4)
  data.writeUInt16BE(10, 20)
  data.writeUInt16BE(100, 22)
  return pngChunk("fcTL", data)
}

const scanlines = (width: number, height: number, seed: number) =>
  deflateSync(
    Uint8Array.from({ length: (width * 3 + 1) * height }, (_, at) =>
      at % (width * 3 + 1) === 0 ? 0 : (at * seed) & 255,
    ),
  )

export interface ApngParts {
  /** Data of the second frame, which is smaller than the picture. */
  readonly second?: Buffer
  readonly announced?: number
  readonly sequence?: number
  /** Width of the second frame, whose height is 6. */
  readonly width?: number
  /** The image data is the fallback picture, not a frame. */
  readonly isHidden?: boolean
}

/** An animated PNG of two frames; libvips shows the first. */
export const animatedPng = (parts: ApngParts = {}): Buffer => {
  const { isHidden = false, second = scanlines(8, 6, 11), width = 8 } = parts
  const { announced = isHidden ? 1 : 2, sequence = isHidden ? 0 : 1 } = parts
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH)
  header.writeUInt32BE(HEIGHT, 4)
  header.set([8, 2], 8)
  const control = Buffer.alloc(8)
  control.writeUInt32BE(announced)
  control.writeUInt32BE(3, 4)
  const counted = Buffer.alloc(4)
  counted.writeUInt32BE(sequence + 1)
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    ...[pngChunk("IHDR", header), pngChunk("acTL", control), ...(isHidden ? [] : [frameControl(0)])],
    pngChunk("IDAT", scanlines(WIDTH, HEIGHT, 7)),
    ...[frameControl(sequence, width, 6), pngChunk("fdAT", Buffer.concat([counted, second]))],
    pngChunk("IEND", Buffer.alloc(0)),
  ])
}

/** Real images of every stored kind, most with metadata everywhere. */
export const imageSamples = async (): Promise<ReadonlyArray<ImageSample>> => {
  const sample = (what: string, type: ImageType, bytes: Buffer, orientation = 1): ImageSample => ({
    ...{ what, type, bytes, orientation },
  })
  const jpeg = await withPlace(still(), 6).jpeg().toBuffer()
  const progressive = await withPlace(still(), 1).jpeg({ progressive: true }).toBuffer()
  const cmyk = await still().toColourspace("cmyk").jpeg().toBuffer()
  const png = await withPlace(still(4), 3).png().toBuffer()
  const palette = await still(4).png({ palette: true, colours: 16, progressive: true }).toBuffer()
  const webp = await withPlace(still(4), 8).webp().toBuffer()
  const movingWebp = await withPlace(animated(), 1).webp({ loop: 3, delay: DELAYS, lossless: true }).toBuffer()
  const gif = await animated().gif({ loop: 7, delay: DELAYS }).toBuffer()
  return [
    sample("jpeg", "image/jpeg", jpeg, 6),
    sample("planted jpeg", "image/jpeg", plantedJpeg(jpeg), 6),
    sample("planted progressive jpeg", "image/jpeg", plantedJpeg(progressive)),
    sample("jpeg of four colours", "image/jpeg", plantedJpeg(cmyk)),
    sample("jpeg with restarts", "image/jpeg", restartedJpeg()),
    sample("png", "image/png", png, 3),
    sample("planted png", "image/png", plantedPng(png), 3),
    sample("planted png with a palette", "image/png", plantedPng(palette)),
    sample("animated png", "image/png", plantedPng(animatedPng())),
    sample("animated png with a still", "image/png", plantedPng(animatedPng({ isHidden: true }))),
    sample("webp", "image/webp", webp, 8),
    sample("planted webp", "image/webp", plantedWebp(webp), 8),
    sample("plain webp", "image/webp", Buffer.concat([await still().webp().toBuffer(), Buffer.from(SECRET)])),
    sample("lossless webp", "image/webp", await still().webp({ lossless: true }).toBuffer()),
    sample("planted animated webp", "image/webp", plantedWebp(movingWebp)),
    sample("animated gif", "image/gif", gif),
    sample("planted animated gif", "image/gif", plantedGif(gif)),
  ]
}
