import { assert, describe, it } from "@effect/vitest"
import { EXIF_PREFIX, orientationOf } from "../../src/images/ExifOrientation.ts"

/** Exif in a byte order, with the entries of its first directory as tag, type, count and value. */
const exifOf = (order: "II" | "MM", entries: ReadonlyArray<readonly [number, number, number, number]>) => {
  const bytes = Buffer.alloc(8 + 2 + entries.length * 12 + 4)
  const short = (value: number, at: number) =>
    order === "II" ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at)
  const long = (value: number, at: number) =>
    order === "II" ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at)
  bytes.write(order, "latin1")
  short(42, 2)
  long(8, 4)
  short(entries.length, 8)
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + index * 12
    short(tag, at)
    short(type, at + 2)
    long(count, at + 4)
    short(value, at + 8)
  }
  return bytes
}

describe("The orientation of Exif", () => {
  it("is found in both byte orders, among other entries", () => {
    for (const order of ["II", "MM"] as const) {
      assert.strictEqual(
        orientationOf(
          exifOf(order, [
            [0x010f, 2, 4, 7],
            [0x0112, 3, 1, 6],
          ]),
        ),
        6,
      )
      assert.strictEqual(orientationOf(exifOf(order, [[0x010f, 2, 4, 7]])), 1)
    }
  })

  it("is the default when it cannot be read", () => {
    const wrong = [
      exifOf("II", [[0x0112, 4, 1, 6]]),
      exifOf("II", [[0x0112, 3, 2, 6]]),
      exifOf("II", [[0x0112, 3, 1, 9]]),
      exifOf("II", [[0x0112, 3, 1, 0]]),
      exifOf("MM", [[0x0112, 3, 1, 6]]).subarray(0, -1),
      Buffer.from(EXIF_PREFIX, "latin1"),
      Buffer.alloc(0),
    ]
    for (const bytes of wrong) assert.strictEqual(orientationOf(bytes), 1)
    const elsewhere = exifOf("MM", [[0x0112, 3, 1, 6]])
    for (const offset of [0, 7, 9, 0xffffffff, 0x7fffffff]) {
      elsewhere.writeUInt32BE(offset, 4)
      assert.strictEqual(orientationOf(elsewhere), 1)
    }
  })
})
