import { assert, describe, it } from "@effect/vitest"
import { ATTEMPTS_MAX, pauseMillis } from "../../src/notifications/DeliverMessages.ts"

const HOUR = 3_600_000

describe("The schedule of attempts", () => {
  it("has ten attempts over three days, each pause longer than the one before", () => {
    const pauses = Array.from({ length: ATTEMPTS_MAX - 1 }, (_, index) => pauseMillis(index + 1, 0.5, undefined)!)
    assert.strictEqual(ATTEMPTS_MAX, 10)
    assert.deepStrictEqual(
      pauses,
      pauses.toSorted((left, right) => left - right),
    )
    assert.approximately(pauses.reduce((sum, pause) => sum + pause, 0) / HOUR, 75.6, 0.1)
    assert.isUndefined(pauseMillis(ATTEMPTS_MAX, 0.5, undefined))
    assert.isUndefined(pauseMillis(ATTEMPTS_MAX, 0.5, HOUR))
  })

  it("spreads each pause by a tenth, and waits for Retry-After, at most a day", () => {
    assert.deepStrictEqual([pauseMillis(1, 0, undefined), pauseMillis(1, 1, undefined)], [4_500, 5_500])
    assert.strictEqual(pauseMillis(1, 0.5, HOUR), HOUR)
    assert.strictEqual(pauseMillis(1, 0.5, 1), 5_000)
    assert.strictEqual(pauseMillis(1, 0.5, 1_000 * HOUR), 24 * HOUR)
  })
})
