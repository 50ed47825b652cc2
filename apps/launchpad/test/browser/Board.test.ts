import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { indexPool, learnCurve } from "../../../../packages/server/test/launch/IndexedTrades.ts"
import { compareAll, manyLaunches } from "../../../../packages/server/test/launch/ManyLaunches.ts"
import { commitChanges, sampleChange } from "../../../../packages/server/test/stream/IndexChanges.ts"
import { SOL, sampleAddress } from "../../../../packages/service/test/Samples.ts"
import { TestServer } from "../../../../packages/service/test/TestServer.ts"
import { axeFaults, DESKTOP, PHONE, withoutChromium } from "./Chromium.ts"
import { does, openApp, ownFaults, press, seen, STICKING_OUT, textOf } from "./OpenApp.ts"
import { suiteBrowser } from "./SuiteBrowser.ts"

const browser = suiteBrowser("the board in a browser")

const LOOKS = [
  { colorScheme: "light", viewport: DESKTOP },
  { colorScheme: "dark", viewport: PHONE },
] as const

/** 0.0₈125 SOL for a token of six decimals: 2^64 times the square root of 0.00000125. */
const SQRT_PRICE = 20_624_086_856_177_975n

/** A launch that is known to the index, as it and a trade of it arrive on a page that is live. */
const arriving = Effect.fnUntraced(function* (page: Page) {
  const [mint, config] = [sampleAddress(), sampleAddress()]
  yield* indexPool(mint, { config, quoteMint: SOL, decimals: 6 })
  yield* learnCurve(config)
  const row = `[data-mint="${mint}"]`
  yield* seen(page, "text=Live")
  yield* commitChanges(sampleChange("token", mint, { name: "Arriving", symbol: "ARRV" }))
  yield* seen(page, row)
  const before = yield* textOf(page, row)
  const time = new Date().toISOString()
  const fields = { time, sqrtPrice: String(SQRT_PRICE), quoteReserve: "42500000000" }
  yield* commitChanges(sampleChange("trade", mint, fields))
  yield* seen(page, `${row} progress`)
  return { mint, before, after: yield* textOf(page, row) }
})

layer(TestServer.layer(), { excludeTestServices: true })("The board", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  test("shows a launch and its trades as they arrive, and leads to the token from anywhere on its row", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* openApp(browser(), "?as=table")
      const { after, before, mint } = yield* arriving(page)
      assert.match(before, /ARRV[^]*Arriving/)
      assert.notMatch(before, /SOL|%/)
      assert.match(after, /0\.0₈125 SOL[^]*50%/)
      yield* does(() => page.click(`[data-mint="${mint}"] td:last-child`, { position: { x: 2, y: 2 }, force: true }))
      assert.include(page.url(), `#/token/${mint}`)
      assert.deepStrictEqual(ownFaults(faults), [])
    }).pipe(Effect.scoped))

  test("keeps what was chosen in the URL, and is opened with it", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* openApp(browser())
      yield* press(page, "Graduated")
      yield* seen(page, "text=No token has graduated yet")
      yield* press(page, "Table")
      assert.match(page.url(), /#\/\?view=graduated&as=table$/)
      const url = page.url()
      for (const link of [url, url.replace("/console#", "/console/#")]) {
        yield* does(() => page.goto("about:blank"))
        yield* does(() => page.goto(link))
        yield* seen(page, "button[aria-pressed=true]:text-is('Graduated')")
        yield* seen(page, "button[aria-pressed=true]:text-is('Table')")
        assert.strictEqual(page.url(), url)
      }
      assert.deepStrictEqual(faults, [])
    }).pipe(Effect.scoped))

  test("finds tokens as one types, and says when there is none", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* openApp(browser())
      yield* does(() => page.fill("input[type=search]", "no token has this"))
      yield* seen(page, "text=No registered token matches")
      const mint = sampleAddress()
      yield* does(() => page.fill("input[type=search]", mint))
      yield* does(() => page.press("input[type=search]", "ArrowDown"))
      yield* does(() => page.keyboard.press("Enter"))
      yield* does(() => page.waitForURL((url) => url.hash === `#/token/${mint}`))
      assert.deepStrictEqual(ownFaults(faults), [])
    }).pipe(Effect.scoped))

  test("says what failed, and reads again when asked", () =>
    Effect.gen(function* () {
      const { page } = yield* openApp(browser(), "?view=graduated")
      yield* seen(page, "text=Live")
      let isDown = true
      const json = { success: false, code: "internal_error", message: "No database", requestId: "a-request" }
      yield* does(() =>
        page.route("**/api/launch/pools?*", (route) =>
          isDown ? route.fulfill({ status: 500, json }) : route.continue(),
        ),
      )
      yield* press(page, "About to graduate")
      yield* seen(page, "[role=alert] >> text=No database")
      assert.include(yield* textOf(page, "[role=alert]"), "a-request")
      isDown = false
      yield* press(page, "Try again")
      yield* seen(page, "text=No curve is under way")
    }).pipe(Effect.scoped))

  test("can be used by everybody, in both themes and on a phone", () =>
    Effect.gen(function* () {
      for (const look of LOOKS)
        for (const place of ["", "?as=table"]) {
          const shown = `${JSON.stringify(look)} ${place}`
          const { faults, page } = yield* openApp(browser(), place, look)
          yield* arriving(page)
          assert.deepStrictEqual(yield* does(() => axeFaults(page)), [], shown)
          assert.deepStrictEqual(yield* does(() => page.evaluate(STICKING_OUT)), [], shown)
          assert.deepStrictEqual(faults, [], shown)
        }
    }).pipe(Effect.scoped))

  test("is reached by keyboard, and keeps the theme that was chosen", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* openApp(browser())
      yield* seen(page, "text=Live")
      const reached: Array<unknown> = []
      for (let presses = 0; presses < 5; presses++) {
        yield* does(() => page.keyboard.press("Tab"))
        reached.push(yield* does(() => page.evaluate("document.activeElement.textContent.trim()")))
      }
      assert.deepStrictEqual(reached, ["Skip to content", "Launchpad", "Board", "Launch", "Portfolio"])
      yield* does(() => page.click("[aria-label='Dark theme']"))
      yield* does(() => page.reload())
      yield* seen(page, ":root[data-theme=dark] main")
      assert.deepStrictEqual(faults, [])
    }).pipe(Effect.scoped))
})

layer(TestServer.layer(), { excludeTestServices: true })("A board of more than a page", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  test("draws all rows of a list, and those of the next page", () =>
    Effect.gen(function* () {
      yield* manyLaunches(130)
      yield* compareAll
      const { faults, page } = yield* openApp(browser())
      const rows = page.locator("[data-mint]")
      yield* does(() => rows.nth(39).waitFor())
      assert.strictEqual(yield* does(() => rows.count()), 40)
      yield* press(page, "Show more")
      yield* does(() => rows.nth(79).waitFor())
      assert.deepStrictEqual(faults, [])
    }).pipe(Effect.scoped))
})
