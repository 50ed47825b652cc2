import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type Bar, type Interval, INTERVALS } from "../src/browser/token/Candles.ts"
import { completionOf, markedBar } from "../src/browser/token/Completion.ts"

const barsAt = (times: ReadonlyArray<number>, seconds: number): ReadonlyArray<Bar> =>
  [...new Set(times.map((time) => time - (time % seconds)))]
    .toSorted((a, b) => a - b)
    .map((time) => ({ time, open: 1, high: 1, low: 1, close: 1, quoteVolume: 1n, trades: 1 }))

const INTERVAL_NAMES = Object.keys(INTERVALS) as ReadonlyArray<Interval>
const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

describe("The mark of a completed curve", () => {
  it.prop(
    "is at the candle whose interval has the trade that completed it, for every interval",
    [Schema.NonEmptyArray(between(0, 100_000)), between(0, 1_000)],
    ([later, chosen]) => {
      let time = 1_700_000_000
      const times = later.map((seconds) => (time += seconds))
      const at = times[chosen % times.length]!
      for (const interval of INTERVAL_NAMES) {
        const seconds = INTERVALS[interval]
        assert.strictEqual(markedBar(barsAt(times, seconds), interval, at), at - (at % seconds), interval)
      }
    },
  )

  it("is at the next candle where none has its time, and nowhere where the candles do not reach to it", () => {
    const bars = barsAt([600, 1_200, 6_000], 300)
    assert.strictEqual(markedBar(bars, "5m", 899), 600)
    assert.strictEqual(markedBar(bars, "5m", 900), 1_200)
    assert.strictEqual(markedBar(bars, "5m", 1_500), 6_000)
    for (const at of [0, 599, 6_300]) assert.isUndefined(markedBar(bars, "5m", at), String(at))
    assert.isUndefined(markedBar([], "1m", 600))
  })

  it("names the pool that trading goes on in, once there is one", () => {
    const of = (finishCurveTimestamp: string, venue: "dbc" | "damm_v2" | "damm_v1") =>
      completionOf({ finishCurveTimestamp, venue })
    assert.isUndefined(of("0", "dbc"))
    assert.deepStrictEqual(of("1700000000", "dbc"), { at: 1_700_000_000, text: "Curve complete", isGraduated: false })
    assert.deepStrictEqual(of("1700000000", "damm_v2"), {
      at: 1_700_000_000,
      text: "Graduated to DAMM v2",
      isGraduated: true,
    })
    assert.deepStrictEqual(of("1700000000", "damm_v1"), {
      at: 1_700_000_000,
      text: "Graduated to DAMM v1",
      isGraduated: true,
    })
  })
})
