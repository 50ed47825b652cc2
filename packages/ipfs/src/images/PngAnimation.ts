import type { ByteReader } from "./ByteReader.ts"

interface Size {
  readonly widthPixels: number
  readonly heightPixels: number
}

/**
 * Follows the chunks of an animated PNG (PNG 3rd edition, 11.3.6): sequence numbers run from 0 without a gap, every frame
 * lies within the canvas and has data, and there are as many as announced.
 */
export class PngAnimation {
  readonly #canvas: Size
  readonly #announced: number
  #sequence = 0
  #frames = 0
  #lastHasData = true
  #includesDefault = false

  /** `announced`: frames by the chunk `acTL`. */
  constructor(canvas: Size, announced: number) {
    this.#canvas = canvas
    this.#announced = announced
  }

  /** A chunk `fcTL` whose 26 bytes start at `at`; whether it may stand here. */
  control(file: ByteReader, at: number, isBeforeImage: boolean): boolean {
    const [width, height, x, y] = [4, 8, 12, 16].map((offset) => file.u32(at + offset)) as [
      number,
      number,
      number,
      number,
    ]
    const { heightPixels, widthPixels } = this.#canvas
    const fits = width > 0 && height > 0 && x + width <= widthPixels && y + height <= heightPixels
    // The frame that shares the image data of who does not animate is all of the picture.
    if (isBeforeImage && (width !== widthPixels || height !== heightPixels)) return false
    if (!fits || !this.#lastHasData || file.u32(at) !== this.#sequence++) return false
    this.#frames++
    this.#lastHasData = false
    this.#includesDefault ||= isBeforeImage
    return true
  }

  /** The image data that is shown without an animation: it is the first frame if its control came before. */
  image(): void {
    this.#lastHasData = true
  }

  /** A chunk `fdAT` whose data starts at `at`; whether it may stand here. */
  data(file: ByteReader, at: number): boolean {
    if (this.#frames === 0 || (this.#frames === 1 && this.#includesDefault)) return false
    this.#lastHasData = true
    return file.u32(at) === this.#sequence++
  }

  get isWhole(): boolean {
    return this.#frames > 0 && this.#frames === this.#announced && this.#lastHasData
  }

  /** Pictures in the file, with the one that is no frame. */
  get pictures(): number {
    return this.#includesDefault ? this.#frames : this.#frames + 1
  }
}
