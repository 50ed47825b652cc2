import { assert, describe, it } from "@effect/vitest"
import { UuidV7 } from "../src/UuidV7.ts"

describe("Ids", () => {
  it("are UUIDs of version 7 that sort in order of creation, also within a millisecond", () => {
    const ids = new UuidV7()
    const made = Array.from({ length: 5000 }, (_, index) => ids.next(1_800_000_000_000 + Math.floor(index / 1000)))
    for (const id of made) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.deepStrictEqual(made.toSorted(), made)
    assert.strictEqual(new Set(made).size, made.length)
  })

  it("keep their order when the clock goes back", () => {
    const ids = new UuidV7()
    const first = ids.next(1_800_000_000_000)
    assert.isTrue(ids.next(1_700_000_000_000) > first)
  })
})
