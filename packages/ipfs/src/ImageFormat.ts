/** Image formats that are stored, by their content type. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp"

const startsWith = (bytes: Uint8Array, prefix: string, at = 0): boolean =>
  Buffer.from(bytes.subarray(at, at + prefix.length)).toString("latin1") === prefix

/** The format that the first bytes announce; `undefined` for everything else, SVG and HTML included. */
export const imageTypeOf = (bytes: Uint8Array): ImageType | undefined => {
  if (startsWith(bytes, "\x89PNG\r\n\x1a\n")) return "image/png"
  if (startsWith(bytes, "\xff\xd8\xff")) return "image/jpeg"
  if (startsWith(bytes, "GIF87a") || startsWith(bytes, "GIF89a")) return "image/gif"
  if (startsWith(bytes, "RIFF") && startsWith(bytes, "WEBP", 8)) return "image/webp"
  return undefined
}
