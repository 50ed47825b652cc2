import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page, Route } from "playwright-core"
import { noisePng } from "../../../../packages/service/test/NoisePng.ts"
import { commandOutput } from "../../../../packages/service/test/CommandOutput.ts"
import { localService } from "../../../../packages/service/test/StartedService.ts"
import { axeFaults, noteSkipped, openPage, PHONE, startedChromium, withoutChromium } from "./Chromium.ts"
import { does, ownFaults, press, seen, STICKING_OUT, textOf } from "./OpenApp.ts"

/** Program files are under a licence that keeps them out of the repository; see CONTRIBUTING. */
const PROGRAMS = join(import.meta.dirname, "../../../../programs")
const hasPrograms = ["dynamic_bonding_curve.so", "metaplex.so"].every((file) => existsSync(join(PROGRAMS, file)))
noteSkipped("a launch in the launchpad")
if (!hasPrograms) process.stderr.write("Skipped a launch in the launchpad: there are no program files\n")

const PICTURE = { name: "token.png", mimeType: "image/png", buffer: Buffer.from(noisePng(1, 64)) }

const DEMO = join(import.meta.dirname, "../../../../demo/main.ts")
const LANDED = "[data-state=confirmed], [data-state=finalized]"

/** Everybody can use what is shown, and nothing of it is cut. */
const isSound = Effect.fnUntraced(function* (page: Page) {
  assert.deepStrictEqual(yield* does(() => axeFaults(page)), [])
  assert.deepStrictEqual(yield* does(() => page.evaluate(STICKING_OUT)), [])
})

const opened = (url: string, look?: Parameters<typeof openPage>[2]) =>
  Effect.acquireRelease(
    does(async () => openPage(await startedChromium(), url, look)),
    ({ page }) => does(() => page.context().close()),
  )

/** Connects the test wallet of this browser, which is given SOL. */
const connectWallet = Effect.fnUntraced(function* (page: Page) {
  yield* does(() => page.click("header button:has-text('Connect')"))
  yield* press(page, "Test wallet")
  yield* does(() => page.click("header button:has-text('…')"))
  yield* press(page, "Get 10 SOL")
  yield* seen(page, "text=The wallet has 10 SOL more")
  const address = yield* textOf(page, "#wallet code")
  yield* does(() => page.keyboard.press("Escape"))
  return address
})

describe.skipIf(!hasPrograms || withoutChromium !== undefined)(
  "A launch in the launchpad (needs Chromium and the program files)",
  () => {
    it.live("is signed once, survives lost answers and a reload, is traded, and is in the portfolio", () =>
      Effect.gen(function* () {
        const { url } = yield* localService(PROGRAMS)
        const { faults, page } = yield* opened(`${url}/console#/launch`)
        const signer = yield* connectWallet(page)

        // What is missing is said at its field, and has the focus.
        yield* press(page, "Launch")
        yield* seen(page, "input[name=name][aria-invalid=true]:focus")
        yield* isSound(page)
        yield* does(() => page.setInputFiles("input[type=file]", PICTURE))
        yield* does(() => page.fill("[name=name]", "Harbour"))
        yield* does(() => page.fill("[name=symbol]", "HARB"))
        yield* does(() => page.fill("[name=description]", "A token of the harbour"))
        yield* does(() => page.click("text=20 SOL"))
        yield* does(() => page.fill("[name=firstBuy]", "0.5"))
        yield* seen(page, "text=You get about")

        // The registry gets the transaction, and its answer is lost.
        const lose = async (route: Route): Promise<void> => {
          await route.fetch()
          await route.abort()
        }
        yield* does(() => page.route("**/api/launch/submit", lose, { times: 1 }))
        yield* press(page, "Launch")
        yield* seen(page, "text=Harbour is live")
        const stored = "JSON.stringify({ ...localStorage })"
        assert.notMatch(yield* does(() => page.evaluate<string>(stored)), /secret|keypair/i)
        yield* does(() => page.reload())
        yield* seen(page, "text=Launch another token")
        yield* isSound(page)

        // The token, its first buy, one more, and a sale of half.
        yield* does(() => page.click("a:text-is('Open HARB')"))
        yield* seen(page, "canvas")
        yield* seen(page, "tr[data-signature]")
        const trades = () => does(() => page.locator("tr[data-signature]").count())
        assert.strictEqual(yield* trades(), 1)
        assert.match(yield* textOf(page, "main dl"), /Since launch[^]*1 trade\b/)
        yield* press(page, "1")
        yield* press(page, "Buy HARB")
        yield* seen(page, LANDED)
        yield* does(() => page.locator("tr[data-signature]").nth(1).waitFor())
        yield* press(page, "Sell")
        yield* press(page, "50%")
        yield* press(page, "Sell HARB")
        yield* seen(page, LANDED)
        yield* does(() => page.locator("tr[data-signature]").nth(2).waitFor())
        yield* isSound(page)

        yield* does(() => page.click("nav >> text=Portfolio"))
        yield* seen(page, `a[href*="token/"] >> text=HARB`)
        yield* isSound(page)
        const mint = (yield* does(() => page.getAttribute("a[href*='token/']", "href")))!.split("/").at(-1)!
        const token = yield* does(
          async () => (await (await fetch(`${url}/api/tokens/mint/${mint}`)).json()) as { readonly data: object },
        )
        assert.deepInclude(token.data, { name: "Harbour", symbol: "HARB", owner: signer, launchpad: "launchpad_a" })
        assert.deepStrictEqual(ownFaults(faults), [])

        // On a phone the swap is in a sheet.
        const phone = yield* opened(`${url}/console#/token/${mint}`, { colorScheme: "dark", viewport: PHONE })
        yield* seen(phone.page, "tr[data-signature]")
        yield* isSound(phone.page)
        yield* press(phone.page, "Buy HARB")
        yield* seen(phone.page, "dialog[open] input[name=amount]")
        yield* isSound(phone.page)
        assert.deepStrictEqual(ownFaults(phone.faults), [])
      }).pipe(Effect.scoped),
    )

    it.live("is bought and sold after it has graduated, by a wallet that had no SOL", () =>
      Effect.gen(function* () {
        const { chainUrl, url } = yield* localService(PROGRAMS)
        const one = ["--launches", "1", "--wallets", "1", "--trades", "2", "--rate", "100"]
        const { out } = yield* does(() => commandOutput(DEMO, ["--api", url, "--chain", chainUrl, ...one]))
        const [, mint] = /\/t\/(\w+)$/m.exec(out) ?? assert.fail(out)
        const { faults, page } = yield* opened(`${url}/console#/token/${mint}`)
        yield* seen(page, "text=It trades in a pool of Meteora")
        yield* press(page, "Buy")
        yield* does(() => page.click("form button:has-text('Test wallet')"))
        yield* seen(page, "form >> text=The wallet has no SOL")
        yield* isSound(page)
        yield* does(() => page.click("form button:text-is('Get 10 SOL')"))
        yield* seen(page, "form >> text=You have 10 SOL")

        const asked: Array<unknown> = []
        page.on("request", (request) => {
          if (request.url().endsWith("/api/launch/swap")) asked.push(request.postDataJSON().priorityFee)
        })
        yield* press(page, "1")
        const words =
          /You receive about\s+[\d.,]+ HARB[^]*At least[^]*[\d.,]+ HARB[^]*Price impact\s+[\d.]+%[^]*Fee[^]*\d/
        yield* seen(page, "form dl >> text=At least")
        assert.match(yield* textOf(page, "form dl"), words)
        yield* press(page, "Buy HARB")
        yield* seen(page, LANDED)
        yield* seen(page, "[data-state=finalized] >> text=It is swapped")
        assert.notInclude(yield* textOf(page, "form"), "The wallet has no SOL")

        yield* press(page, "Sell")
        yield* does(() => page.click("summary:has-text('Slippage')"))
        yield* press(page, "Fastest")
        yield* isSound(page)
        yield* press(page, "Max")
        yield* press(page, "Sell HARB")
        yield* seen(page, "[data-state=finalized]")
        yield* seen(page, "form >> text=You have 0 HARB")
        assert.deepStrictEqual(asked, [undefined, "high"])
        const sides = yield* does(() => page.locator("tr[data-signature]").allInnerTexts())
        assert.match(sides[0]!, /Sell/)
        assert.match(sides[1]!, /Buy/)
        assert.deepStrictEqual(ownFaults(faults), [])
      }).pipe(Effect.scoped),
    )
  },
)
