import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import { TestServer } from "../../service/test/TestServer.ts"
import { noteSkipped, PHONE, seriousFaults, startChromium, withoutChromium } from "./Chromium.ts"
import {
  connectWallet,
  does,
  enterDetails,
  fill,
  openedAt,
  ownFaults,
  press,
  seen,
  STICKING_OUT,
} from "./LaunchForm.ts"

let browser: Browser
beforeAll(async () => {
  noteSkipped("own figures of the console's launch screen in a browser")
  if (withoutChromium === undefined) browser = await startChromium()
})
afterAll(() => browser?.close())

layer(TestServer.layer({ faucet: true }), { excludeTestServices: true })("Own figures of a launch", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  test("are drawn as they are entered, stay after a reload, and are what is built", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer
      const { faults, page } = yield* openedAt(browser, url, { viewport: PHONE })
      const curve = "section:has(#launch-curve)"
      yield* does(() => page.check("input[value=own]"))
      yield* seen(page, `${curve} >> text=1,000,000,000 tokens`)
      yield* fill(page, "supply", "5000000")
      yield* seen(page, `${curve} >> text=5,000,000 tokens`)
      yield* fill(page, "startMarketCap", "500")
      yield* seen(page, "#launch-migrationMarketCap-issue >> text=1.1 to 10000 times")
      yield* seen(page, "text=The curve is drawn once these figures are valid")
      yield* fill(page, "startMarketCap", "30")
      yield* fill(page, "migrationMarketCap", "480")
      yield* seen(page, `${curve} >> text=16 times as much`)
      yield* fill(page, "fee", "0.1")
      yield* seen(page, "#launch-fee-issue >> text=0.25 to 99")
      yield* enterDetails(page)
      yield* connectWallet(page, true)
      yield* press(page, "Work out the cost")
      yield* seen(page, "[role=alert] >> text=Some fields need a change")
      yield* fill(page, "fee", "1.5")
      yield* does(() => page.check("#launch-poolMetadata"))
      yield* does(() => page.reload())
      yield* seen(page, `${curve} >> text=5,000,000 tokens`)
      assert.strictEqual(yield* does(() => page.inputValue("#launch-fee")), "1.5")
      assert.isTrue(yield* does(() => page.isChecked("#launch-poolMetadata")))
      const asked = page.waitForRequest("**/api/launch/create")
      yield* press(page, "Work out the cost")
      const { dbcConfig, poolMetadata } = (yield* does(() => asked)).postDataJSON()
      assert.isTrue(poolMetadata)
      assert.deepInclude(dbcConfig, { totalTokenSupply: "5000000", buildCurveMode: 0 })
      assert.strictEqual(dbcConfig.baseFeeParams.feeSchedulerParam.startingFeeBps, 150)
      yield* seen(page, "text=Rent of the pool's metadata")
      assert.deepStrictEqual(yield* does(() => seriousFaults(page)), [])
      assert.deepStrictEqual(yield* does(() => page.evaluate(STICKING_OUT)), [])
      assert.deepStrictEqual(ownFaults(faults), [])
    }).pipe(Effect.scoped))
})
