import { assert, layer } from "@effect/vitest"
import { SEEDED_MINTS } from "../../chain/src/localnet/SeedAccounts.ts"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { indexTrades, ordinalOf, sampleTrade } from "../../server/test/launch/IndexedTrades.ts"
import { commitChanges, sampleChange } from "../../server/test/stream/IndexChanges.ts"
import { sampleAddress, seededDraft, tokenDraft } from "../../service/test/Samples.ts"
import { TestServer } from "../../service/test/TestServer.ts"
import { DESKTOP, openPage, PHONE, seriousFaults, withoutChromium } from "./Chromium.ts"
import { suiteBrowser } from "./SuiteBrowser.ts"

const browser = suiteBrowser("the console's token screen in a browser")

type Look = NonNullable<Parameters<typeof openPage>[2]>
const LOOKS = [
  { colorScheme: "light", viewport: DESKTOP },
  { colorScheme: "dark", viewport: DESKTOP },
  { colorScheme: "light", viewport: PHONE },
  { colorScheme: "dark", viewport: PHONE },
] as const

const opened = (mint: string, look?: Look) =>
  Effect.acquireRelease(
    Effect.flatMap(TestServer, ({ url }) =>
      Effect.promise(() => openPage(browser(), `${url}/console#/token/${mint}`, look)),
    ),
    ({ page }) => Effect.promise(() => page.context().close()),
  )

const does = <A>(work: () => Promise<A>) => Effect.promise(work)
const seen = (page: Page, selector: string) => does(() => page.waitForSelector(selector))

/** Nothing sticks out at the side of a phone. */
const isWithin = (page: Page) => does(() => page.evaluate("document.documentElement.scrollWidth <= innerWidth"))

const { spl: MINT, token2022: OTHER } = SEEDED_MINTS
const FIRST_TRADE = Date.parse("2026-11-18T00:00:00Z")
const FIVE_MINUTES = 300_000
/** More than a page of candles, and two of trades. */
const TRADES = 520
/** A little above the price of the seeded curve at its start. */
const SQRT_PRICE = 98_362_933_813_224_380n

/** A trade in each of so many candles of five minutes, up and down. */
const manyTrades = () =>
  Array.from({ length: TRADES }, (_, index) =>
    sampleTrade({
      ...{ baseMint: MINT, ordinal: ordinalOf(300_000_000n + BigInt(index)), side: index % 3 === 0 ? "SELL" : "BUY" },
      nextSqrtPrice: String(SQRT_PRICE + (SQRT_PRICE / 500n) * BigInt(index % 40)),
      blockTime: new Date(FIRST_TRADE + index * FIVE_MINUTES),
    }),
  )

const candleCount = (page: Page, count: number) => seen(page, `.canvas[data-candles="${count}"]`)
const rowCount = (page: Page) => does(() => page.locator(".trades tbody tr").count())

/** Whether the chart has a pixel of the theme's colour of this name. */
const isDrawn = (page: Page, name: string) =>
  does(() =>
    page.evaluate(`(() => {
      const probe = document.body.appendChild(document.createElement("span"))
      probe.style.color = "var(${name})"
      const [red, green, blue] = getComputedStyle(probe).color.match(/\\d+/g).map(Number)
      probe.remove()
      for (const canvas of document.querySelectorAll(".canvas canvas")) {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width || 1, canvas.height || 1)
        for (let at = 0; at < data.length; at += 4)
          if (data[at] === red && data[at + 1] === green && data[at + 2] === blue && data[at + 3] === 255) return true
      }
      return false
    })()`),
  )

layer(TestServer.layer({ faucet: true }), { excludeTestServices: true })("A token", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  test("has states for what is not there", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { faults, page } = yield* opened("not-a-mint")
      const at = (mint: string) => does(() => page.evaluate(`location.hash = "#/token/${mint}"`))
      yield* seen(page, "text=This is not the address of a mint")
      yield* at(sampleAddress())
      yield* seen(page, "text=knows a token at")
      const draft = tokenDraft({ name: "Without a pool", symbol: "NOPL" })
      assert.strictEqual((yield* request("/api/tokens", { json: draft })).status, 201)
      yield* at(draft.mintAddress)
      yield* seen(page, "h1 >> text=NOPL")
      yield* seen(page, "text=It is registered and has no pool yet")
      yield* at(OTHER)
      yield* seen(page, ".chart >> text=No trade yet")
      yield* seen(page, "section:has(#trades) >> text=No trade yet")
      yield* seen(page, "h1 >> text=not registered")
      // Chromium itself says what was answered with 404.
      assert.deepStrictEqual(
        faults.filter((fault) => !fault.includes("404")),
        [],
      )
    }).pipe(Effect.scoped))

  test("draws candles and lists trades, the older ones when asked, and those that arrive", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      yield* request("/api/tokens", { json: seededDraft(MINT) })
      yield* indexTrades(manyTrades())
      const { faults, page } = yield* opened(MINT)
      yield* candleCount(page, 500)
      yield* seen(page, ".live span")
      assert.strictEqual(yield* rowCount(page), 50)
      yield* does(() => page.click("text=Show older"))
      yield* seen(page, ".trades tbody tr:nth-child(100)")
      // The chart asks for older candles by itself when one goes back.
      for (let presses = 0; presses < 17; presses++) yield* does(() => page.click("text=Earlier"))
      yield* candleCount(page, TRADES)
      yield* does(() => page.click(".under >> text=Latest"))
      assert.isTrue(yield* isDrawn(page, "--good"))

      const signature = sampleAddress()
      const time = new Date(FIRST_TRADE + TRADES * FIVE_MINUTES).toISOString()
      const sqrtPrice = String(SQRT_PRICE * 2n)
      const trade = { slot: "900000000", signature, time, sqrtPrice, quoteAmount: "1234567890", side: "SELL" }
      yield* commitChanges(sampleChange("trade", MINT, trade))
      yield* seen(page, `.trades tbody tr:first-child[data-signature="${signature}"]`)
      yield* candleCount(page, TRADES + 1)
      const row = yield* does(() => page.innerText(".trades tbody tr:first-child"))
      assert.match(row, /Sell[^]*1\.2346 SOL/)
      const price = ".trades tbody tr:first-child td:nth-child(3) span"
      const exactly = yield* does(() => page.getAttribute(price, "title"))
      yield* seen(page, `section:has(#market) dd span[title="${exactly}"]`)

      // A rollback takes it away again; the chart is read.
      yield* commitChanges(sampleChange("revert", MINT, { signature }))
      yield* candleCount(page, TRADES)
      yield* does(() => page.waitForSelector(`[data-signature="${signature}"]`, { state: "detached" }))

      yield* does(() => page.click(".choice >> text=1h"))
      yield* candleCount(page, Math.ceil((TRADES * FIVE_MINUTES) / 3_600_000))
      yield* does(() => page.click(".choice >> text=Market cap"))
      yield* seen(page, "#chart >> text=Market cap in SOL")
      yield* candleCount(page, Math.ceil((TRADES * FIVE_MINUTES) / 3_600_000))
      assert.deepStrictEqual(faults, [])
    }).pipe(Effect.scoped))

  test("says what a curve is, and what to know of it, in words", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* opened(MINT)
      yield* seen(page, "section:has(#curve) >> text=Meteora DAMM v2")
      const curve = yield* does(() => page.innerText("section:has(#curve)"))
      assert.match(curve, /Trading fee[^]*%[^]*Raises[^]*SOL[^]*Liquidity of that pool[^]*%/)
      yield* seen(page, ".flags li")
      assert.match(yield* does(() => page.innerText(".flags")), /can mint more tokens[^]*freeze/)
      yield* seen(page, ".holders tbody tr, section:has(#holders) .state:not(:has(.spinner))")
      assert.deepStrictEqual(faults, [])
    }).pipe(Effect.scoped))

  test("quotes a swap as one types, and says what is wrong with it", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* opened(MINT)
      const typed = (text: string) => does(() => page.fill("[name=amount]", text))
      yield* seen(page, ".swap")
      yield* typed("1.23.4")
      yield* seen(page, ".problem >> text=Enter a number such as 1.5")
      yield* typed("0.0000000001")
      yield* seen(page, ".problem >> text=9 decimal places at most")
      yield* typed("0.5")
      yield* seen(page, ".quote >> text=You receive about")
      const [wide] = yield* does(() => page.locator(".quote dd span").allInnerTexts())
      assert.match(wide!, /^[\d.,KMB₀-₉]+ \S/)
      yield* does(() => page.fill("[name=slippage]", "101"))
      yield* seen(page, ".problem >> text=Slippage is a percentage")
      yield* does(() => page.fill("[name=slippage]", "3"))
      yield* seen(page, ".quote >> text=with 3% slippage")
      assert.isTrue(yield* does(() => page.isDisabled(".go")))
      // The wallet has nothing: what it lacks is said before it signs.
      yield* does(() => page.click("text=Connect a wallet"))
      yield* does(() => page.click("button >> text=Test wallet"))
      yield* does(() => page.keyboard.press("Escape"))
      yield* does(() => page.click(".go"))
      yield* seen(page, ".outcome.bad >> text=SOL")
      assert.deepStrictEqual(faults, [])
    }).pipe(Effect.scoped))

  test("can be used by everybody, in both themes and on a phone", () =>
    Effect.gen(function* () {
      for (const look of LOOKS) {
        const shown = JSON.stringify(look)
        const { faults, page } = yield* opened(MINT, look)
        yield* seen(page, ".trades tbody tr")
        yield* does(() => page.fill("[name=amount]", "0.5"))
        yield* seen(page, ".quote")
        yield* seen(page, ".flags li")
        yield* seen(page, "#curve")
        assert.deepStrictEqual(yield* does(() => seriousFaults(page)), [], shown)
        assert.isTrue(yield* isWithin(page), shown)
        assert.deepStrictEqual(faults, [], shown)
      }
    }).pipe(Effect.scoped))
})

layer(TestServer.layer({ stage: "complete" }), { excludeTestServices: true })("A complete curve", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  test("takes no swaps, and the screen says why", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* opened(MINT)
      yield* seen(page, "section:has(#market) >> text=waits for its migration")
      yield* does(() => page.fill("[name=amount]", "1"))
      yield* seen(page, ".problem >> text=until then there are no swaps")
      // Chromium itself says what was answered with 404 and 409.
      assert.deepStrictEqual(
        faults.filter((fault) => !/404|409/.test(fault)),
        [],
      )
    }).pipe(Effect.scoped))
})

layer(TestServer.layer({ stage: "migrated" }), { excludeTestServices: true })("A graduated token", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  test("shows the pool that trading continues in", () =>
    Effect.gen(function* () {
      const { page } = yield* opened(MINT)
      yield* seen(page, "section:has(#migrated) >> text=Meteora DAMM v2")
      yield* does(() => page.fill("[name=amount]", "1"))
      yield* seen(page, ".quote >> text=You receive about")
    }).pipe(Effect.scoped))
})

layer(TestServer.layer({ rpcUrl: "http://127.0.0.1:9" }), { excludeTestServices: true })("A dead chain", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  test("hides no registered token, and is said", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const draft = tokenDraft({ name: "Still here", symbol: "HERE" })
      yield* request("/api/tokens", { json: draft })
      const { page } = yield* opened(draft.mintAddress)
      yield* seen(page, "h1 >> text=HERE")
      yield* seen(page, "[role=alert] >> text=Try again")
      yield* does(() => page.context().setOffline(true))
      yield* seen(page, "text=This browser is offline")
    }).pipe(Effect.scoped))
})
