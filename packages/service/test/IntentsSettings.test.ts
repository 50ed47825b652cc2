import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { readSettings } from "../src/Settings.ts"

const INTENTS_URL = "https://swaps.example"

const faultsOf = (values: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(readSettings({ INTENTS_URL, ...values })), ({ faults }) => faults)

describe("The swap service", () => {
  it.effect("has a URL to which paths can be appended, without credentials", () =>
    Effect.gen(function* () {
      const urls = [
        "https://swaps.example/?a=b",
        "https://swaps.example/#a",
        "https://swaps.example?",
        "https://swaps.example/a#",
      ]
      for (const url of [...urls, "https://CANARY@swaps.example", "https://me:CANARY@swaps.example"])
        assert.deepStrictEqual(
          yield* faultsOf({ INTENTS_URL: url }),
          ["INTENTS_URL: expected a URL without credentials, query and fragment"],
          url,
        )
      const { bridge } = yield* readSettings({ INTENTS_URL: "http://127.0.0.1:8080/behind/a/path/" })
      assert.strictEqual(Option.getOrThrow(bridge).url, "http://127.0.0.1:8080/behind/a/path")
    }),
  )

  it.effect("has a key that fits in a header, and is not shown when it does not", () =>
    Effect.gen(function* () {
      for (const key of ["CANARY\u00e9", "CANARY key", "CANARY\u0001", "CANARY\nkey", "CANARY\u{1f511}"])
        assert.deepStrictEqual(yield* faultsOf({ INTENTS_API_KEY: key }), [
          "INTENTS_API_KEY: expected visible ASCII characters without spaces",
        ])
      const { bridge } = yield* readSettings({ INTENTS_URL, INTENTS_API_KEY: "eyJ.a-b_c~!" })
      assert.strictEqual(Redacted.value(Option.getOrThrow(bridge).apiKey!), "eyJ.a-b_c~!")
    }),
  )
})
