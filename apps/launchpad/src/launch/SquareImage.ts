/** Images as the board shows them: square, and no larger than they are ever drawn. */

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

const squareOf = (bitmap: ImageBitmap, most: number): HTMLCanvasElement => {
  const { height, width } = bitmap
  const side = Math.min(width, height)
  const canvas = document.createElement("canvas")
  canvas.width = canvas.height = Math.min(side, most)
  const [x, y] = [(width - side) / 2, (height - side) / 2]
  canvas.getContext("2d")?.drawImage(bitmap, x, y, side, side, 0, 0, canvas.width, canvas.height)
  return canvas
}

/** What is uploaded, and a small data URL of it. */
export interface SquareImage {
  readonly image: Blob
  readonly preview: string
}

/** The middle square of an image, or why the file is not taken. It is uploaded as it is where nothing has to be cut or made smaller. */
export const squareImage = async (file: File): Promise<SquareImage | string> => {
  const refusal = refusalOfFile(new Uint8Array(await file.slice(0, 16).arrayBuffer()), file.size)
  if (refusal !== undefined) return refusal
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (bitmap === undefined) return "The image is damaged: this browser cannot show it"
  const { height, width } = bitmap
  if (width * height > PIXELS_MAX) return `The image has ${width} × ${height} pixels, more than 40 million`
  const preview = squareOf(bitmap, PREVIEW_SIDE).toDataURL("image/webp", 0.8)
  // An animation would be lost on a canvas: cards cut it as they show it.
  if (file.type === "image/gif" || (width === height && width <= SIDE_MAX)) return { image: file, preview }
  const square = squareOf(bitmap, SIDE_MAX)
  const image = await new Promise<Blob | null>((resolve) => square.toBlob(resolve, "image/webp", 0.9))
  return { image: image ?? file, preview }
}
