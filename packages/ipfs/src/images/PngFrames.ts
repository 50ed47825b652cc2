import { ByteReader } from "./ByteReader.ts"
import { pngChunk, pngChunksOf } from "./PngChunk.ts"

/**
 * The frames of an animated PNG other than its default image, each as a PNG of its own, so that a decoder without animation
 * reads their pixels too. `source` comes from `cleanPng`, so its structure is sound.
 */
export function* pngFrames(source: Uint8Array): Generator<Uint8Array> {
  const header = source.subarray(16, 29)
  const colours: Array<Uint8Array> = []
  let frame: { readonly size: Uint8Array; readonly data: Array<Uint8Array> } | undefined
  for (const { at, data, end, name, next } of pngChunksOf(new ByteReader(source))) {
    if (name === "PLTE" || name === "tRNS") colours.push(source.subarray(at, next))
    if (name === "fcTL" || name === "IEND") {
      if (frame !== undefined && frame.data.length > 0) {
        const ihdr = pngChunk("IHDR", [frame.size, header.subarray(8)])
        yield Buffer.concat([
          source.subarray(0, 8),
          ihdr,
          ...colours,
          pngChunk("IDAT", frame.data),
          pngChunk("IEND", []),
        ])
      }
      frame = { size: source.subarray(data + 4, data + 12), data: [] }
    }
    if (name === "fdAT") frame?.data.push(source.subarray(data + 4, end))
  }
}
