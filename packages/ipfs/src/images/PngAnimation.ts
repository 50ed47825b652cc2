import type { ByteReader } from "./ByteReader.ts"

interface Size {
  readonly widthPixels: number
  readonly heightPixels: number
}

/**
 * Validates the chunks of an animated PNG (PNG 3rd edition, 11.3.6): sequence numbers run from 0 without a gap, every frame
 * lies within the canvas and has data, and there are as many frames as declared.
 */
export class PngAnimation {
  readonly #canvas: Size
  readonly #declared: number
  #sequence = 0
  #frames = 0
  #lastHasData = true
  #includesDefault = false

  /** `declared`: number of frames in the chunk `acTL`. */
  constructor(canvas: Size, declared: number) {
    this.#canvas = canvas
    this.#declared = declared
  }

  /** Accepts a chunk `fcTL` whose 26 bytes start at `at`; `false` if it is invalid here. */
  control(file: ByteReader, at: number, isBeforeImage: boolean): boolean {
    const [width, height, x, y] = [4, 8, 12, 16].map((offset) => file.u32(at + offset)) as [
      number,
      number,
      number,
      number,
    ]
    const { heightPixels, widthPixels } = this.#canvas
    const fits = width > 0 && height > 0 && x + width <= widthPixels && y + height <= heightPixels
    // A frame that is also the default image covers the whole canvas.
    if (isBeforeImage && (width !== widthPixels || height !== heightPixels)) return false
    if (!fits || !this.#lastHasData || file.u32(at) !== this.#sequence++) return false
    this.#frames++
    this.#lastHasData = false
    this.#includesDefault ||= isBeforeImage
    return true
  }

  /** Accepts the default image, which is the first frame if its control came before. */
  image(): void {
    this.#lastHasData = true
  }

  /** Accepts a chunk `fdAT` whose data starts at `at`; `false` if it is invalid here. */
  data(file: ByteReader, at: number): boolean {
    if (this.#frames === 0 || (this.#frames === 1 && this.#includesDefault)) return false
    this.#lastHasData = true
    return file.u32(at) === this.#sequence++
  }

  get isWhole(): boolean {
    return this.#frames > 0 && this.#frames === this.#declared && this.#lastHasData
  }

  /** Frames, and the default image if it is not one of them. */
  get pictures(): number {
    return this.#includesDefault ? this.#frames : this.#frames + 1
  }
}
