import { ByteReader, latin1 } from "./ByteReader.ts"

const ORIENTATION_TAG = 0x0112
const SHORT = 3
const ENTRY_BYTES = 12

/** Precedes the TIFF structure in JPEG, and in WebP files of some writers. */
export const EXIF_PREFIX = "Exif\0\0"

/**
 * The orientation in Exif metadata, 1 to 8; 1 (upright) if there is none that can be read.
 *
 * Source: Exif 2.32, 4.5 and 4.6.4: a TIFF header of 8 bytes, then the entries of the first directory.
 */
export const orientationOf = (exif: Uint8Array): number => {
  const whole = new ByteReader(exif)
  const tiff = whole.hasText(0, EXIF_PREFIX) ? new ByteReader(exif.subarray(EXIF_PREFIX.length)) : whole
  const isLittleEndian = tiff.hasText(0, "II*\0")
  if (!isLittleEndian && !tiff.hasText(0, "MM\0*")) return 1
  const directory = tiff.u32(4, isLittleEndian)
  const entries = tiff.u16(directory, isLittleEndian)
  // A directory is the number of entries, the entries, and the offset of the next directory.
  if (directory < 8 || directory + 2 + entries * ENTRY_BYTES + 4 > tiff.length) return 1
  for (let entry = 0; entry < entries; entry++) {
    const at = directory + 2 + entry * ENTRY_BYTES
    if (tiff.u16(at, isLittleEndian) !== ORIENTATION_TAG) continue
    const isOneShort = tiff.u16(at + 2, isLittleEndian) === SHORT && tiff.u32(at + 4, isLittleEndian) === 1
    const orientation = tiff.u16(at + 8, isLittleEndian)
    return isOneShort && orientation >= 1 && orientation <= 8 ? orientation : 1
  }
  return 1
}

/** The smallest TIFF structure of Exif metadata that holds an orientation. */
export const exifOfOrientation = (orientation: number): Uint8Array => {
  const entry = [0x01, 0x12, 0, SHORT, 0, 0, 0, 1, 0, orientation, 0, 0]
  return Uint8Array.of(...latin1("MM\0*"), 0, 0, 0, 8, 0, 1, ...entry, 0, 0, 0, 0)
}
