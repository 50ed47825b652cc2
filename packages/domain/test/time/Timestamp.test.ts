import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { parseIsoMillis, timestampOf } from "../../src/time/Timestamp.ts"

/** The longest distance of a date from 1970, in milliseconds. */
const FURTHEST = 8_640_000_000_000_000

const anyMillis = Schema.Int.check(Schema.isBetween({ minimum: -FURTHEST, maximum: FURTHEST }))
/** Years 0 to 9999, which have four digits. */
const millis = Schema.Int.check(Schema.isBetween({ minimum: -62_167_219_200_000, maximum: 253_402_300_799_999 }))

describe("A timestamp", () => {
  it.prop("is the ISO 8601 of its date", [millis], ([millis]) => {
    const date = new Date(millis)
    assert.strictEqual(timestampOf(date), date.toISOString())
    assert.strictEqual(parseIsoMillis(timestampOf(date)), millis)
  })

  it.prop("is so in any year", [anyMillis], ([millis]) => {
    const date = new Date(millis)
    assert.strictEqual(timestampOf(date), date.toISOString())
  })

  it("is so where a day, a month, a year and the range of years begin and end", () => {
    for (const text of [
      "0000-01-01",
      "1900-03-01",
      "1970-01-01",
      "2000-02-29",
      "2024-02-29",
      "2026-10-10",
      "9999-12-31",
    ])
      for (const time of ["00:00:00.000", "09:09:09.009", "12:10:10.100", "23:59:59.999"])
        assert.strictEqual(timestampOf(new Date(`${text}T${time}Z`)), `${text}T${time}Z`)
    for (const millis of [-62_167_219_200_001, 253_402_300_800_000, -FURTHEST, FURTHEST])
      assert.strictEqual(timestampOf(new Date(millis)), new Date(millis).toISOString())
  })

  it("is not of an invalid date", () => {
    assert.throws(() => timestampOf(new Date(Number.NaN)), RangeError)
  })
})
