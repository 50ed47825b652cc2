import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { listings } from "../../../../packages/server/src/markets/Listings.ts"
import { refreshPrices } from "../../../../packages/server/src/prices/RefreshPrices.ts"
import {
  indexPool,
  indexTrades,
  learnCurve,
  sampleTrade,
} from "../../../../packages/server/test/launch/IndexedTrades.ts"
import { PriceStandIn } from "../../../../packages/server/test/prices/PriceStandIn.ts"
import { sampleAddress, sampleWallet, SOL } from "../../../../packages/service/test/Samples.ts"
import { TestServer } from "../../../../packages/service/test/TestServer.ts"
import { withoutChromium } from "./Chromium.ts"
import { does, openApp, ownFaults, press, seen, textOf } from "./OpenApp.ts"
import { suiteBrowser } from "./SuiteBrowser.ts"

const browser = suiteBrowser("a token of a public network in a browser")
const [mint, config] = [sampleAddress(), sampleAddress()]
/** 0.00000000125 SOL for a token of six decimals: 1.25 SOL for a supply of a billion. */
const traded = sampleTrade({ baseMint: mint, nextSqrtPrice: "20624086856177975", blockTime: new Date() })

/** A registry of devnet whose SOL is at 147.25 dollars, with a token that was traded. */
const served = Layer.unwrap(
  Effect.gen(function* () {
    const source = yield* PriceStandIn.make
    source.prices.set(SOL, 147.25)
    const market = Effect.gen(function* () {
      yield* indexPool(mint, { config, decimals: 6 })
      yield* learnCurve(config)
      yield* indexTrades([traded])
      yield* Effect.flatten(refreshPrices(source.options))
      yield* listings(yield* SqlClient).step
    })
    const server = TestServer.layer({ network: "devnet", prices: source.options })
    return Layer.provideMerge(Layer.effectDiscard(market), server)
  }),
)

/** A wallet of Wallet Standard that a browser has, with an account that was never paid. */
const WALLET = `
  const account = { address: "${sampleWallet()}", chains: ["solana:devnet"], features: [], publicKey: new Uint8Array(32) }
  const features = {
    "standard:connect": { version: "1.0.0", connect: async () => ({ accounts: [account] }) },
    "solana:signTransaction": { version: "1.0.0", supportedTransactionVersions: ["legacy", 0] },
  }
  const wallet = { version: "1.0.0", name: "Harbour Wallet", icon: "data:image/svg+xml,", chains: account.chains, features, accounts: [] }
  addEventListener("wallet-standard:app-ready", ({ detail }) => detail.register(wallet))`

layer(served, { excludeTestServices: true })("A token of a public network with a source of prices", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  test("is shown in dollars, on the board and on its page", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* openApp(browser())
      yield* seen(page, `[data-mint="${mint}"] >> text=$184`)
      yield* does(() => page.click(`[data-mint="${mint}"]`))
      yield* seen(page, "main dl >> text=$184")
      assert.match(
        yield* textOf(page, "main dl"),
        /Price\s+\$0\.0₆1841\s+0\.0₈125 SOL\s+Market cap\s+\$184\s+1\.25 SOL/,
      )
      yield* press(page, "USD")
      yield* seen(page, `[role=img][data-candles="1"][aria-label*="Market cap in US dollars"]`)
      assert.deepStrictEqual(ownFaults(faults), [])
    }).pipe(Effect.scoped))

  test("has links to the explorer, for the cluster of the registry", () =>
    Effect.gen(function* () {
      const { page } = yield* openApp(browser(), `token/${mint}`)
      yield* seen(page, `a[href="https://solscan.io/account/${mint}?cluster=devnet"]`)
      yield* seen(page, `a[href="https://solscan.io/tx/${traded.signature}?cluster=devnet"]`)
    }).pipe(Effect.scoped))

  test("keeps what is to be swapped when a window gets as narrow as a phone", () =>
    Effect.gen(function* () {
      const { page } = yield* openApp(browser(), `token/${mint}`)
      yield* does(() => page.fill("input[name=amount]", "1.5"))
      yield* does(() => page.setViewportSize({ width: 360, height: 800 }))
      yield* does(() => page.click('button:text-matches("^Buy ")'))
      assert.strictEqual(yield* does(() => page.inputValue("dialog input[name=amount]")), "1.5")
    }).pipe(Effect.scoped))

  test("says that a wallet lacks SOL, which no faucet gives", () =>
    Effect.gen(function* () {
      const { page } = yield* openApp(browser(), `token/${mint}`)
      yield* does(() => page.addInitScript(WALLET))
      yield* does(() => page.reload())
      yield* does(() => page.click("form button:has-text('Harbour Wallet')"))
      yield* seen(page, "form >> text=send SOL of devnet to it first")
      assert.notInclude(yield* textOf(page, "form"), "Get 10 SOL")
    }).pipe(Effect.scoped))
})
