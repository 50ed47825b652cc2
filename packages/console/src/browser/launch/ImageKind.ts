/** What can be said of an image by its first bytes and its size, with the limits of the service (docs/ipfs.md). */

const MEBIBYTE = 1024 * 1024
const BYTES_MAX = 15 * MEBIBYTE

const HEADS: ReadonlyArray<RegExp> = [/^\x89PNG\r\n\x1a\n/, /^\xff\xd8\xff/, /^GIF8[79]a/, /^RIFF[^]{4}WEBP/]

/** Why a file with this beginning and so many bytes is not taken, whatever its name; `undefined` if it may be. */
export const refusalOfFile = (head: Uint8Array, size: number): string | undefined => {
  if (size === 0) return "The file is empty"
  const isImage = HEADS.some((pattern) => pattern.test(String.fromCharCode(...head.subarray(0, 16))))
  if (!isImage) return "This file is no PNG, JPEG, GIF or WebP image, and no other kinds are taken"
  if (size <= BYTES_MAX) return undefined
  return `This file has ${(size / MEBIBYTE).toFixed(1)} MiB, and at most 15 MiB are taken: make it smaller`
}
