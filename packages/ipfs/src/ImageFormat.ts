import { ByteReader } from "./images/ByteReader.ts"

/** Image formats that are stored, by content type. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

/** Detected from the first bytes; `undefined` for everything else, SVG and HTML included. */
export const imageTypeOf = (bytes: Uint8Array): ImageType | undefined => {
  const file = new ByteReader(bytes)
  if (file.hasText(0, "\x89PNG\r\n\x1a\n")) return "image/png"
  if (file.hasText(0, "\xff\xd8\xff")) return "image/jpeg"
  if (file.hasText(0, "GIF87a") || file.hasText(0, "GIF89a")) return "image/gif"
  if (file.hasText(0, "RIFF") && file.hasText(8, "WEBP")) return "image/webp"
  return undefined
}
