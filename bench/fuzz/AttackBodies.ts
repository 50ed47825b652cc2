import { deflateSync } from "node:zlib"
import { pngChunk } from "../../packages/ipfs/test/images/Planted.ts"

const BYTES = 1_000_000
const JSON_TYPE = "application/json"
const SIGNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const DRAFT = `"name":"A","symbol":"A","totalSupply":"1","decimals":"6","mintAddress":"${SIGNER}","owner":"${SIGNER}","launchpad":"launchpad_a"`

const json = (path: string, text: string) => ({ path, type: JSON_TYPE, body: Buffer.from(text) })
/** Number of bytes of one element, or number of elements. */
const filled = (element: string, count = Math.floor(BYTES / (element.length + 1))) =>
  Array(count).fill(element).join(",")
/** Below the maximum number of values in a body. */
const FEWER = 9_900

const weightsOf = (numbers: string) =>
  json(
    "/api/launch/dbc-config",
    `{"metadata":{"name":"A","symbol":"A"},"signer":"${SIGNER}","dbcConfig":{"buildCurveMode":3,"buildCurveParam":{"liquidityWeights":[${numbers}]}}}`,
  )
const tagsOf = (texts: string) => json("/api/tokens", `{${DRAFT},"tags":[${texts}]}`)
const keysOf = (count: number, name: string) =>
  json("/api/tokens", `{${DRAFT},${Array.from({ length: count }, (_, index) => `"${name}${index}":1`).join(",")}}`)

/** 1 MB of invalid numbers. */
export const weights = weightsOf(filled("-1"))
export const fewerWeights = weightsOf(filled("-1", FEWER))
export const tags = tagsOf(filled('""'))
export const fewerTags = tagsOf(filled(`"${"t".repeat(95)}"`, FEWER))
export const fewerSurrogates = tagsOf(filled(`"${"\\ud800".repeat(15)}"`, FEWER))
export const fewerNuls = tagsOf(filled(`"${"\\u0000".repeat(15)}"`, FEWER))
export const unknownKeys = keysOf(90_000, "k")
export const fewerKeys = keysOf(FEWER, "k".repeat(85))
export const longKey = json("/api/tokens", `{${DRAFT},"${"k".repeat(BYTES - 1_000)}":1}`)

const BOUNDARY = "attack-of-parts"

const form = (image: Buffer) => ({
  path: "/api/ipfs/upload-image",
  type: `multipart/form-data; boundary=${BOUNDARY}`,
  body: Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n`),
    image,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]),
})

const EMPTY = Buffer.alloc(0)
/** 256 MiB of zeros. */
const bomb = deflateSync(Buffer.alloc(256 * 1024 * 1024))

/** A gray PNG. */
const png = (width: number, height: number, data: Buffer, ...more: ReadonlyArray<Buffer>) => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const parts = [pngChunk("IHDR", header), ...more, pngChunk("IDAT", data), pngChunk("IEND", EMPTY)]
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts])
}

const pixel = deflateSync(Buffer.alloc(2))

export const inflatingText = form(
  png(
    1,
    1,
    pixel,
    ...Array.from({ length: 20 }, () => pngChunk("zTXt", Buffer.concat([Buffer.from("Comment\0\0"), bomb]))),
  ),
)
export const inflatingProfile = form(
  png(1, 1, pixel, pngChunk("iCCP", Buffer.concat([Buffer.from("profile\0\0"), bomb]))),
)
export const inflatingData = form(png(1, 1, bomb))
/** The most pixels that are accepted. */
export const manyPixels = form(png(8_000, 5_000, deflateSync(Buffer.alloc(8_001 * 5_000))))
