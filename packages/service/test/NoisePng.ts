import { crc32, deflateSync } from "node:zlib"

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A grey PNG of `side` by `side` pixels of noise, uncompressed, so that it has about `side` squared bytes; one per seed. */
export const noisePng = (seed: number, side: number): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.writeUInt8(8, 8)
  const pixels = Buffer.alloc(side * (side + 1))
  for (let row = 0; row < side; row++)
    for (let at = 1; at <= side; at++)
      pixels[row * (side + 1) + at] = ((row * side + at + seed * 7_919) * 2_654_435_761) >>> 24
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels, { level: 0 })),
    chunk("IEND", Buffer.alloc(0)),
  ])
}
