/** Image formats that are stored, by content type. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

/** How files start, as Latin-1. */
const STARTS: Readonly<Record<ImageType, RegExp>> = {
  "image/png": /^\x89PNG\r\n\x1a\n/,
  "image/jpeg": /^\xff\xd8\xff/,
  "image/gif": /^GIF8[79]a/,
  "image/webp": /^RIFF[^]{4}WEBP/,
}

/** Detected from the first bytes; `undefined` for everything else, SVG and HTML included. */
export const imageTypeOf = (bytes: Uint8Array): ImageType | undefined => {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("latin1")
  return IMAGE_TYPES.find((type) => STARTS[type].test(start))
}
