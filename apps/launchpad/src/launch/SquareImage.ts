/** Images as the board shows them: square, and no larger than they are ever drawn. */

const MEBIBYTE = 1024 * 1024
/** What the registry takes (docs/ipfs.md). */
const [BYTES_MAX, PIXELS_MAX] = [15 * MEBIBYTE, 40_000_000]
const SIDE_MAX = 1_024
const PREVIEW_SIDE = 192

const HEADS: ReadonlyArray<RegExp> = [/^\x89PNG\r\n\x1a\n/, /^\xff\xd8\xff/, /^GIF8[79]a/, /^RIFF[^]{4}WEBP/]

/** Why a file with this beginning and so many bytes is not taken, whatever its name; `undefined` if it may be. */
export const refusalOfFile = (head: Uint8Array, size: number): string | undefined => {
  if (size === 0) return "The file is empty"
  const isImage = HEADS.some((pattern) => pattern.test(String.fromCharCode(...head.subarray(0, 16))))
  if (!isImage) return "This file is no PNG, JPEG, GIF or WebP image, and no other kinds are taken"
  if (size <= BYTES_MAX) return undefined
  return `This file has ${(size / MEBIBYTE).toFixed(1)} MiB, and at most 15 MiB are taken: make it smaller`
}

/** An image that was chosen, and whether it is cut. */
export interface ChosenImage {
  readonly file: File
  readonly bitmap: ImageBitmap
  readonly isSquare: boolean
}

/** The image of a file, or why it is not taken. */
export const openImage = async (file: File): Promise<ChosenImage | string> => {
  const refusal = refusalOfFile(new Uint8Array(await file.slice(0, 16).arrayBuffer()), file.size)
  if (refusal !== undefined) return refusal
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (bitmap === undefined) return "The image is damaged: this browser cannot show it"
  const { height, width } = bitmap
  if (width * height > PIXELS_MAX) return `The image has ${width} × ${height} pixels, more than 40 million`
  // An animation would be lost on a canvas: cards cut it as they show it.
  return { file, bitmap, isSquare: width === height || file.type === "image/gif" }
}

/** Where the square of an image is, when it is moved from its start (0) to its end (100) along the longer side. */
export const squareOf = (width: number, height: number, moved: number) => {
  const side = Math.min(width, height)
  return { side, x: Math.round(((width - side) * moved) / 100), y: Math.round(((height - side) * moved) / 100) }
}

const drawn = ({ bitmap }: ChosenImage, moved: number, most: number): HTMLCanvasElement => {
  const { side, x, y } = squareOf(bitmap.width, bitmap.height, moved)
  const canvas = document.createElement("canvas")
  canvas.width = canvas.height = Math.min(side, most)
  canvas.getContext("2d")?.drawImage(bitmap, x, y, side, side, 0, 0, canvas.width, canvas.height)
  return canvas
}

/** A data URL of the square. */
export const previewOf = (image: ChosenImage, moved: number): string =>
  drawn(image, moved, PREVIEW_SIDE).toDataURL("image/webp", 0.8)

/** What is uploaded. */
export interface SquareImage {
  readonly blob: Blob
  readonly fileName: string
  readonly preview: string
}

/** The square of an image; the file itself where nothing has to be cut or made smaller. */
export const squareImage = async (image: ChosenImage, moved: number): Promise<SquareImage> => {
  const { bitmap, file, isSquare } = image
  const isKept = isSquare && (bitmap.width <= SIDE_MAX || file.type === "image/gif")
  const made = isKept
    ? null
    : await new Promise<Blob | null>((resolve) => drawn(image, moved, SIDE_MAX).toBlob(resolve, "image/webp", 0.9))
  return { blob: made ?? file, fileName: file.name.slice(0, 200), preview: previewOf(image, moved) }
}
