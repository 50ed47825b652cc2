import { assert, describe, it } from "@effect/vitest"
import type { Candle } from "@launch-registry/client"
import { Schema } from "effect"
import { type Bar, barOf, type Tick, withNewest, withOlder, withTicks } from "../src/browser/token/Candles.ts"

const SECONDS = 300
const HOUR = 3_600

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
const read = (of: ReadonlyArray<Tick>, seconds = SECONDS): ReadonlyArray<Candle> =>
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
    [Steps, whole(0, 60), whole(1, 7), Schema.Literals([60, SECONDS, HOUR])],
    ([steps, known, atOnce, seconds]) => {
      const all = ticksOf(steps)
      let shown: ReadonlyArray<Bar> = bars(all.slice(0, known), seconds)
      for (let at = known; at < all.length; at += atOnce) {
        const before = shown
        const { bars: next, from } = withTicks(shown, all.slice(at, at + atOnce), seconds)
        // What is not drawn again has not changed.
        assert.deepStrictEqual(next.slice(0, from), before.slice(0, from))
        for (const [index, bar] of before.slice(0, from).entries()) assert.strictEqual(next[index], bar)
        shown = next
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
      assert.deepStrictEqual(withTicks(shown, all.slice(since), SECONDS, false).bars, shown)
    },
  )

  it.prop(
    "have the prices of all trades, whichever of them a read had",
    [Steps, whole(0, 60), whole(0, 60)],
    ([steps, known, since]) => {
      const all = ticksOf(steps)
      const { bars: shown } = withTicks(bars(all.slice(0, known)), all.slice(Math.min(known, since)), SECONDS, false)
      const prices = (of: typeof shown) =>
        of.map(({ close, high, low, open, time }) => ({ close, high, low, open, time }))
      assert.deepStrictEqual(prices(shown), prices(bars(all)))
    },
  )

  it.prop("are the same whether read at once or page by page", [Steps, whole(1, 10)], ([steps, limit]) => {
    const every = bars(ticksOf(steps))
    let shown = withNewest([], every.slice(-limit), limit)
    while (shown.length < every.length) {
      const [first] = shown
      shown = withOlder(shown, every.filter(({ time }) => time < first!.time).slice(-limit))
    }
    assert.deepStrictEqual(shown, every)
    // Older ones stay when the newest are read again.
    assert.deepStrictEqual(withNewest(shown, every.slice(-limit), limit), every)
  })

  it("are gone when the newest read has none", () => {
    const shown = bars([{ signature: "one", time: 1_700_000_000, figure: 1, quoteAmount: 1n }])
    assert.deepStrictEqual(withNewest(shown, [], 500), [])
  })
})
