import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { readSettings } from "../src/Settings.ts"

const INTENTS_URL = "https://swaps.example"

const ratesOf = (values: Readonly<Record<string, string>>) =>
  Effect.map(readSettings({ INTENTS_URL, ...values }), ({ bridge }) => Option.getOrThrow(bridge).rates)
const faultsOf = (values: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(readSettings(values)), ({ faults }) => faults)

describe("The rate limits agreed with the swap service", () => {
  it.effect("are the defaults when nothing is set", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* ratesOf({}))
    }),
  )

  it.effect("allow at least one request, also when the rate is below one a second", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ratesOf({ INTENTS_REQUESTS_PER_SECOND: "0.2" }), {
        watch: { perSecond: 0.2, burst: 1 },
      })
      const both = { INTENTS_REQUESTS_PER_SECOND: "2", INTENTS_QUOTES_PER_SECOND: "10" }
      // .env.example shows the server's defaults.
      assert.deepStrictEqual(yield* ratesOf(both), {
        watch: { perSecond: 2, burst: 2 },
        quote: { perSecond: 10, burst: 20 },
      })
    }),
  )

  it.effect("are refused all at once when they are malformed, or set without a swap service", () =>
    Effect.gen(function* () {
      for (const text of ["0", "0.000", "-1", "many", "1e3", "1001", "Infinity", "2/s", " "])
        assert.deepStrictEqual(
          yield* faultsOf({ INTENTS_URL, INTENTS_REQUESTS_PER_SECOND: text, INTENTS_QUOTES_PER_SECOND: text }),
          ["INTENTS_REQUESTS_PER_SECOND", "INTENTS_QUOTES_PER_SECOND"].map(
            (name) => `${name}: expected a number above 0, at most 1000`,
          ),
          text,
        )
      assert.deepStrictEqual(yield* faultsOf({ INTENTS_QUOTES_PER_SECOND: "5" }), [
        "INTENTS_QUOTES_PER_SECOND: expected INTENTS_URL to be set as well",
      ])
    }),
  )
})
