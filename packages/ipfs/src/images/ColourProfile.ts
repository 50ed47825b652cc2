import { inflateSync } from "node:zlib"

/** The largest press profiles have 3 MB, screen profiles a few kB. */
export const PROFILE_BYTES_MAX = 4 * 1024 * 1024

export const PROFILE_TOO_LARGE = `its colour profile is larger than ${PROFILE_BYTES_MAX} bytes`

/**
 * Checks the data of `iCCP` (PNG 3rd edition, 11.3.2.3): a name of 1 to 79 characters, a zero, the method 0, and the deflated
 * profile, which is inflated only up to the limit. Decoders ignore a profile that cannot be inflated.
 */
export const pngProfile = (data: Uint8Array): "sound" | "broken" | "too large" => {
  if (data.length > PROFILE_BYTES_MAX) return "too large"
  const nameEnd = data.indexOf(0)
  if (nameEnd < 1 || nameEnd > 79 || data[nameEnd + 1] !== 0) return "broken"
  try {
    inflateSync(data.subarray(nameEnd + 2), { maxOutputLength: PROFILE_BYTES_MAX })
    return "sound"
  } catch (error) {
    return error instanceof RangeError ? "too large" : "broken"
  }
}
