import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Page } from "playwright-core"
import { SEEDED_MINTS } from "../../chain/src/localnet/SeedAccounts.ts"
import { indexTrades, ordinalOf, sampleTrade } from "../../server/test/launch/IndexedTrades.ts"
import { commitChanges, sampleChange } from "../../server/test/stream/IndexChanges.ts"
import { seededDraft, SOL } from "../../service/test/Samples.ts"
import { TestServer } from "../../service/test/TestServer.ts"
import { INTERVALS } from "../src/browser/token/Candles.ts"
import { openPage, PHONE, seriousFaults, withoutChromium } from "./Chromium.ts"
import { suiteBrowser } from "./SuiteBrowser.ts"

const browser = suiteBrowser("the chart of a token in a browser")

const MINT = SEEDED_MINTS.spl
const SQRT_PRICE = 98_362_933_813_224_380n
/** The minute that these tests run in, in seconds. */
const NOW = Math.floor(Date.now() / 60_000) * 60
const PRICES = { url: Redacted.make("http://127.0.0.1:9/") }

const opened = (look = {}) =>
  Effect.acquireRelease(
    Effect.flatMap(TestServer, ({ url }) =>
      Effect.promise(() => openPage(browser(), `${url}/console#/token/${MINT}`, look)),
    ),
    ({ page }) => Effect.promise(() => page.context().close()),
  )
const seen = (page: Page, selector: string) => Effect.promise(() => page.waitForSelector(selector))

const tradeAt = (slot: number, venue: "dbc" | "damm_v2", seconds: number, nextSqrtPrice = SQRT_PRICE) =>
  sampleTrade({
    ...{ baseMint: MINT, ordinal: ordinalOf(300_000_000n + BigInt(slot)), venue, nextSqrtPrice: String(nextSqrtPrice) },
    blockTime: new Date(seconds * 1_000),
  })

layer(TestServer.layer({ stage: "migrated", prices: PRICES }), { excludeTestServices: true })(
  "The chart of a graduated token",
  (it) => {
    const test = withoutChromium === undefined ? it.effect : it.effect.skip

    test("marks where the curve was completed, in every interval, and names each trade's venue", () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const { body } = yield* request(`/api/launch/pool/state/${MINT}`)
        const at = Number(body.data.finishCurveTimestamp)
        assert.isAbove(at, 0)
        yield* request("/api/tokens", { json: seededDraft(MINT) })
        yield* indexTrades([
          tradeAt(10, "damm_v2", NOW),
          ...[tradeAt(1, "dbc", at - 200_000), tradeAt(2, "dbc", at - 4_000), tradeAt(3, "dbc", at)],
          ...[tradeAt(4, "damm_v2", at + 7_000), tradeAt(5, "damm_v2", at + 90_000)],
        ])
        const { faults, page } = yield* opened()
        for (const [interval, seconds] of Object.entries(INTERVALS)) {
          yield* Effect.promise(() => page.click(`.choice >> text="${interval}"`))
          yield* seen(page, `.canvas[data-marked="${at - (at % seconds)}"]`)
        }
        yield* seen(page, ".completion >> text=Graduated to DAMM v2")
        const venues = yield* Effect.promise(() => page.locator(".trades tbody tr td:nth-child(7)").allInnerTexts())
        assert.deepStrictEqual(venues, ["DAMM v2", "DAMM v2", "DAMM v2", "curve", "curve", "curve"])
        assert.deepStrictEqual(faults, [])
      }).pipe(Effect.scoped))

    test("is in US dollars where the service knows them, and follows trades", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const before = yield* opened()
        yield* seen(before.page, "#chart")
        yield* seen(before.page, ".trades tbody tr")
        assert.strictEqual(yield* Effect.promise(() => before.page.locator("text=USD").count()), 0)
        const minute = new Date(NOW * 1_000)
        yield* sql`insert into quote_prices ${sql.insert({ quoteMint: SOL, minute, usd: "150", readAt: minute })}`
        const { faults, page } = yield* opened({ viewport: PHONE })
        yield* Effect.promise(() => page.click(".choice >> text=USD"))
        yield* seen(page, "#chart >> text=Price in US dollars")
        yield* seen(page, '.canvas[data-candles="1"]')
        const answered = page.waitForResponse((response) => response.url().includes("figure=marketCapUsd"))
        yield* Effect.promise(() => page.click(".choice >> text=Market cap"))
        assert.strictEqual((yield* Effect.promise(() => answered)).status(), 200)
        yield* seen(page, "#chart >> text=Market cap in US dollars")
        // A trade of the stream has no price in US dollars: the candles are read.
        yield* seen(page, ".live span")
        const read = page.waitForResponse((response) => response.url().includes("figure=marketCapUsd"))
        yield* commitChanges(sampleChange("trade", MINT, { time: minute.toISOString() }))
        assert.strictEqual((yield* Effect.promise(() => read)).status(), 200)
        assert.deepStrictEqual(yield* Effect.promise(() => seriousFaults(page)), [])
        assert.isTrue(yield* Effect.promise(() => page.evaluate("document.documentElement.scrollWidth <= innerWidth")))
        assert.deepStrictEqual(faults, [])
      }).pipe(Effect.scoped))
  },
)
