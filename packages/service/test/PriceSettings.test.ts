import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { readSettings } from "../src/Settings.ts"
import { PRODUCTION } from "./ProductionSettings.ts"

describe("Settings of prices in US dollars", () => {
  it.effect("are absent by default", () =>
    Effect.gen(function* () {
      assert.isTrue(Option.isNone((yield* readSettings({})).prices))
    }),
  )

  it.effect("are read; the URL may have a query, and is as secret as the key", () =>
    Effect.gen(function* () {
      const url = "https://prices.example/v3?token=CANARY"
      const { prices } = yield* readSettings({ ...PRODUCTION, PRICE_URL: url, PRICE_API_KEY: "CANARY" })
      const found = Option.getOrThrow(prices)
      assert.deepStrictEqual([Redacted.value(found.url), Redacted.value(found.apiKey!)], [url, "CANARY"])
      assert.notInclude(JSON.stringify(found), "CANARY")
    }),
  )

  it.effect("name what is wrong, without values", () =>
    Effect.gen(function* () {
      for (const wrong of [
        { PRICE_URL: "prices.example" },
        { PRICE_URL: "ftp://prices.example" },
        { PRICE_URL: "https://user:CANARY@prices.example" },
        { PRICE_URL: "https://prices.example/?ids=CANARY" },
        { PRICE_URL: "https://prices.example/", PRICE_API_KEY: "CANARY\n" },
        { PRICE_API_KEY: "CANARY" },
      ]) {
        const { faults } = yield* Effect.flip(readSettings({ ...PRODUCTION, ...wrong }))
        assert.deepStrictEqual(
          faults.map((fault) => fault.split(":")[0]),
          [Object.keys(wrong).at(-1)],
        )
        assert.notInclude(faults.join(), "CANARY")
      }
    }),
  )
})
