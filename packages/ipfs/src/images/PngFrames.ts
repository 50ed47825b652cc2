import { crc32 } from "node:zlib"
import { ByteReader, latin1 } from "./ByteReader.ts"

const chunk = (name: string, parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const bytes = Buffer.alloc(length + 12)
  bytes.writeUInt32BE(length)
  bytes.set(latin1(name), 4)
  let at = 8
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  bytes.writeUInt32BE(crc32(bytes.subarray(4, at)), at)
  return bytes
}

/**
 * The frames of an animated PNG that are not its image data, each as a PNG of its own: decoders that know nothing of
 * animation then read their pixels too. `source` comes from `cleanPng`, so its structure is sound.
 */
export function* pngFrames(source: Uint8Array): Generator<Uint8Array> {
  const file = new ByteReader(source)
  const header = source.subarray(16, 29)
  const colours: Array<Uint8Array> = []
  let frame: { readonly size: Uint8Array; readonly data: Array<Uint8Array> } | undefined
  for (let at = 8; at < file.length;) {
    const data = at + 8
    const end = data + file.u32(at)
    const name = file.name(at + 4)
    if (name === "PLTE" || name === "tRNS") colours.push(source.subarray(at, end + 4))
    if (name === "fcTL" || name === "IEND") {
      if (frame !== undefined && frame.data.length > 0) {
        const ihdr = chunk("IHDR", [frame.size, header.subarray(8)])
        yield Buffer.concat([source.subarray(0, 8), ihdr, ...colours, chunk("IDAT", frame.data), chunk("IEND", [])])
      }
      frame = { size: source.subarray(data + 4, data + 12), data: [] }
    }
    if (name === "fdAT") frame?.data.push(source.subarray(data + 4, end))
    at = end + 4
  }
}
