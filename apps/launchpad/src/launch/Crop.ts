/** Which square of an image is used. */
export interface Crop {
  /** How much of what is beside the square lies to its left and above it, from 0 to 1. */
  readonly left: number
  readonly top: number
  /** How many times its side goes into the shorter side of the image. */
  readonly zoom: number
}

export const MIDDLE: Crop = { left: 0.5, top: 0.5, zoom: 1 }

interface Size {
  readonly width: number
  readonly height: number
}

/** The square in pixels of the image. */
export const squareIn = ({ height, width }: Size, { left, top, zoom }: Crop) => {
  const side = Math.min(width, height) / zoom
  return { x: (width - side) * left, y: (height - side) * top, side }
}

/** The crop after the image was moved by so many sides of the square. */
export const movedBy = (size: Size, crop: Crop, right: number, down: number): Crop => {
  const { side } = squareIn(size, crop)
  const moved = (share: number, by: number, room: number): number =>
    room === 0 ? share : Math.min(1, Math.max(0, share - (by * side) / room))
  return {
    ...crop,
    left: moved(crop.left, right, size.width - side),
    top: moved(crop.top, down, size.height - side),
  }
}
