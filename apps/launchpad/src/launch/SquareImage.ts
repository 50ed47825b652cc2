/** Images as the board shows them: square, and no larger than they are ever drawn. */
import { type Crop, MIDDLE, squareIn } from "./Crop.ts"

const MEBIBYTE = 1024 * 1024
/** What the registry takes (docs/ipfs.md). */
const [BYTES_MAX, PIXELS_MAX] = [15 * MEBIBYTE, 40_000_000]
const [SIDE_MAX, PREVIEW_SIDE] = [1_024, 192]

const HEADS: ReadonlyArray<RegExp> = [/^\x89PNG\r\n\x1a\n/, /^\xff\xd8\xff/, /^GIF8[79]a/, /^RIFF[^]{4}WEBP/]

/** Why a file with this beginning and so many bytes is not taken, whatever its name; `undefined` if it may be. */
export const refusalOfFile = (head: Uint8Array, size: number): string | undefined => {
  if (size === 0) return "The file is empty"
  const isImage = HEADS.some((pattern) => pattern.test(String.fromCharCode(...head.subarray(0, 16))))
  if (!isImage) return "This file is no PNG, JPEG, GIF or WebP image, and no other kinds are taken"
  if (size <= BYTES_MAX) return undefined
  return `This file has ${(size / MEBIBYTE).toFixed(1)} MiB, and at most 15 MiB are taken: make it smaller`
}

/** An image that the user has chosen, and the square of it that is used. */
export interface ChosenImage {
  readonly file: File
  readonly bitmap: ImageBitmap
  readonly crop: Crop
}

/** The image of a file, at first its middle square, or why the file is not taken. */
export const chosenImage = async (file: File): Promise<ChosenImage | string> => {
  const refusal = refusalOfFile(new Uint8Array(await file.slice(0, 16).arrayBuffer()), file.size)
  if (refusal !== undefined) return refusal
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (bitmap === undefined) return "The image is damaged: this browser cannot show it"
  const { height, width } = bitmap
  if (width * height > PIXELS_MAX) return `The image has ${width} × ${height} pixels, more than 40 million`
  return { file, bitmap, crop: MIDDLE }
}

/** An animation would be lost on a canvas: cards cut it as they show it. */
export const canBeCut = ({ file }: ChosenImage): boolean => file.type !== "image/gif"

const drawn = ({ bitmap, crop }: ChosenImage, most: number): HTMLCanvasElement => {
  const { side, x, y } = squareIn(bitmap, crop)
  const canvas = document.createElement("canvas")
  canvas.width = canvas.height = Math.max(1, Math.min(Math.round(side), most))
  canvas.getContext("2d")?.drawImage(bitmap, x, y, side, side, 0, 0, canvas.width, canvas.height)
  return canvas
}

/** A small data URL of the square. */
export const previewOf = (image: ChosenImage): string => drawn(image, PREVIEW_SIDE).toDataURL("image/webp", 0.8)

/** The square as it is uploaded: the file itself where nothing has to be cut or made smaller. */
export const uploadOf = async (image: ChosenImage): Promise<Blob> => {
  const { bitmap, crop, file } = image
  const isSquare = bitmap.width === bitmap.height && crop.zoom === 1
  if (!canBeCut(image) || (isSquare && bitmap.width <= SIDE_MAX)) return file
  const square = drawn(image, SIDE_MAX)
  const blob = await new Promise<Blob | null>((resolve) => square.toBlob(resolve, "image/webp", 0.9))
  return blob ?? file
}
