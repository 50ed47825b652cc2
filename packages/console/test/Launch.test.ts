import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Route } from "playwright-core"
import { TestServer } from "../../service/test/TestServer.ts"
import { DESKTOP, type openPage, PHONE, seriousFaults, until, withoutChromium } from "./Chromium.ts"
import { suiteBrowser } from "./SuiteBrowser.ts"
import {
  LEFT_BEHIND,
  PICTURE,
  STICKING_OUT,
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

const browser = suiteBrowser("the console's launch screen in a browser")

const opened = (look?: Parameters<typeof openPage>[2]) =>
  Effect.flatMap(TestServer, ({ url }) => openedAt(browser(), url, look))

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
      yield* does(() => until(page, isDrawn))
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
      const down = (route: Route) => route.fulfill(refusal("upstream_unavailable", "The IPFS backend is down"))
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

  test("has nothing signed that the chain cannot execute yet", () =>
    Effect.gen(function* () {
      const { page } = yield* opened()
      yield* enterDetails(page)
      yield* connectWallet(page, true)
      yield* does(() =>
        page.route("**/api/launch/create", async (route) => {
          const answer = await (await route.fetch()).json()
          const lacking = { missingPrograms: ["a-program"], message: "It cannot land yet: a program is missing" }
          await route.fulfill({ json: { ...answer, data: { ...answer.data, ...lacking } } })
        }),
      )
      yield* press(page, "Work out the cost")
      yield* seen(page, "[role=alert] >> text=It cannot land yet")
      assert.isTrue(yield* does(() => page.isDisabled("button:text-is('Sign and launch')")))
    }).pipe(Effect.scoped))

  test("builds the second transaction once the first has landed, and says when it was signed too late", () =>
    Effect.gen(function* () {
      const { page } = yield* opened()
      yield* connectWallet(page, true)
      yield* enterDetails(page)
      yield* fill(page, "firstBuy", "0.5")
      const bodies: Array<{ readonly config?: string; readonly dbcConfig?: object }> = []
      // This chain has no programs: the answers are those of a service whose chain has them.
      let built: { readonly data: { readonly transactions: ReadonlyArray<object> } } | undefined
      const onCreate = async (route: Route): Promise<void> => {
        if (bodies.push(route.request().postDataJSON()) === 3 && built !== undefined)
          return route.fulfill({
            json: { ...built, data: { ...built.data, transactions: built.data.transactions.slice(1) } },
          })
        const response = await route.fetch()
        built = await response.json()
        await route.fulfill({ response })
      }
      yield* does(() => page.route("**/api/launch/create", onCreate))
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
      yield* seen(page, "text=The wallet signed after the transaction had expired, so it was not sent")
      assert.lengthOf(new Set(signatures), 2)
      assert.deepStrictEqual(
        bodies.map(({ config, dbcConfig }) => [config === undefined, dbcConfig === undefined]),
        [
          [true, false],
          [true, false],
          [false, true],
        ],
      )
      // It is asked to sign again. Here the configuration is not there after all: it is said, and forgotten.
      yield* press(page, "Sign and launch")
      yield* seen(page, "[role=alert] >> text=onfig")
      assert.match(bodies[3]?.config ?? "", /^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
      // What the first buy gives is still shown from before.
      const answered = page.waitForResponse("**/api/launch/create")
      yield* press(page, "Work out the cost")
      yield* does(() => answered)
      yield* seen(page, "text=The first buy gives")
      assert.isUndefined(bodies[4]!.config)
    }).pipe(Effect.scoped))

  test("draws own figures as they are entered, keeps them, and builds what was drawn", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* opened({ viewport: PHONE })
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

  test("is the same in two tabs, and is empty once that was asked for twice", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* opened()
      const other = yield* does(() => page.context().newPage())
      yield* does(() => other.goto(page.url()))
      yield* seen(other, "#launch-name")
      yield* enterDetails(page)
      yield* does(() => until(other, "document.querySelector('#launch-name').value === 'Harbour'"))
      yield* press(other, "Start again")
      yield* press(other, "Keep it")
      yield* press(other, "Start again")
      yield* press(other, "Discard and start again")
      yield* does(() => until(page, "document.querySelector('#launch-name').value === ''"))
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
