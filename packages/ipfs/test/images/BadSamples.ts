import { randomBytes } from "node:crypto"
import { deflateSync } from "node:zlib"
import sharp from "sharp"
import { animatedPng, pixels } from "./ImageSamples.ts"
import {
  gifOfBlocks,
  interlacedPng,
  jpegOfScans,
  jpegOfSegments,
  pngOfChunks,
  webpOfChunks,
  webpOfFrameChunks,
} from "./HeavySamples.ts"
import { gifExtension, jpegSegment, pngChunk, webpChunk } from "./Planted.ts"

/** An upload, and the expected answer. */
export type BadSample = readonly [what: string, bytes: Uint8Array, status: number, code: string, message: RegExp]

const text = (content: string) => Buffer.from(content)
const PROFILE = /colour profile is larger than 4194304 bytes/

/** A PNG of one color whose header declares any size; its image data has so many rows. */
export const declaredPng = (width: number, height: number, rows = height): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const data = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * rows))
  const parts = [pngChunk("IHDR", header), pngChunk("IDAT", data), pngChunk("IEND", Buffer.alloc(0))]
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts])
}

/** The PNG with a chunk after its header. */
const withChunk = (png: Buffer, name: string, data: Buffer): Buffer =>
  Buffer.concat([png.subarray(0, 33), pngChunk(name, data), png.subarray(33)])

/** The PNG with a colour profile, deflated. */
export const profiledPng = (png: Buffer, profile: Buffer): Buffer =>
  withChunk(png, "iCCP", Buffer.concat([text("profile\0\0"), profile]))

/** The JPEG with so many segments of a colour profile. */
const profiledJpeg = (jpeg: Buffer, segments: number): Buffer => {
  const segment = jpegSegment(0xe2, Buffer.concat([text("ICC_PROFILE\0\x01\x01"), Buffer.alloc(65_000)]))
  return Buffer.concat([jpeg.subarray(0, 2), ...Array.from({ length: segments }, () => segment), jpeg.subarray(2)])
}

/** The WebP with a colour profile of so many bytes. */
const profiledWebp = (webp: Buffer, bytes: number): Buffer => {
  const header = webpChunk("VP8X", Buffer.from([0x20, 0, 0, 0, 32, 0, 0, 41, 0, 0]))
  const body = [text("WEBP"), header, webpChunk("ICCP", Buffer.alloc(bytes)), webp.subarray(12)]
  return webpChunk("RIFF", Buffer.concat(body))
}

/** A GIF of one-pixel frames on a canvas of any size. */
const declaredGif = (side: number, frames: number): Buffer => {
  const screen = Buffer.from([...text("GIF89a"), side & 255, side >> 8, side & 255, side >> 8, 0x80, 0, 0])
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  return Buffer.concat([
    ...[screen, Buffer.alloc(6), ...Array.from({ length: frames }, () => frame)],
    Buffer.from([0x3b]),
  ])
}

/** The GIF with a frame of this width on its canvas. */
const gifOfFrame = (gif: Buffer, width: number): Buffer => {
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, width & 255, width >> 8, 1, 0, 0, 2, 2, 0x44, 1, 0])
  return Buffer.concat([gif.subarray(0, -1), frame, gif.subarray(-1)])
}

/** A WebP whose header declares a canvas of 16 Mi by 16 Mi pixels. */
const declaredWebp = (webp: Buffer): Buffer => {
  const header = webpChunk("VP8X", Buffer.from([0, 0, 0, 0, 255, 255, 255, 255, 255, 255]))
  const body = Buffer.concat([text("WEBP"), header, webp.subarray(12)])
  return webpChunk("RIFF", body)
}

const middleDamaged = (bytes: Buffer): Buffer => {
  const damaged = Buffer.from(bytes)
  damaged.fill(0xa5, bytes.length >> 1, (bytes.length >> 1) + 8)
  return damaged
}

/** The PNG with only half of its image data, structurally valid. */
const halfFilled = (png: Buffer): Buffer => {
  const at = png.indexOf("IDAT") - 4
  const length = png.readUInt32BE(at)
  const half = png.subarray(at + 8, at + 8 + (length >> 1))
  return Buffer.concat([png.subarray(0, at), pngChunk("IDAT", half), pngChunk("IEND", Buffer.alloc(0))])
}

/** A file for every refusal by content. */
export const badSamples = async (): Promise<ReadonlyArray<BadSample>> => {
  const large = sharp(pixels(2), { raw: { width: 33, height: 42, channels: 3 } })
  const [png, jpeg, gif, webp] = [
    await large.png().toBuffer(),
    await large.jpeg().toBuffer(),
    await large.gif().toBuffer(),
    await large.webp().toBuffer(),
  ]
  // Equal frames are merged.
  const bombs = Buffer.alloc(1200 * 1200 * 38)
  for (let frame = 0; frame < 38; frame++) bombs[1200 * 1200 * frame + frame] = 255
  const gifBomb = await sharp(bombs, { raw: { width: 1200, height: 1200 * 38, channels: 1, pageHeight: 1200 } })
    .gif()
    .toBuffer()
  const unsupported = (what: string, bytes: Uint8Array): BadSample => [
    ...([
      what,
      bytes,
      415,
      "unsupported_content_type",
      /not image\/png or image\/jpeg or image\/gif or image\/webp/,
    ] as const),
  ]
  const invalid = (what: string, bytes: Uint8Array, reason: RegExp): BadSample => [
    ...([what, bytes, 400, "invalid_request", reason] as const),
  ]
  const badSecond = animatedPng({ second: deflateSync(Buffer.alloc(10)) })
  const bigSecond = animatedPng({ second: deflateSync(Buffer.alloc(8 << 20)) })
  const moving = animatedPng({ announced: 1 })
  // Without the second control; the data follow the first in the sequence.
  const data = Buffer.concat([Buffer.from([0, 0, 0, 1]), deflateSync(Buffer.alloc(150))])
  const dataWithoutFrame = Buffer.concat([
    ...[moving.subarray(0, moving.lastIndexOf("fcTL") - 4), pngChunk("fdAT", data), moving.subarray(-12)],
  ])
  const excessPng = interlacedPng(17, 1 << 20)
  const unknownCritical = Buffer.concat([png.subarray(0, 33), pngChunk("CgBI", Buffer.alloc(4)), png.subarray(33)])
  const frameTooHigh = jpegSegment(0xc0, Buffer.from([8, 0xff, 0xdc, 0xff, 0xdc, 1, 1, 0x11, 0]))
  return [
    unsupported("svg", text('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')),
    unsupported("svg behind a prolog", text('\ufeff<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')),
    unsupported("html", text("<!doctype html><script>alert(1)</script>")),
    unsupported("pdf", text("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF")),
    unsupported("tiff", await large.tiff().toBuffer()),
    unsupported("avif", await large.avif().toBuffer()),
    unsupported("html before an image", Buffer.concat([text("<html>"), png])),
    ["nothing", new Uint8Array(), 400, "invalid_request", /not empty/],
    invalid("gif that is a script", text("GIF89a/*<svg/onload=alert(1)>*/=1;"), /./),
    invalid(
      "gif whose size opens a comment of a script",
      Buffer.concat([
        text("GIF89a/*"),
        gif.subarray(8, -1),
        gifExtension(0xfe, text("*/=1;alert(1)//")),
        gif.subarray(-1),
      ]),
      /10799 by/,
    ),
    invalid("three bytes of jpeg", Uint8Array.of(0xff, 0xd8, 0xff), /ends before/),
    invalid("signature of a png", png.subarray(0, 8), /header/),
    ...([png, jpeg, gif, webp] as const).flatMap((bytes, index) => {
      const name = ["png", "jpeg", "gif", "webp"][index]!
      return [
        invalid(`half of a ${name}`, bytes.subarray(0, bytes.length >> 1), /ends before/),
        invalid(`${name} without its last byte`, bytes.subarray(0, -1), /ends before/),
      ]
    }),
    invalid("png without IEND", png.subarray(0, -12), /ends before/),
    invalid("png with a wrong checksum", middleDamaged(png), /checksum/),
    invalid("png that lacks half of its pixels", halfFilled(png), /damaged/),
    invalid("webp with damage within", middleDamaged(await large.webp({ lossless: true }).toBuffer()), /damaged/),
    invalid("png of a dialect", unknownCritical, /no PNG has/),
    invalid("animated png whose second frame is short", badSecond, /damaged/),
    invalid("animated png that announces more frames", animatedPng({ announced: 3 }), /animation/),
    invalid("animated png whose second frame is wider", animatedPng({ width: 34 }), /animation/),
    invalid("animated png whose data come before any frame of theirs", dataWithoutFrame, /animation/),
    invalid("animated png with a gap", animatedPng({ sequence: 2 }), /animation/),
    invalid("bomb of 30000 by 30000", declaredPng(30_000, 30_000, 1), /30000 by 30000/),
    invalid("png of 8193 by 1", declaredPng(8_193, 1), /8193 by 1/),
    invalid("png of 8000 by 5001", declaredPng(8_000, 5_001), /40000000 pixels/),
    invalid("png that says it has no size", declaredPng(0, 10), /no size/),
    invalid("jpeg of 65500 by 65500", Buffer.concat([jpeg.subarray(0, 20), frameTooHigh, jpeg.subarray(-2)]), /./),
    invalid("webp of 16 Mi by 16 Mi", declaredWebp(webp), /16777216 by/),
    invalid("gif of 38 frames of 1200 by 1200", gifBomb, /every one of its frames/),
    invalid("gif of 5000 frames of a pixel", declaredGif(1, 5_000), /5000 frames/),
    invalid("gif of 4000 by 4000 in 9 frames", declaredGif(4_000, 9), /every one of its frames/),
    invalid("gif whose frame is larger than it", gifOfFrame(gif, 9_000), /9000 by/),
    invalid("jpeg of 65 scans", jpegOfScans(65), /more than 64 scans/),
    invalid("jpeg of 10000 restart intervals", jpegOfSegments(jpeg, 10_000), /more than 10000 segments/),
    invalid("png of 100000 chunks", pngOfChunks(png, 100_000), /more than 100000 chunks/),
    invalid("webp of 20000 chunks", webpOfChunks(await large.webp().withIccProfile("p3").toBuffer(), 20_000), /20000/),
    invalid("webp of 20000 chunks in a frame", webpOfFrameChunks(20_000), /more than 20000 chunks/),
    invalid("gif of 20000 comments", gifOfBlocks(gif, 20_000), /more than 20000 blocks/),
    invalid("png whose data inflate to 32 MiB", declaredPng(16, 16, 11_000_000), /longer than its pixels/),
    invalid("interlaced png of 17 by 17 whose data inflate to 1 MiB", excessPng, /longer than its pixels/),
    invalid("animated png whose second frame inflates to 8 MiB", bigSecond, /longer than its pixels/),
    invalid("png whose profile inflates to 64 MiB", profiledPng(png, deflateSync(Buffer.alloc(64 << 20))), PROFILE),
    invalid("png with a deflated profile of 5 MiB", profiledPng(png, deflateSync(randomBytes(5 << 20))), PROFILE),
    invalid("jpeg with a profile of 65 segments", profiledJpeg(jpeg, 65), PROFILE),
    invalid("webp with a profile of 5 MiB", profiledWebp(webp, 5 << 20), PROFILE),
    invalid("interlaced png that takes 287 MiB", interlacedPng(5_480), /287 MiB .* 256 .* up to 268435.. pixels/),
  ]
}
