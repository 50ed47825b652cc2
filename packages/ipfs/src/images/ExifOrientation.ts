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
export const orientationOf = (exif: Buffer): number => {
  const tiff = exif.toString("latin1", 0, 6) === EXIF_PREFIX ? exif.subarray(6) : exif
  const order = tiff.toString("latin1", 0, 4)
  if (order !== "II*\0" && order !== "MM\0*") return 1
  const short = (at: number) => (order === "II*\0" ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number) => (order === "II*\0" ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const directory = tiff.length < 8 ? 0 : long(4)
  // A directory is the number of entries, the entries, and the offset of the next directory.
  if (directory < 8 || directory + 6 > tiff.length) return 1
  const entries = short(directory)
  if (directory + 6 + entries * ENTRY_BYTES > tiff.length) return 1
  for (let entry = 0; entry < entries; entry++) {
    const at = directory + 2 + entry * ENTRY_BYTES
    if (short(at) !== ORIENTATION_TAG) continue
    const orientation = short(at + 8)
    return short(at + 2) === SHORT && long(at + 4) === 1 && orientation >= 1 && orientation <= 8 ? orientation : 1
  }
  return 1
}

/** The smallest TIFF structure of Exif metadata that holds an orientation. */
export const exifOfOrientation = (orientation: number): Buffer =>
  Buffer.from([
    ...[0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1],
    ...[0x01, 0x12, 0, SHORT, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0],
  ])
