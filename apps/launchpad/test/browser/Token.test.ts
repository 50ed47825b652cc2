import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SEEDED_POOLS } from "../../../../packages/chain/src/localnet/SeedAccounts.ts"
import { listings } from "../../../../packages/server/src/markets/Listings.ts"
import {
  indexPool,
  indexTrades,
  learnCurve,
  ordinalOf,
  sampleTrade,
} from "../../../../packages/server/test/launch/IndexedTrades.ts"
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

/** Rows of the list that were changed after they were drawn, but for their times. */
const WATCH_ROWS = `
  changedRows = []
  rows = new Set(document.querySelectorAll("tr[data-signature]"))
  new MutationObserver((changes) => {
    for (const { target, removedNodes } of changes) {
      const row = target.parentElement?.closest("tr[data-signature]")
      if (rows.has(row) && target.parentElement.closest("time") === null) changedRows.push(row.outerHTML)
      changedRows.push(...[...removedNodes].filter((node) => rows.has(node)).map((node) => node.outerHTML))
    }
  }).observe(document.querySelector("[aria-label=Trades] tbody"), { attributes: true, characterData: true, childList: true, subtree: true })
  undefined`

/** Lists the launches that the index has. */
const list = Effect.flatMap(SqlClient, (sql) => listings(sql).step)

/** The service, whose index lists the seeded token. */
const served = Layer.provideMerge(
  Layer.effectDiscard(
    Effect.gen(function* () {
      yield* learnCurve(config)
      yield* list
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

  test("leaves trades as they are drawn when others arrive, and reads the list again when it has got long", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* openApp(browser(), `token/${baseMint}`)
      yield* seen(page, "text=Live")
      const [first, last] = [sampleAddress(), sampleAddress()]
      const trade = (trader: string) => sampleChange("trade", baseMint, { time: new Date().toISOString(), trader })
      yield* commitChanges(trade(first))
      yield* seen(page, `tr:has([title="${first}"])`)
      yield* does(() => page.evaluate(WATCH_ROWS))
      yield* commitChanges(...Array.from({ length: 100 }, () => trade(sampleAddress())), trade(last))
      yield* seen(page, `tr:has([title="${last}"])`)
      // New rows, and times that pass.
      assert.deepStrictEqual(yield* does(() => page.evaluate("changedRows")), [])
      assert.isAtLeast(yield* does(() => page.locator("tr[data-signature]").count()), 102)
      const many = sampleAddress()
      yield* commitChanges(...Array.from({ length: 200 }, () => trade(sampleAddress())), trade(many))
      yield* seen(page, `tr:has([title="${many}"])`)
      // What the stream alone has said is not in the list of the index.
      yield* commitChanges(trade(sampleAddress()))
      yield* does(() => page.waitForSelector(`tr:has([title="${many}"])`, { state: "detached" }))
      assert.deepStrictEqual(ownFaults(faults), [])
    }).pipe(Effect.scoped))

  test("reads older candles when one goes back to where they are", () =>
    Effect.gen(function* () {
      const [mint, curve] = [sampleAddress(), sampleAddress()]
      yield* indexPool(mint, { config: curve, decimals: 6 })
      yield* learnCurve(curve)
      const minutes = Array.from({ length: 330 }, (_, minute) => Date.UTC(2026, 10, 21, 9, minute))
      const trades = minutes.map((time, at) =>
        sampleTrade({ baseMint: mint, ordinal: ordinalOf(BigInt(at)), blockTime: new Date(time) }),
      )
      yield* indexTrades(trades)
      yield* list
      const { faults, page } = yield* openApp(browser(), `token/${mint}`)
      yield* press(page, "1m")
      yield* seen(page, "[data-candles='300']")
      yield* does(() => page.hover("[data-candles]"))
      while ((yield* does(() => page.locator("[data-candles='330']").count())) === 0)
        yield* does(() => page.mouse.wheel(-300, 0))
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
