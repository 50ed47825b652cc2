import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { accessOf } from "../../service/test/access/TestAccess.ts"
import { TestServer } from "../../service/test/TestServer.ts"
import { DESKTOP, openPage, PHONE, seriousFaults, withoutChromium } from "./Chromium.ts"
import { suiteBrowser } from "./SuiteBrowser.ts"

const browser = suiteBrowser("the console's wallets in a browser")

const opened = (look?: Parameters<typeof openPage>[2]) =>
  Effect.acquireRelease(
    Effect.flatMap(TestServer, ({ url }) => Effect.promise(() => openPage(browser(), `${url}/console`, look))),
    ({ page }) => Effect.promise(() => page.context().close()),
  )

const does = <A>(work: () => Promise<A>) => Effect.promise(work)

/** An extension of Wallet Standard with one account, which says what it was asked to sign. */
const EXTENSION = `(() => {
  const account = { address: "", chains: ["solana:localnet", "solana:mainnet"], features: [], publicKey: undefined }
  let keys
  const accounts = async ({ silent } = {}) => {
    if (silent && !localStorage.granted) throw new Error("nothing was granted")
    keys ??= await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"])
    account.publicKey = new Uint8Array(await crypto.subtle.exportKey("raw", keys.publicKey))
    account.address = ADDRESS_OF(account.publicKey)
    localStorage.granted = "yes"
    return { accounts: [account] }
  }
  globalThis.asked = []
  const signMessage = async ({ message }) => {
    asked.push(new TextDecoder().decode(message))
    return [{ signedMessage: message, signature: new Uint8Array(await crypto.subtle.sign("Ed25519", keys.privateKey, message)) }]
  }
  const listeners = new Set()
  const on = (_, listener) => (listeners.add(listener), () => listeners.delete(listener))
  globalThis.switchTo = (...addresses) => {
    for (const listener of [...listeners])
      listener({ accounts: addresses.map((address) => ({ ...account, address })) })
    return listeners.size
  }
  const wallet = {
    version: "1.0.0", name: "Extension", icon: "data:image/png;base64,", chains: ["solana:mainnet", "solana:localnet"], accounts: [],
    features: {
      "standard:connect": { version: "1.0.0", connect: accounts },
      "standard:events": { version: "1.0.0", on },
      "solana:signTransaction": { version: "1.0.0", signTransaction: async () => [] },
      "solana:signMessage": { version: "1.0.0", signMessage },
    },
  }
  const ofAnotherChain = { ...wallet, name: "Not of Solana", chains: ["bitcoin:mainnet"] }
  const announce = (api) => api.register(wallet, ofAnotherChain)
  addEventListener("wallet-standard:app-ready", ({ detail }) => announce(detail))
  dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail: announce }))
})()`.replace(
  "ADDRESS_OF",
  `((bytes) => {
    const letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    let [value, text] = [BigInt("0x" + [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")), ""]
    for (; value > 0n; value /= 58n) text = letters[Number(value % 58n)] + text
    return text
  })`,
)

/** Calls the API as a screen does, with what is connected. */
const uploads = (page: Page) =>
  does(() =>
    page.evaluate(`(async () => {
      const root = document.querySelector("script[src$='Main.js']").src.replace("Main.js", "")
      const { registry } = await import(root + "Registry.js")
      const answer = await registry.ipfs.uploadMetadata({ body: { name: "Signed", symbol: "SGND", description: "A token" } })
      return JSON.stringify(answer)
    })()`),
  )

layer(TestServer.layer({ faucet: true }), { excludeTestServices: true })("A local chain", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  test("has a test wallet that the faucet fills, and that is there again after a reload", () =>
    Effect.gen(function* () {
      for (const look of [{}, { colorScheme: "dark", viewport: PHONE }] as const) {
        const { faults, page } = yield* opened(look)
        yield* does(() => page.click("text=Connect a wallet"))
        yield* does(() => page.click("button >> text=Test wallet"))
        yield* does(() => page.click("text=Get 10 SOL"))
        yield* does(() => page.waitForSelector("text=The wallet has 10 SOL more"))
        assert.deepStrictEqual(yield* does(() => seriousFaults(page)), [])
        const address = yield* does(() => page.innerText("#wallet-menu code"))
        assert.match(address, /^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
        yield* does(() => page.keyboard.press("Escape"))
        assert.isFalse(yield* does(() => page.isVisible("#wallet-menu")))
        yield* does(() => page.reload())
        yield* does(() => page.click("header >> text=Test wallet"))
        assert.strictEqual(yield* does(() => page.innerText("#wallet-menu code")), address)
        yield* does(() => page.click("text=Disconnect"))
        yield* does(() => page.reload())
        yield* does(() => page.waitForSelector("text=Connect a wallet"))
        assert.deepStrictEqual(faults, [])
      }
    }).pipe(Effect.scoped))

  it.effect("gives SOL to addresses alone", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const address = "So11111111111111111111111111111111111111112"
      const fill = (options: object) => request("/console/faucet", { method: "POST", ...options })
      assert.strictEqual((yield* fill({ json: { address } })).status, 200)
      for (const json of [{ address: "nobody" }, { address: "0OIl" }, { address: "1".repeat(45) }, {}, null, []]) {
        const { body, status } = yield* fill({ json })
        assert.deepStrictEqual([status, body.code], [400, "invalid_request"])
      }
      // What a page of another site could have a browser send without asking, or with asking.
      const raw = JSON.stringify({ address })
      for (const [options, expected] of [
        [{}, 415],
        [{ raw, headers: { "content-type": "text/plain" } }, 415],
        [{ json: { address }, headers: { "content-encoding": "gzip" } }, 415],
        [{ json: { address }, headers: { "sec-fetch-site": "cross-site", origin: "https://other.example" } }, 403],
      ] as const)
        assert.strictEqual((yield* fill(options)).status, expected)
    }),
  )
})

const signing = TestServer.layer({ access: accessOf({ writeAuth: ["wallet"] }) })

layer(signing, { excludeTestServices: true })("A service whose writes are signed", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  it.effect("has no faucet unless it has its own chain", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const json = { address: "So11111111111111111111111111111111111111112" }
      assert.strictEqual((yield* request("/console/faucet", { json })).status, 404)
    }),
  )

  test("gets the signature of an extension that the user connected, in the text of the service", () =>
    Effect.gen(function* () {
      const { faults, page } = yield* opened({ viewport: DESKTOP })
      yield* does(() => page.context().addInitScript(EXTENSION))
      yield* does(() => page.reload())
      assert.match(String(yield* uploads(page)), /"not_authenticated"|"credentials_missing"|401/)
      yield* does(() => page.click("text=Connect a wallet"))
      assert.notMatch(yield* does(() => page.innerText("#wallet-menu")), /Not of Solana|Test wallet/)
      yield* does(() => page.click("button >> text=Extension"))
      yield* does(() => page.waitForSelector("text=Extension is connected"))
      assert.match(String(yield* uploads(page)), /"success":true/)
      const own = yield* does(() => page.innerText("#wallet-menu code"))
      // Another account of the wallet, one more beside it, and none.
      const other = "So11111111111111111111111111111111111111112"
      assert.strictEqual(yield* does(() => page.evaluate(`switchTo("${other}")`)), 1)
      yield* does(() => page.waitForSelector(`#wallet-menu code >> text=${other}`))
      yield* does(() => page.evaluate(`switchTo("${own}", "${other}")`))
      assert.strictEqual(yield* does(() => page.innerText("#wallet-menu code")), other)
      yield* does(() => page.evaluate("switchTo()"))
      yield* does(() => page.waitForSelector("text=Connect a wallet"))
      assert.strictEqual(yield* does(() => page.evaluate("switchTo()")), 0)
      const asked = yield* does(() => page.evaluate("asked.join()"))
      assert.match(String(asked), /^api\.example wants you to sign in[^]*Send POST \/api\/ipfs\/upload-metadata/)
      // Chromium itself says what was answered with 401.
      assert.deepStrictEqual(
        faults.filter((fault) => !fault.includes("401")),
        [],
      )
    }).pipe(Effect.scoped))
})
