import { refusalOfFile } from "./ImageKind.ts"

/** What can be said of an image before it is uploaded, with the limits of the service (docs/ipfs.md). */

const SIDE_MAX = 8_192
const PIXELS_MAX = 40_000_000
const PREVIEW_SIDE = 192
/** More than this is not worth its place in the browser's storage. */
const PREVIEW_LENGTH_MAX = 150_000

const refusalOfSize = ({ height, width }: ImageBitmap): string | undefined => {
  if (width > SIDE_MAX || height > SIDE_MAX)
    return `The image has ${width} × ${height} pixels, and at most ${SIDE_MAX} a side are taken`
  return width * height > PIXELS_MAX ? `The image has ${width} × ${height} pixels, more than 40 million` : undefined
}

const previewOf = (bitmap: ImageBitmap): string => {
  const scale = Math.min(1, PREVIEW_SIDE / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement("canvas")
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  const url = canvas.toDataURL("image/webp", 0.8)
  return url.length <= PREVIEW_LENGTH_MAX ? url : ""
}

/** An image that may be uploaded, with a small data URL of it; or why it may not. */
export const checkImage = async (
  file: File,
): Promise<{ readonly refusal: string } | { readonly refusal?: undefined; readonly preview: string }> => {
  const refusal = refusalOfFile(new Uint8Array(await file.slice(0, 16).arrayBuffer()), file.size)
  if (refusal !== undefined) return { refusal }
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (bitmap === undefined) return { refusal: "The image is damaged: this browser cannot show it" }
  try {
    const tooLarge = refusalOfSize(bitmap)
    return tooLarge === undefined ? { preview: previewOf(bitmap) } : { refusal: tooLarge }
  } finally {
    bitmap.close()
  }
}
