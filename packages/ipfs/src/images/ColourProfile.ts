import { inflateSync } from "node:zlib"

/** The largest profiles of presses have 3 MB, those of screens a few kB. */
export const PROFILE_BYTES_MAX = 4 * 1024 * 1024

export const PROFILE_TOO_LARGE = `its colour profile is larger than ${PROFILE_BYTES_MAX} bytes`

/**
 * What `iCCP` of a PNG holds (PNG 3rd edition, 11.3.2.3): a name of 1 to 79 characters, a zero, the method 0, and the profile, deflated. It is inflated no further than
 * the bound. What cannot be inflated is no profile: decoders pass over it.
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
