import { assert, describe, it } from "@effect/vitest"
import type { Candle } from "@launch-registry/client"
import { Schema } from "effect"
import {
  type Bar,
  barOf,
  drawnBar,
  INTERVALS,
  intervalFor,
  markedBar,
  type Tick,
  withTicks,
} from "../src/token/Candles.ts"

const SECONDS = 300

const whole = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const Steps = Schema.Array(
  Schema.Struct({ later: whole(-3, 900), figure: whole(1, 1_000), quoteAmount: whole(0, 1_000_000_000) }),
).check(Schema.isMaxLength(60))

/** Ticks in the order of the chain: times mostly grow, and can be a little earlier than the one before. */
const ticksOf = (steps: typeof Steps.Type): ReadonlyArray<Tick> => {
  let time = 1_700_000_000
  return steps.map(({ figure, later, quoteAmount }, index) => {
    time += later
    return { signature: String(index), time, figure, quoteAmount: BigInt(quoteAmount) }
  })
}

/** What the API answers for these trades: candles by time, of the trades within in the order of the chain. */
const read = (of: ReadonlyArray<Tick>, seconds: number): ReadonlyArray<Candle> =>
  [...Map.groupBy(of, ({ time }) => time - (time % seconds))]
    .toSorted(([a], [b]) => a - b)
    .map(([start, within]) => {
      const figures = within.map(({ figure }) => figure)
      const volume = String(within.reduce((sum, { quoteAmount }) => sum + quoteAmount, 0n))
      return {
        ...{ time: new Date(start * 1_000).toISOString(), trades: within.length },
        ...{ open: String(figures[0]), close: String(figures.at(-1)) },
        ...{ high: String(Math.max(...figures)), low: String(Math.min(...figures)) },
        ...{ baseVolume: "0", quoteVolume: volume },
      }
    })

const bars = (of: ReadonlyArray<Tick>, seconds = SECONDS) => read(of, seconds).map(barOf)

describe("Candles", () => {
  it.prop(
    "of trades that arrive one by one, or some at once, equal those that are read",
    [Steps, whole(0, 60), whole(1, 7), Schema.Literals([1, 15, 60, SECONDS, 3_600])],
    ([steps, known, atOnce, seconds]) => {
      const all = ticksOf(steps)
      let shown: ReadonlyArray<Bar> = bars(all.slice(0, known), seconds)
      for (let at = known; at < all.length; at += atOnce) {
        shown = withTicks(shown, all.slice(at, at + atOnce), seconds)
      }
      assert.deepStrictEqual(shown, bars(all, seconds))
    },
  )

  it.prop(
    "keep every figure of a read that had trades already which come again",
    [Steps, whole(0, 60)],
    ([steps, since]) => {
      const all = ticksOf(steps)
      const shown = bars(all)
      assert.deepStrictEqual(withTicks(shown, all.slice(since), SECONDS, false), shown)
    },
  )

  it.prop("open where the one before has closed, and are never inside out", [Steps], ([steps]) => {
    const all = bars(ticksOf(steps))
    for (const [index, bar] of all.entries()) {
      const drawn = drawnBar(all, index)
      assert.strictEqual(drawn.open, all[index - 1]?.close ?? bar.open)
      assert.strictEqual(drawn.close, bar.close)
      assert.isAtLeast(drawn.high, Math.max(bar.high, drawn.open, drawn.close))
      assert.isAtMost(drawn.low, Math.min(bar.low, drawn.open, drawn.close))
    }
  })

  it.prop("are of the shortest interval that shows all the trading, up to days", [whole(0, 40_000_000)], ([age]) => {
    const shorter = Object.values(INTERVALS).filter((seconds) => seconds < INTERVALS[intervalFor(age)])
    for (const seconds of shorter) assert.isAbove(age / seconds, 200)
    if (intervalFor(age) !== "1d") assert.isAtMost(age / INTERVALS[intervalFor(age)], 200)
  })

  it("are marked where the interval has the time in it, or else at the next one", () => {
    const all = bars([
      { signature: "a", time: 1_000_200, figure: 1, quoteAmount: 1n },
      { signature: "b", time: 1_001_400, figure: 2, quoteAmount: 1n },
    ])
    const times = [1_000_000, 1_000_200, 1_000_499, 1_000_500, 1_001_699, 1_001_700]
    assert.deepStrictEqual(
      times.map((time) => markedBar(all, "5m", time)),
      [undefined, 1_000_200, 1_000_200, 1_001_400, 1_001_400, undefined],
    )
  })
})
