import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it as itEffect, layer } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { afterAll, beforeAll } from "vitest"
import type { Browser, Page, Route } from "playwright-core"
import { noisePng } from "../../service/test/NoisePng.ts"
import { answering, freePort, run } from "../../service/test/RunningService.ts"
import { TestServer } from "../../service/test/TestServer.ts"
import { formatDecimal } from "../src/browser/Format.ts"
import { curveOf } from "../src/browser/launch/Curve.ts"
import { termsOf } from "../src/browser/launch/CurvePresets.ts"
import { DESKTOP, noteSkipped, openPage, PHONE, seriousFaults, startChromium, withoutChromium } from "./Chromium.ts"

/** Program files are under a licence that keeps them out of the repository; see CONTRIBUTING. */
const PROGRAMS = join(import.meta.dirname, "../../../programs")
const hasPrograms = ["dynamic_bonding_curve.so", "metaplex.so"].every((file) => existsSync(join(PROGRAMS, file)))

let browser: Browser
beforeAll(async () => {
  noteSkipped("the console's launches in a browser")
  if (!hasPrograms) process.stderr.write("Skipped the console's launch on chain: there are no program files\n")
  if (withoutChromium === undefined) browser = await startChromium()
})
afterAll(() => browser?.close())

const does = <A>(work: () => Promise<A>) => Effect.promise(work)

const openedAt = (url: string, look?: Parameters<typeof openPage>[2]) =>
  Effect.acquireRelease(
    does(() => openPage(browser, `${url}/console#/launch`, look)),
    ({ page }) => does(() => page.context().close()),
  )
const opened = (look?: Parameters<typeof openPage>[2]) => Effect.flatMap(TestServer, ({ url }) => openedAt(url, look))

/** Data behind the end of the picture, as cameras and editors leave it there. */
const LEFT_BEHIND = 100
const PICTURE = {
  name: "token.png",
  mimeType: "image/png",
  buffer: Buffer.concat([noisePng(1, 64), Buffer.alloc(LEFT_BEHIND, "x")]),
}

const chooseImage = (page: Page, file = PICTURE) => does(() => page.setInputFiles("input[type=file]", file))
const fill = (page: Page, field: string, text: string) => does(() => page.fill(`#launch-${field}`, text))
const press = (page: Page, name: string) => does(() => page.click(`button:text-is("${name}"):enabled`))
const seen = (page: Page, selector: string) => does(() => page.waitForSelector(selector))

const connectWallet = Effect.fnUntraced(function* (page: Page, isFilled: boolean) {
  yield* press(page, "Connect a wallet")
  yield* press(page, "Test wallet")
  yield* seen(page, "#wallet-menu code")
  const address = yield* does(() => page.innerText("#wallet-menu code"))
  if (isFilled) {
    yield* press(page, "Get 10 SOL")
    yield* seen(page, "text=The wallet has 10 SOL more")
  }
  yield* does(() => page.keyboard.press("Escape"))
  return address
})

const enterDetails = Effect.fnUntraced(function* (page: Page) {
  yield* fill(page, "name", "Harbour")
  yield* fill(page, "symbol", "HARB")
  yield* fill(page, "description", "A token of the harbour")
  yield* fill(page, "website", "https://example.com")
})

const refusal = (code: string, message: string) => ({
  status: 503,
  json: { success: false, code, message, requestId: "a-request" },
})

/** Elements at the side of what is shown, but for those that scroll in a box of their own. */
const STICKING_OUT = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("main *")]
  .filter((element) => element.getBoundingClientRect().right > innerWidth && element.closest(".scroll") === null)
  .map((element) => element.outerHTML.slice(0, 80))`

/** What Chromium itself says of answers that are errors is none of ours. */
const ownFaults = (faults: ReadonlyArray<string>) =>
  faults.filter((fault) => !fault.includes("Failed to load resource"))

layer(TestServer.layer({ faucet: true }), { excludeTestServices: true })("The launch screen", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  test("uploads an image and says what was removed, and refuses what is no image before it is sent", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* opened()
      const uploads: Array<string> = []
      page.on("request", (request) => void (request.method() === "POST" && uploads.push(request.url())))
      yield* chooseImage(page, { name: "token.png", mimeType: "image/png", buffer: Buffer.from("<svg></svg>") })
      yield* seen(page, "text=This file is no PNG, JPEG, GIF or WebP image")
      const cut = PICTURE.buffer.subarray(0, 40)
      yield* chooseImage(page, { ...PICTURE, buffer: cut })
      yield* seen(page, "text=The image is damaged")
      assert.deepStrictEqual(uploads, [])
      yield* chooseImage(page)
      yield* seen(page, `text=${LEFT_BEHIND} bytes of metadata`)
      assert.lengthOf(uploads, 1)
      yield* does(() => page.reload())
      yield* seen(page, `text=${LEFT_BEHIND} bytes of metadata`)
      const isDrawn = "document.querySelector('.stored img').naturalWidth === 64"
      yield* does(() => page.waitForFunction(isDrawn))
      yield* press(page, "Remove the image")
      yield* does(() => page.waitForSelector(".stored", { state: "detached" }))
      assert.deepStrictEqual(faults, [])
    }).pipe(Effect.scoped))

  test("shows what the service finds wrong beside the field", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* opened()
      yield* enterDetails(page)
      yield* fill(page, "website", "ftp://example.com")
      yield* press(page, "Store the metadata")
      yield* seen(page, "#launch-website-issue")
      const described = "document.querySelector('#launch-website').getAttribute('aria-describedby')"
      assert.include(yield* does(() => page.evaluate<string>(described)), "launch-website-issue")
      assert.match(yield* does(() => page.innerText("#launch-website-issue")), /^Website: expected an https/)
      yield* fill(page, "website", "https://example.com")
      yield* does(() => page.waitForSelector("#launch-website-issue", { state: "detached" }))
      yield* press(page, "Store the metadata")
      yield* seen(page, "text=Metadata stored")
      assert.deepStrictEqual(ownFaults(faults), [])
    }).pipe(Effect.scoped))

  test("says that the service is not there, and loses nothing, also after a reload", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* opened()
      yield* enterDetails(page)
      const down = (route: Route) => route.fulfill(refusal("ipfs_unavailable", "The IPFS backend is down"))
      yield* does(() => page.route("**/api/ipfs/upload-*", down))
      yield* press(page, "Store the metadata")
      yield* seen(page, "[role=alert] >> text=The IPFS backend is down")
      yield* chooseImage(page)
      yield* seen(page, "text=The image was not uploaded: The IPFS backend is down")
      yield* does(() => page.reload())
      yield* seen(page, "#launch-name")
      assert.strictEqual(yield* does(() => page.inputValue("#launch-name")), "Harbour")
      yield* does(() => page.unroute("**/api/ipfs/upload-*"))
      yield* press(page, "Store the metadata")
      yield* seen(page, "text=Metadata stored")
      assert.deepStrictEqual(ownFaults(faults), [])
    }).pipe(Effect.scoped))

  test("says what the wallet lacks, and what it costs by part once it has that", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* opened()
      yield* enterDetails(page)
      yield* connectWallet(page, false)
      yield* fill(page, "name", "x".repeat(33))
      yield* fill(page, "firstBuy", "a lot")
      yield* press(page, "Work out the cost")
      yield* seen(page, "#launch-name-issue >> text=at most 32 bytes")
      yield* seen(page, "#launch-firstBuy-issue >> text=an amount of SOL")
      yield* fill(page, "name", "Harbour")
      yield* fill(page, "firstBuy", "0.5")
      yield* press(page, "Work out the cost")
      yield* seen(page, "[role=alert] >> text=The wallet lacks")
      assert.isTrue(yield* does(() => page.isDisabled("text=Sign and launch")))
      yield* does(() => page.click(".wallet > button"))
      yield* press(page, "Get 10 SOL")
      yield* seen(page, "text=The wallet has 10 SOL more")
      yield* does(() => page.keyboard.press("Escape"))
      yield* press(page, "Work out the cost")
      yield* seen(page, "text=The first buy gives")
      const rows = yield* does(() => page.locator("[aria-label='What the launch costs'] tr").allInnerTexts())
      const lamports = rows.slice(1).map((row) => BigInt(row.split("\t")[1]!.replaceAll(",", "")))
      assert.strictEqual(
        lamports.at(-1),
        lamports.slice(0, -1).reduce((sum, part) => sum + part, 0n),
      )
      assert.include(lamports, 500_000_000n)
      // What was changed costs something else.
      yield* fill(page, "firstBuy", "0.25")
      assert.isTrue(yield* does(() => page.isDisabled("text=Sign and launch")))
      assert.deepStrictEqual(ownFaults(faults), [])
    }).pipe(Effect.scoped))

  test("builds again only what can never land, and goes on with the configuration that did", () =>
    Effect.gen(function* () {
      const { page } = yield* opened()
      yield* connectWallet(page, true)
      yield* enterDetails(page)
      yield* fill(page, "firstBuy", "0.5")
      const bodies: Array<{ readonly config?: string; readonly dbcConfig?: object }> = []
      page.on("request", (request) => {
        if (request.url().endsWith("/api/launch/create")) bodies.push(request.postDataJSON())
      })
      // This chain has no programs: the answers are those of a service whose chain has them.
      const signatures: Array<string> = []
      const submission = (signature: string, state: string) => ({
        status: 202,
        json: { success: true, message: "", data: { signature, state, isFinal: false, error: null } },
      })
      const expired = {
        status: 409,
        json: {
          success: false,
          code: "blockhash_not_valid",
          message: "Too old",
          requestId: "r",
          details: { reason: "expired" },
        },
      }
      const onSubmit = async (route: Route): Promise<void> => {
        signatures.push(route.request().postDataJSON().transaction)
        await route.fulfill(signatures.length === 1 ? submission("a-signature", "confirmed") : expired)
      }
      yield* does(() => page.route("**/api/launch/submit", onSubmit))
      yield* press(page, "Work out the cost")
      yield* seen(page, "text=The first buy gives")
      yield* press(page, "Sign and launch")
      yield* seen(page, "text=Too old. No token was launched; work out the cost again")
      assert.lengthOf(new Set(signatures), 2)
      assert.deepStrictEqual(
        bodies.map(({ config, dbcConfig }) => [config === undefined, dbcConfig === undefined]),
        [
          [true, false],
          [true, false],
        ],
      )
      // Here it is not there after all: it is said, and forgotten.
      yield* press(page, "Work out the cost")
      yield* seen(page, "[role=alert] >> text=onfig")
      assert.match(bodies[2]?.config ?? "", /^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
      yield* press(page, "Work out the cost")
      yield* seen(page, "text=The first buy gives")
      assert.isUndefined(bodies[3]!.config)
    }).pipe(Effect.scoped))

  test("is the same in two tabs, and begins anew once that was asked for twice", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* opened()
      const other = yield* does(() => page.context().newPage())
      yield* does(() => other.goto(page.url()))
      yield* seen(other, "#launch-name")
      yield* enterDetails(page)
      yield* does(() => other.waitForFunction("document.querySelector('#launch-name').value === 'Harbour'"))
      yield* press(other, "Start again")
      yield* press(other, "Keep it")
      yield* press(other, "Start again")
      yield* press(other, "Discard and start again")
      yield* does(() => page.waitForFunction("document.querySelector('#launch-name').value === ''"))
      assert.deepStrictEqual(faults, [])
    }).pipe(Effect.scoped))

  test("can be used by everybody, in both themes and on a phone", () =>
    Effect.gen(function* () {
      for (const colorScheme of ["light", "dark"] as const)
        for (const viewport of [DESKTOP, PHONE]) {
          const shown = `${colorScheme}, ${viewport.width}`
          const { faults, page } = yield* opened({ colorScheme, viewport })
          yield* chooseImage(page)
          yield* seen(page, ".stored img")
          yield* press(page, "Store the metadata")
          yield* seen(page, ".launch .issue >> text=Name")
          assert.deepStrictEqual(yield* does(() => seriousFaults(page)), [], shown)
          assert.deepStrictEqual(yield* does(() => page.evaluate(STICKING_OUT)), [], shown)
          assert.deepStrictEqual(ownFaults(faults), [], shown)
        }
    }).pipe(Effect.scoped))
})

/** The service with the real programs on its local chain. */
const service: Effect.Effect<string, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    does(async () => {
      const folder = mkdtempSync(join(tmpdir(), "registry-console-"))
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const ports = { PORT: String(port), LOCAL_CHAIN_PORT: String(await freePort()) }
      const running = run({ DATA_FOLDER: folder, ...ports, PROGRAMS_FOLDER: PROGRAMS })
      await answering(running, url)
      return { folder, running, url }
    }),
    ({ folder, running }) =>
      does(async () => {
        running.process.kill("SIGTERM")
        await running.ended
        rmSync(folder, { recursive: true, force: true })
      }),
  ),
  ({ url }) => url,
)

describe("A launch from the console (needs Chromium and the program files)", () => {
  itEffect.live.skipIf(!hasPrograms || withoutChromium !== undefined)(
    "is signed, lands and is registered once, whatever answers are lost and however often the page is opened again",
    () =>
      Effect.gen(function* () {
        const url = yield* service
        // oxlint-disable-next-line typescript/no-explicit-any
        const ask = (path: string): Effect.Effect<any> => does(async () => (await fetch(`${url}${path}`)).json())
        // oxlint-disable-next-line typescript/no-explicit-any
        const listed = (path: string): Effect.Effect<ReadonlyArray<any>> =>
          Effect.flatMap(ask(path), ({ data }) =>
            data?.length > 0 ? Effect.succeed(data) : Effect.andThen(Effect.sleep(100), listed(path)),
          )
        const { faults, page } = yield* openedAt(url)
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

        const busy = refusal("database_unavailable", "The database does not answer")
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
          launches.map(({ baseMint }: { readonly baseMint: string }) => baseMint),
          [mint],
        )

        // The curve that was drawn is the one on chain.
        const { data: config } = yield* ask(`/api/launch/pool/${mint}/config`)
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
