import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { Page } from "playwright-core"
import { indexPool, learnCurve } from "../../server/test/launch/IndexedTrades.ts"
import { compareAll, manyLaunches } from "../../server/test/launch/ManyLaunches.ts"
import { commitChanges, sampleChange } from "../../server/test/stream/IndexChanges.ts"
import { accessOf } from "../../service/test/access/TestAccess.ts"
import { SOL, sampleAddress } from "../../service/test/Samples.ts"
import { TestServer } from "../../service/test/TestServer.ts"
import { DESKTOP, openPage, PHONE, seriousFaults, withoutChromium } from "./Chromium.ts"
import { suiteBrowser } from "./SuiteBrowser.ts"

const browser = suiteBrowser("the console in a browser")

const LOOKS = [
  { colorScheme: "light", viewport: DESKTOP },
  { colorScheme: "dark", viewport: DESKTOP },
  { colorScheme: "light", viewport: PHONE },
  { colorScheme: "dark", viewport: PHONE },
] as const

const opened = (path: string, look?: (typeof LOOKS)[number]) =>
  Effect.acquireRelease(
    Effect.flatMap(TestServer, ({ url }) => Effect.promise(() => openPage(browser(), `${url}${path}`, look))),
    ({ page }) => Effect.promise(() => page.context().close()),
  )

const seen = (page: Page, selector: string) => Effect.promise(() => page.waitForSelector(selector))
const textOf = (page: Page, selector: string) => Effect.promise(() => page.innerText(selector))

/** Nothing sticks out at the side of a phone. */
const isWithin = (page: Page) =>
  Effect.promise(() => page.evaluate("document.documentElement.scrollWidth <= innerWidth"))

/** 0.0₈125 SOL for a token of six decimals: 2^64 times the square root of 0.00000125. */
const SQRT_PRICE = 20_624_086_856_177_975n

/** A launch that is known to the index, as it and a trade of it arrive on a page that is live. */
const arriving = Effect.fnUntraced(function* (page: Page) {
  const [mint, config] = [sampleAddress(), sampleAddress()]
  const quoteMint = SOL
  yield* indexPool(mint, { config, quoteMint, decimals: 6 })
  yield* learnCurve(config)
  const row = `tr[data-mint="${mint}"]`
  yield* seen(page, ".live span")
  yield* commitChanges(sampleChange("token", mint, { name: "Arriving", symbol: "ARRV" }))
  yield* seen(page, row)
  const before = yield* textOf(page, row)
  const time = new Date().toISOString()
  const fields = { time, sqrtPrice: String(SQRT_PRICE), quoteReserve: "42500000000" }
  yield* commitChanges(sampleChange("trade", mint, fields))
  yield* seen(page, `${row} progress`)
  return { before, after: yield* textOf(page, row) }
})

layer(TestServer.layer(), { excludeTestServices: true })("The board", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  test("shows a launch and its trades as they arrive", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* opened("/console")
      const { after, before } = yield* arriving(page)
      assert.match(before, /ARRV[^]*Arriving/)
      assert.notMatch(before, /SOL|%/)
      assert.match(after, /0\.0₈125 SOL[^]*50%/)
      assert.deepStrictEqual(faults, [])
    }).pipe(Effect.scoped))

  test("reads the list that it is opened with once, and is drawn before it where that takes long", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer
      const { page } = yield* opened("/docs")
      const lists: Array<string> = []
      let answer = (): void => {}
      const drawn = new Promise<void>((resolve) => (answer = resolve))
      yield* Effect.promise(async () => {
        await page.route("**/api/stream?*", (route) => route.abort())
        await page.route("**/api/launch/pools?*", async (route) => {
          lists.push(route.request().url())
          await drawn
          await route.continue()
        })
        await page.goto(`${url}/console#/board/graduated`)
      })
      yield* seen(page, "text=Reading tokens")
      answer()
      yield* seen(page, "text=No curve has graduated yet")
      assert.lengthOf(lists, 1)
      assert.include(lists[0], "sort=graduated")
    }).pipe(Effect.scoped))

  test("finds tokens as one types, and says when there is none", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* opened("/console")
      yield* Effect.promise(() => page.fill("input[type=search]", "no token has this"))
      yield* seen(page, "text=No registered token has")
      yield* Effect.promise(() => page.fill("input[type=search]", ""))
      yield* seen(page, "text=No launch yet")
      assert.deepStrictEqual(faults, [])
    }).pipe(Effect.scoped))

  test("says what failed and reads again when asked, and that the browser is offline", () =>
    Effect.gen(function* () {
      const { page } = yield* opened("/console#/board/graduated")
      yield* seen(page, ".live span")
      const failed = { success: false, code: "upstream_unavailable", message: "No database", requestId: "a-request" }
      const lists = "**/api/launch/pools?*"
      // Down until the reader asks again: the page does so by itself as well, at times of its own.
      yield* Effect.promise(() =>
        page.route(lists, async (route) => {
          const isAsked = await page.evaluate("globalThis.isAsked === true")
          await (isAsked ? route.continue() : route.fulfill({ status: 503, json: failed }))
        }),
      )
      yield* Effect.promise(() => page.click("text=About to graduate"))
      yield* seen(page, "[role=alert] >> text=No database")
      assert.match(yield* textOf(page, "[role=alert]"), /Operate says more[^]*a-request/)
      const noteClick = "addEventListener('click', () => void (globalThis.isAsked = true), true)"
      yield* Effect.promise(() => page.evaluate(noteClick))
      yield* Effect.promise(() => page.click("text=Try again"))
      yield* seen(page, "text=No curve is being filled")
      yield* Effect.promise(() => page.context().setOffline(true))
      yield* seen(page, "text=This browser is offline")
      yield* Effect.promise(() => page.context().setOffline(false))
      yield* Effect.promise(() => page.waitForSelector("text=This browser is offline", { state: "detached" }))
      yield* seen(page, ".live span")
    }).pipe(Effect.scoped))

  test("can be used by everybody, in both themes and on a phone", () =>
    Effect.gen(function* () {
      for (const look of LOOKS) {
        const shown = JSON.stringify(look)
        const { faults, page } = yield* opened("/console", look)
        yield* arriving(page)
        assert.deepStrictEqual(yield* Effect.promise(() => seriousFaults(page)), [], shown)
        assert.isTrue(yield* isWithin(page), shown)
        assert.deepStrictEqual(faults, [], shown)
      }
    }).pipe(Effect.scoped))

  test("is reached by keyboard, and keeps the theme that was chosen", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* opened("/console")
      yield* seen(page, "main")
      const focused = () => Effect.promise(() => page.evaluate("document.activeElement.textContent.trim()"))
      const reached: Array<unknown> = []
      for (let presses = 0; presses < 7; presses++) {
        yield* Effect.promise(() => page.keyboard.press("Tab"))
        reached.push(yield* focused())
      }
      assert.deepStrictEqual(reached, [
        "Skip to content",
        "Token Launch Registry",
        "Board",
        "Launch",
        "Operate",
        "Developers",
        "API",
      ])
      yield* Effect.promise(() => page.selectOption(".theme select", "dark"))
      yield* Effect.promise(() => page.reload())
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
      const { faults, page } = yield* opened("/console")
      const rows = page.locator("tr[data-mint]")
      yield* Effect.promise(() => rows.nth(99).waitFor())
      assert.strictEqual(yield* Effect.promise(() => rows.count()), 100)
      yield* Effect.promise(() => page.click("text=Show more"))
      yield* Effect.promise(() => rows.nth(129).waitFor())
      assert.deepStrictEqual(faults, [])
    }).pipe(Effect.scoped))
})

const KEY = "an-admin-key-of-more-than-32-characters"
const guarded = TestServer.layer({ access: accessOf({ writeAuth: ["api-key"], adminKeys: [Redacted.make(KEY)] }) })

layer(guarded, { excludeTestServices: true })("Operate of a service with operators", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  test("asks for a key in words, shows what it may read, and stores none", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* opened("/console#/operate")
      yield* seen(page, "text=are shown to operators alone")
      assert.match(yield* textOf(page, "section:has(#rpc)"), /Not authenticated[^]*enter one of an operator/)
      yield* Effect.promise(() => page.fill(".key input", KEY))
      yield* Effect.promise(() => page.keyboard.press("Enter"))
      yield* seen(page, "section:has(#rpc) td >> text=in use")
      assert.strictEqual(yield* Effect.promise(() => page.inputValue(".key input")), "")
      const stored = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])"
      assert.notInclude(yield* Effect.promise(() => page.evaluate(stored)), KEY)
      // Chromium itself says what was answered with 401, and with 503: there are no notifications here.
      assert.deepStrictEqual(
        faults.filter((fault) => !/\b(401|503)\b/.test(fault)),
        [],
      )
      yield* Effect.promise(() => page.reload())
      yield* seen(page, "text=are shown to operators alone")
    }).pipe(Effect.scoped))
})

const deadEndpoint = TestServer.layer({ rpcUrl: "http://127.0.0.1:9" })

layer(deadEndpoint, { excludeTestServices: true })("Operate", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  test("shows an RPC endpoint that is dead, and what to do", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* opened("/console#/operate")
      yield* seen(page, "text=RPC endpoint primary is open")
      assert.match(yield* textOf(page, ".verdict"), /Not well/)
      assert.match(yield* textOf(page, ".findings"), /No RPC endpoint is in use[^]*RpcAllDown[^]*RpcEndpointDown/)
      assert.deepStrictEqual(faults, [])
    }).pipe(Effect.scoped))

  test("can be used by everybody, in both themes and on a phone", () =>
    Effect.gen(function* () {
      for (const look of LOOKS) {
        const shown = JSON.stringify(look)
        const { faults, page } = yield* opened("/console#/operate", look)
        yield* seen(page, "#rpc")
        assert.deepStrictEqual(yield* Effect.promise(() => seriousFaults(page)), [], shown)
        assert.isTrue(yield* isWithin(page), shown)
        assert.deepStrictEqual(faults, [], shown)
      }
    }).pipe(Effect.scoped))
})
