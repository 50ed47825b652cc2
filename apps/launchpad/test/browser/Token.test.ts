import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SEEDED_POOLS } from "../../../../packages/chain/src/localnet/SeedAccounts.ts"
import { listings } from "../../../../packages/server/src/markets/Listings.ts"
import { learnCurve } from "../../../../packages/server/test/launch/IndexedTrades.ts"
import { commitChanges, sampleChange } from "../../../../packages/server/test/stream/IndexChanges.ts"
import { sampleAddress, SOL } from "../../../../packages/service/test/Samples.ts"
import { TestServer } from "../../../../packages/service/test/TestServer.ts"
import { axeFaults, DESKTOP, PHONE, withoutChromium } from "./Chromium.ts"
import { does, openApp, ownFaults, press, seen, STICKING_OUT, textOf } from "./OpenApp.ts"
import { suiteBrowser } from "./SuiteBrowser.ts"

const browser = suiteBrowser("the page of a token in a browser")
const [{ baseMint, config }] = SEEDED_POOLS as [(typeof SEEDED_POOLS)[number]]

const LOOKS = [
  { colorScheme: "light", viewport: { ...DESKTOP, width: 1_440 } },
  { colorScheme: "dark", viewport: PHONE },
  { colorScheme: "dark", viewport: { width: 320, height: 640 } },
] as const

/** The service, whose index lists the seeded token. */
const served = Layer.provideMerge(
  Layer.effectDiscard(
    Effect.gen(function* () {
      yield* learnCurve(config)
      yield* listings(yield* SqlClient).step
    }),
  ),
  TestServer.layer(),
)

layer(served, { excludeTestServices: true })("The page of a token", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  test("has a launch that is not registered, and its trades as they happen", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* openApp(browser(), `token/${baseMint}`)
      yield* seen(page, "text=Live")
      assert.match(yield* textOf(page, "main header"), /Not registered/)
      const trader = sampleAddress()
      const time = new Date().toISOString()
      yield* commitChanges(sampleChange("trade", baseMint, { time, trader, quoteAmount: "1500000000" }))
      yield* seen(page, `[data-signature] [title="${trader}"]`)
      const row = `tr:has([title="${trader}"])`
      assert.match(yield* textOf(page, row), /Buy\s+1\.50 SOL/)
      yield* press(page, "Holders")
      assert.match(yield* textOf(page, "[aria-label=Holders] tbody tr:first-child"), /Curve/)
      assert.deepStrictEqual(ownFaults(faults), [])
    }).pipe(Effect.scoped))

  test("quotes what is typed, with the least that is received, and says errors in the token's units", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* openApp(browser(), `token/${baseMint}`)
      yield* press(page, "0.5")
      yield* seen(page, "form dl >> text=At least")
      assert.match(yield* textOf(page, "form dl"), /You receive about[^]*TEST[^]*Price impact[^]*%[^]*Fee[^]*SOL/)
      yield* does(() => page.fill("[name=amount]", "1e3"))
      yield* seen(page, "form [role=alert] >> text=Enter a number such as 1.5")
      yield* does(() => page.fill("[name=amount]", "1000000"))
      yield* seen(page, "form [role=alert] >> text=/at most [0-9.]+ SOL: /")
      assert.deepStrictEqual(ownFaults(faults), [])
    }).pipe(Effect.scoped))

  test("says that a mint is unknown, or is none", () =>
    Effect.gen(function* () {
      const { page } = yield* openApp(browser(), `token/${SOL}`)
      yield* seen(page, "text=Nobody here knows a token")
      const other = yield* openApp(browser(), "token/nonsense")
      yield* seen(other.page, "text=This is not the address of a mint")
    }).pipe(Effect.scoped))

  test("can be used by everybody, in both themes and on phones, where swaps open in a sheet", () =>
    Effect.gen(function* () {
      for (const look of LOOKS) {
        const shown = JSON.stringify(look)
        const { faults, page } = yield* openApp(browser(), `token/${baseMint}`, look)
        yield* seen(page, "text=Nobody can mint more tokens")
        yield* seen(page, "canvas")
        assert.deepStrictEqual(yield* does(() => page.evaluate(STICKING_OUT)), [], shown)
        assert.deepStrictEqual(yield* does(() => axeFaults(page)), [], shown)
        if (look.viewport.width < 700) {
          yield* does(() => page.click("button:has-text('Buy TEST')"))
          yield* seen(page, "dialog[open] [name=amount]")
          assert.deepStrictEqual(yield* does(() => axeFaults(page)), [], shown)
          yield* does(() => page.keyboard.press("Escape"))
          yield* does(() => page.waitForSelector("dialog[open]", { state: "detached" }))
        }
        assert.deepStrictEqual(ownFaults(faults), [], shown)
      }
    }).pipe(Effect.scoped))
})
