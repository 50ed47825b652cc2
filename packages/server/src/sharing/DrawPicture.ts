import { markupText } from "@launch-registry/domain/text/MarkupText"
import { isSeen } from "@launch-registry/domain/text/HiddenText"
import { FONT, fontFile } from "./FontFile.ts"
import type { SharedToken } from "./SharedToken.ts"

/** In pixels: what chats show uncut. */
export const PICTURE = { width: 1_200, height: 630 } as const
/** Of the image of the token. */
export const IMAGE_SIDE = 320

const MARGIN = 80
const TEXTS = { left: MARGIN + IMAGE_SIDE + 56, width: PICTURE.width - 2 * MARGIN - IMAGE_SIDE - 56 } as const
const BAR = { top: 470, height: 22 } as const
const FOOT_TOP = BAR.top + BAR.height + 28

/** Those of the launchpad's dark theme. */
const COLOURS = { ground: "#0e1013", raised: "#262b33", text: "#eef0f2", muted: "#9aa3b0", accent: "#f5a524" } as const
/** Grounds of letters that stand for an image, by the mint. */
const TILES = ["#8f4a5c", "#8a5233", "#6f6322", "#3f6f3f", "#24706a", "#2f668f", "#5a58a0", "#84498c"] as const

let loading: Promise<{ readonly sharp: typeof import("sharp").default; readonly fontfile: string }> | undefined

/** With the first picture: few processes ever draw one. */
const load = () =>
  (loading ??= import("sharp").then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    return { sharp, fontfile: fontFile() }
  }))

interface Box {
  readonly width: number
  readonly height: number
}

/** Raw pixels for `composite`. */
const raw = ({ height, width }: Box, input: Uint8Array) => ({
  input: Buffer.from(input.buffer, input.byteOffset, input.length),
  raw: { width, height, channels: 4 as const },
})

/** A rectangle of one colour with round corners. */
const rounded = (box: Box, radius: number, colour: string) => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  const pixels = new Uint8Array(box.width * box.height * 4)
  for (let y = 0; y < box.height; y++)
    for (let x = 0; x < box.width; x++) {
      const [overX, overY] = [
        Math.max(radius - x - 0.5, x + 0.5 - (box.width - radius), 0),
        Math.max(radius - y - 0.5, y + 0.5 - (box.height - radius), 0),
      ]
      const alpha = Math.min(Math.max(radius + 0.5 - Math.hypot(overX, overY), 0), 1)
      pixels.set([red!, green!, blue!, Math.round(alpha * 255)], (y * box.width + x) * 4)
    }
  return raw(box, pixels)
}

/** At most `length` characters, as people count them. */
const cut = (text: string, length: number): string => {
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  return letters.length <= length ? text : `${letters.slice(0, length - 1).join("")}…`
}

/** A text in one size and colour. */
type Run = readonly [text: string, pixels: number, colour: string]

const span = ([text, pixels, colour]: Run): string =>
  `<span size="${pixels * 1_024}" foreground="${colour}" insert_hyphens="false">${markupText(text)}</span>`

/** Lines within a box; nothing where nothing is to be seen, which cannot be drawn. */
const drawText = async (lines: ReadonlyArray<ReadonlyArray<Run>>, { height, width }: Box) => {
  const seen = lines.filter((runs) => runs.some(([text]) => isSeen(text)))
  if (seen.length === 0) return undefined
  const { fontfile, sharp } = await load()
  const { data, info } = await sharp({
    text: {
      text: seen.map((runs) => runs.map(span).join("")).join("\n"),
      ...{ font: FONT, fontfile, rgba: true, dpi: 72, width, wrap: "word-char", spacing: 10 },
    },
  })
    .resize({ width, height, fit: "inside", withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return raw(info, data)
}

/** The image with round corners, or the first letter of the symbol. */
const drawTile = async ({ mint, symbol }: SharedToken, image: Uint8Array | undefined): Promise<Uint8Array> => {
  const { sharp } = await load()
  const box = { width: IMAGE_SIDE, height: IMAGE_SIDE }
  const colour = TILES[[...mint].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % TILES.length]!
  const mask = rounded(box, 48, colour)
  const [letter = "?"] = Array.from(new Intl.Segmenter().segment(symbol), ({ segment }) => segment)
  const part =
    image === undefined
      ? await drawText([[[letter.toUpperCase(), 170, "#ffffff"]]], { width: 220, height: 200 })
      : { ...raw(box, image), blend: "atop" as const }
  const tile = sharp(mask.input, { raw: mask.raw })
  return (part === undefined ? tile : tile.composite([part])).raw().toBuffer()
}

/** A PNG of a token, with what is known of it; `image` is a square of {@link IMAGE_SIDE}, as RGBA. */
export const drawPicture = async (
  token: SharedToken,
  image: Uint8Array | undefined,
  host: string,
): Promise<Uint8Array> => {
  const { sharp } = await load()
  const { marketCap, name, price, progress = 0, stage = "", symbol } = token
  const lines: ReadonlyArray<ReadonlyArray<Run>> = [
    [[cut(symbol, 12), 76, COLOURS.text]],
    [[cut(name, 48), 38, COLOURS.muted]],
    marketCap === undefined
      ? []
      : [
          ["Market cap  ", 30, COLOURS.muted],
          [marketCap, 52, COLOURS.text],
        ],
    price === undefined
      ? []
      : [
          ["Price  ", 30, COLOURS.muted],
          [price, 34, COLOURS.text],
        ],
  ]
  const bar = { width: PICTURE.width - 2 * MARGIN, height: BAR.height }
  const filled = { ...bar, width: Math.max(BAR.height, Math.round(bar.width * progress)) }
  const tile = { width: IMAGE_SIDE, height: IMAGE_SIDE }
  const half = { width: 500, height: 50 }
  const at = await drawText([[[cut(host, 40), 28, COLOURS.muted]]], half)
  const parts: ReadonlyArray<readonly [ReturnType<typeof raw> | undefined, left: number, top: number]> = [
    [raw(tile, await drawTile(token, image)), MARGIN, MARGIN],
    [await drawText(lines, { width: TEXTS.width, height: IMAGE_SIDE }), TEXTS.left, MARGIN],
    [rounded(bar, BAR.height / 2, COLOURS.raised), MARGIN, BAR.top],
    [progress > 0 ? rounded(filled, BAR.height / 2, COLOURS.accent) : undefined, MARGIN, BAR.top],
    [await drawText([[[stage, 34, COLOURS.text]]], half), MARGIN, FOOT_TOP],
    [at, PICTURE.width - MARGIN - (at?.raw.width ?? 0), FOOT_TOP],
  ]
  return sharp({ create: { ...PICTURE, channels: 3, background: COLOURS.ground } })
    .composite(parts.flatMap(([part, left, top]) => (part === undefined ? [] : [{ ...part, left, top }])))
    .png({ compressionLevel: 6 })
    .toBuffer()
}
