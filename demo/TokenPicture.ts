import { crc32, deflateSync } from "node:zlib"

const SIDE = 256
/** Hues that follow one another are far apart, and none comes twice. */
const GOLDEN_ANGLE = 137.508

type Colour = readonly [red: number, green: number, blue: number]

/** Hue in degrees; saturation and lightness from 0 to 1. */
const colourOf = (hue: number, saturation: number, lightness: number): Colour => {
  const channel = (offset: number): number => {
    const at = (offset + hue / 30) % 12
    const reach = saturation * Math.min(lightness, 1 - lightness)
    return 255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1)))
  }
  return [channel(0), channel(8), channel(4)]
}

const mixed = (from: Colour, to: Colour, share: number): Colour =>
  from.map((value, at) => value + (to[at]! - value) * Math.min(1, Math.max(0, share))) as unknown as Colour

/** The colour of a point of the `n`th picture: a flower on a ground that goes from one hue to another. */
const pointOf = (n: number, x: number, y: number): Colour => {
  const hue = (n * GOLDEN_ANGLE) % 360
  const [fromX, fromY] = [x - SIDE / 2, y - SIDE / 2]
  const [distance, angle] = [Math.hypot(fromX, fromY), Math.atan2(fromY, fromX)]
  const petals = 3 + (n % 6)
  const edge = SIDE * (0.28 + (0.05 + 0.02 * (n % 4)) * Math.cos(petals * angle + n))
  const ground = mixed(colourOf(hue, 0.62, 0.34), colourOf((hue + 50) % 360, 0.7, 0.52), (x + y) / (2 * SIDE))
  const flower = mixed(ground, colourOf((hue + 40) % 360, 0.9, 0.9), edge - distance)
  return mixed(flower, colourOf(hue, 0.6, 0.28), edge * 0.45 - distance)
}

const chunk = (name: string, data: Uint8Array): Buffer => {
  const named = Buffer.concat([Buffer.from(name), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A PNG for the `n`th token, in its own colours and shape. */
export const tokenPicture = (n: number): Uint8Array<ArrayBuffer> => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  header.set([8, 2], 8)
  const rows = Array.from({ length: SIDE }, (_, y) => [
    0,
    ...Array.from({ length: SIDE }, (_, x) => pointOf(n, x, y)).flat(),
  ])
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = deflateSync(Uint8Array.from(rows.flat().map(Math.round)))
  return Uint8Array.from(
    Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", new Uint8Array())]),
  )
}
