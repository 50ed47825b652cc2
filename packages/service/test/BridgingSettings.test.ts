import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { readSettings } from "../src/Settings.ts"

const INTENTS_URL = "https://swaps.example"

const ratesOf = (values: Readonly<Record<string, string>>) =>
  Effect.map(readSettings({ INTENTS_URL, ...values }), ({ bridge }) => Option.getOrThrow(bridge).rates)
const faultsOf = (values: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(readSettings(values)), ({ faults }) => faults)

describe("The rate agreed with the swap service", () => {
  it.effect("is the default when nothing is set", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* ratesOf({}))
    }),
  )

  it.effect("is divided, and allows at least one request of each kind, also below one a second", () =>
    Effect.gen(function* () {
      const slow = yield* ratesOf({ INTENTS_REQUESTS_PER_SECOND: "0.6" })
      assert.deepStrictEqual([slow!.watch.burst, slow!.quote.burst], [1, 1])
      // .env.example shows the server's default.
      const { quote, watch } = (yield* ratesOf({ INTENTS_REQUESTS_PER_SECOND: "12" }))!
      for (const [rate, perSecond, burst] of [
        [watch, 2, 2],
        [quote, 10, 20],
      ] as const) {
        assert.closeTo(rate.perSecond, perSecond, 1e-9)
        assert.closeTo(rate.burst, burst, 1e-9)
      }
    }),
  )

  it.effect("is refused when it is malformed, or set without a swap service", () =>
    Effect.gen(function* () {
      for (const text of ["0", "0.000", "-1", "many", "1e3", "1001", "Infinity", "2/s", " "])
        assert.deepStrictEqual(
          yield* faultsOf({ INTENTS_URL, INTENTS_REQUESTS_PER_SECOND: text }),
          ["INTENTS_REQUESTS_PER_SECOND: expected a number above 0, at most 1000"],
          text,
        )
      assert.deepStrictEqual(yield* faultsOf({ INTENTS_REQUESTS_PER_SECOND: "5" }), [
        "INTENTS_REQUESTS_PER_SECOND: expected INTENTS_URL to be set as well",
      ])
    }),
  )
})
