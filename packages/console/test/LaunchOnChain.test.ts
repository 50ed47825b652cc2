import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll, beforeAll } from "vitest"
import type { Browser, Route } from "playwright-core"
import { localService } from "../../service/test/StartedService.ts"
import { formatDecimal } from "../src/browser/Format.ts"
import { curveOf } from "../src/browser/launch/Curve.ts"
import { termsOf } from "../src/browser/launch/CurvePresets.ts"
import { closePages, noteSkipped, seriousFaults, startedChromium, withoutChromium } from "./Chromium.ts"
import {
  chooseImage,
  connectWallet,
  does,
  enterDetails,
  fill,
  openedAt,
  ownFaults,
  press,
  refusal,
  seen,
} from "./LaunchForm.ts"

/** Program files are under a licence that keeps them out of the repository; see CONTRIBUTING. */
const PROGRAMS = join(import.meta.dirname, "../../../programs")
const hasPrograms = ["dynamic_bonding_curve.so", "metaplex.so"].every((file) => existsSync(join(PROGRAMS, file)))

let browser: Browser
beforeAll(async () => {
  noteSkipped("a launch from the console")
  if (!hasPrograms) process.stderr.write("Skipped a launch from the console: there are no program files\n")
  if (withoutChromium === undefined) browser = await startedChromium()
})
afterAll(closePages)

describe("A launch from the console (needs Chromium and the program files)", () => {
  it.live.skipIf(!hasPrograms || withoutChromium !== undefined)(
    "is signed, lands and is registered once, whatever answers are lost and however often the page is opened again",
    () =>
      Effect.gen(function* () {
        const url = yield* Effect.map(localService(PROGRAMS), ({ url }) => url)
        // oxlint-disable-next-line typescript/no-explicit-any
        const ask = (path: string): Effect.Effect<any> => does(async () => (await fetch(`${url}${path}`)).json())
        // oxlint-disable-next-line typescript/no-explicit-any
        const listed = (path: string): Effect.Effect<ReadonlyArray<any>> =>
          Effect.flatMap(ask(path), ({ data }) =>
            data?.length > 0 ? Effect.succeed(data) : Effect.andThen(Effect.sleep(100), listed(path)),
          )
        const { faults, page } = yield* openedAt(browser, url)
        const signer = yield* connectWallet(page, true)
        yield* chooseImage(page)
        yield* seen(page, ".stored img")
        yield* enterDetails(page)
        yield* does(() => page.click("text=Small raise"))
        yield* fill(page, "firstBuy", "0.5")
        const drawn = yield* does(() => page.locator("[aria-label='What the curve raises'] tr").allInnerTexts())
        yield* press(page, "Work out the cost")
        yield* seen(page, "text=The first buy gives")

        // The service gets the first transaction, and its answer is lost.
        const lose = async (route: Route): Promise<void> => {
          await route.fetch()
          await route.abort()
        }
        yield* does(() => page.route("**/api/launch/submit", lose, { times: 1 }))
        yield* press(page, "Sign and launch")
        yield* seen(page, "[role=alert] >> text=The service does not answer")
        const stored = "JSON.stringify({ ...localStorage })"
        assert.notMatch(yield* does(() => page.evaluate<string>(stored)), /secret|keypair/i)
        yield* does(() => page.reload())
        yield* seen(page, "li:has-text('creates the curve') >> .well")
        // Nobody is asked to sign without having asked for it.
        yield* seen(page, "li:has-text('creates the token') >> text=waits for your signature")

        const busy = refusal("upstream_unavailable", "The database does not answer")
        const isPost = (route: Route) => (route.request().method() === "POST" ? route.fulfill(busy) : route.fallback())
        yield* does(() => page.route("**/api/tokens", isPost))
        yield* press(page, "Go on")
        yield* seen(page, "li:has-text('creates the token') >> .well")
        yield* seen(page, "[role=alert] >> text=The database does not answer")
        yield* does(() => page.unroute("**/api/tokens"))
        yield* does(() => page.reload())
        yield* seen(page, "text=Harbour is launched")
        assert.deepStrictEqual(yield* does(() => seriousFaults(page)), [])

        const link = yield* does(() => page.getAttribute("a:text-is('Open HARB')", "href"))
        const mint = link!.slice("#/token/".length)
        const { data: token } = yield* ask(`/api/tokens/mint/${mint}`)
        assert.deepInclude(token, {
          ...{ name: "Harbour", symbol: "HARB", description: "A token of the harbour", owner: signer },
          ...{ launchpad: "launchpad_b", decimals: 6, totalSupply: "1000000000" },
        })
        assert.strictEqual(token.metadata.website, "https://example.com")
        assert.include(token.metadata.tokenUri, "/ipfs/")
        // The index follows within a second.
        assert.lengthOf(yield* listed(`/api/launch/pool/${mint}/trades`), 1)
        const launches = yield* listed(`/api/launch/pools?creator=${signer}&registered=any&sort=newest`)
        assert.deepStrictEqual(
          launches.map(({ mintAddress }: { readonly mintAddress: string }) => mintAddress),
          [mint],
        )

        // The curve that was drawn is the one on chain.
        const { data: config } = yield* ask(`/api/launch/pool/config/${mint}`)
        const [, ...rows] = drawn.map((row) => row.split("\t"))
        assert.strictEqual(rows.at(-1)![0], `${formatDecimal("20")} SOL`)
        assert.strictEqual(rows.at(-1)![2], `${formatDecimal(config.migrationPrice)} SOL`)
        const curve = curveOf(termsOf("small"))
        assert.strictEqual(config.migrationQuoteThreshold, String(curve.threshold))
        const start = BigInt(config.sqrtStartPrice) - curve.sqrtStartPrice
        assert.isTrue(start >= -1n && start <= 1n, String(start))
        assert.deepStrictEqual(ownFaults(faults), [])

        yield* press(page, "Launch another token")
        assert.strictEqual(yield* does(() => page.inputValue("#launch-name")), "")
      }).pipe(Effect.scoped),
  )
})
