/** An image without metadata, and its size by its headers. */
export interface CleanImage {
  readonly bytes: Uint8Array
  readonly widthPixels: number
  readonly heightPixels: number
  /** 1 without an animation. */
  readonly frames: number
  /** Memory for decoding every pixel, estimated from the headers: what decoders hold whole, and the pixels read. */
  readonly decodeBytes: number
}

/** Why the structure of an image is not sound. Thrown where it is read, and caught by `stripMetadata`. */
export class Unsound extends Error {}

export const unsound: (reason: string) => never = (reason) => {
  throw new Unsound(reason)
}

export const TRUNCATED = "it ends before its end"

/** The largest press profiles have 3 MB, screen profiles a few kB. */
export const PROFILE_BYTES_MAX = 4 * 1024 * 1024

export const PROFILE_TOO_LARGE = `its colour profile is larger than ${PROFILE_BYTES_MAX} bytes`
