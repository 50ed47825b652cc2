import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll, vi } from "vitest"
import type { Draft } from "../src/browser/launch/Draft.ts"

/** Modules of the page: their types are those of a browser, which this project has not. */
const page = <A>(path: string): Promise<A> => import(/* @vite-ignore */ path)

interface Shown {
  readonly draft: Draft
  readonly notice: string | undefined
  readonly failure: unknown
  readonly costs: { readonly cost: { readonly total: string } } | undefined
}
interface Store {
  readonly launchShown: () => Shown
  readonly changeDraft: (differences: Partial<Draft>) => void
  readonly discardDraft: () => void
}
interface Launching {
  readonly workOutCosts: (signer: string) => Promise<void>
  readonly launch: (wallet: object) => Promise<void>
  readonly goOn: (wallet: object) => Promise<void>
}
interface SwapRun {
  readonly runSwap: (order: object, show: (state: object) => void, signal: AbortSignal) => Promise<void>
}

const BLOCKHASH_BLOCKS = 150
const SIGNER = "wallet"

/** A service whose chain goes on while the wallet signs; how far is what tests say. */
class StandInService {
  height = 1_000
  slotMillis = 200
  readonly signed: Array<string> = []
  readonly sent: Array<string> = []
  readonly created: Array<{ readonly config?: string }> = []
  #configs = 0
  #builds = 0
  readonly #expiries = new Map<string, number>()
  signingSeconds: Array<number> = []

  readonly wallet = {
    ...{ name: "Slow", address: SIGNER, isTest: true },
    sign: async (bytes: Uint8Array) => {
      this.height += ((this.signingSeconds.shift() ?? 0) * 1_000) / this.slotMillis
      this.signed.push(new TextDecoder().decode(bytes))
      return bytes
    },
  }

  built(): string {
    const text = `transaction ${++this.#builds}`
    this.#expiries.set(text, this.height + BLOCKHASH_BLOCKS)
    return btoa(text)
  }

  #answer(path: string, body: { readonly config?: string; readonly transaction?: string }): object {
    const lifetime = { lastValidBlockHeight: String(this.height + BLOCKHASH_BLOCKS), expiresInSeconds: 30 }
    if (path.endsWith("/launch/create")) {
      this.created.push(body)
      const steps = body.config === undefined ? [["config"], ["pool"]] : [["pool"]]
      const transactions = steps.map((purposes) => ({ purposes, transaction: this.built() }))
      const config = body.config ?? `config ${++this.#configs}`
      const cost = { total: String(steps.length), parts: [] }
      return { data: { ...lifetime, transactions, config, mintAddress: `mint of ${config}`, cost, wallet: {} } }
    }
    if (path.endsWith("/launch/swap")) {
      const quote = { minimumAmountOut: "1" }
      return { data: { ...lifetime, transaction: this.built(), quote, simulation: { willSucceed: true } } }
    }
    if (path.endsWith("/tokens")) return { data: {} }
    const text = atob(body.transaction!)
    if (this.height > this.#expiries.get(text)!)
      return { success: false, code: "blockhash_not_valid", message: "Too old", details: { reason: "expired" } }
    this.sent.push(text)
    return { data: { signature: text, state: "confirmed", isFinal: false, error: null } }
  }

  readonly fetch = async (url: string | URL, init: RequestInit): Promise<Response> => {
    const answer = this.#answer(new URL(url).pathname, JSON.parse(String(init.body)))
    const json = { success: true, message: "", requestId: "r", ...answer }
    return Response.json(json, { status: json.success ? 200 : 409 })
  }
}

const stored = new Map<string, string>()

beforeAll(() => {
  vi.stubGlobal("addEventListener", () => {})
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
    removeItem: (key: string) => void stored.delete(key),
  })
})
afterAll(() => void vi.unstubAllGlobals())

/** The launch screen with a token whose cost was looked at. */
const readyToLaunch = async () => {
  const service = new StandInService()
  vi.stubGlobal("fetch", service.fetch)
  const store = await page<Store>("../src/browser/launch/LaunchStore.ts")
  const { goOn, launch, workOutCosts } = await page<Launching>("../src/browser/launch/Launching.ts")
  store.discardDraft()
  const { details } = store.launchShown().draft
  store.changeDraft({ details: { ...details, name: "Harbour", symbol: "HARB" }, metadataUri: "https://example.com/m" })
  await workOutCosts(SIGNER)
  return { service, shown: store.launchShown, goOn, launch: () => launch(service.wallet) }
}

describe("A launch in two transactions, with a wallet that takes 25 seconds to sign", () => {
  it("lands: the second one is built again once the first has landed", async () => {
    for (const slotMillis of [400, 250, 200]) {
      const { launch, service, shown } = await readyToLaunch()
      Object.assign(service, { slotMillis, signingSeconds: [25, 25] })
      await launch()
      const { draft, failure, notice } = shown()
      assert.deepStrictEqual([notice, failure], [undefined, undefined], `${slotMillis} ms`)
      assert.lengthOf(service.sent, 2)
      assert.deepStrictEqual(service.sent, service.signed)
      assert.strictEqual(service.created.at(-1)!.config, draft.build!.config)
      assert.isTrue(draft.isRegistered)
      assert.deepStrictEqual(
        draft.build!.steps.map(({ purposes, state }) => [purposes[0], state]),
        [
          ["config", "confirmed"],
          ["pool", "confirmed"],
        ],
      )
    }
  })

  it("says that it was signed too late, keeps what landed, and launches when it is signed again", async () => {
    const { launch, service, shown } = await readyToLaunch()
    service.signingSeconds = [25, 35]
    await launch()
    assert.strictEqual(
      shown().notice,
      "The wallet signed after the transaction had expired, so it was not sent: launch again, and sign at once",
    )
    assert.lengthOf(service.sent, 1)
    assert.isNull(shown().draft.build)
    // What it costs is still shown, so that the button is there.
    assert.strictEqual(shown().costs?.cost.total, "1")
    await launch()
    assert.lengthOf(service.sent, 2)
    assert.isUndefined(shown().notice)
    assert.isTrue(shown().draft.isRegistered)
    // The second one that was built, after that of which the cost was looked at.
    assert.strictEqual(shown().draft.build!.config, "config 2")
  })

  it("that was left between the two is built again before anything is signed", async () => {
    const { goOn, service, shown } = await readyToLaunch()
    const { changeDraft } = await page<Store>("../src/browser/launch/LaunchStore.ts")
    const landed = { transaction: "", purposes: ["config"], signature: "a", state: "confirmed" }
    const old = { transaction: btoa("old"), purposes: ["pool"], signature: null, state: null }
    const build = {
      signer: SIGNER,
      config: "theirs",
      mintAddress: "m",
      lastValidBlockHeight: "7",
      steps: [landed, old],
    }
    changeDraft({ build })
    await goOn(service.wallet)
    assert.notInclude(service.signed, "old")
    assert.lengthOf(service.sent, 1)
    assert.strictEqual(service.created.at(-1)!.config, "theirs")
    assert.isTrue(shown().draft.isRegistered)
  })
})

describe("What follows the pool of a launch", () => {
  it("is left out when it was signed too late: the token is there, and is registered", async () => {
    const { goOn, service, shown } = await readyToLaunch()
    const { changeDraft } = await page<Store>("../src/browser/launch/LaunchStore.ts")
    const landed = { transaction: "", purposes: ["config", "pool"], signature: "a", state: "confirmed" }
    const last = { transaction: service.built(), purposes: ["pool_metadata"], signature: null, state: null }
    const build = { signer: SIGNER, config: "c", mintAddress: "m", lastValidBlockHeight: "7", steps: [landed, last] }
    changeDraft({ build })
    service.signingSeconds = [35]
    const asked = service.created.length
    await goOn(service.wallet)
    assert.match(shown().notice ?? "", /was not sent\. The token is launched without it$/)
    assert.lengthOf(service.created, asked)
    assert.deepStrictEqual(shown().draft.build?.steps, [landed])
    assert.isTrue(shown().draft.isRegistered)
  })
})

describe("A swap with a wallet that takes 25 seconds to sign", () => {
  const swap = async (seconds: number, slotMillis: number) => {
    const service = new StandInService()
    Object.assign(service, { slotMillis, signingSeconds: [seconds] })
    vi.stubGlobal("fetch", service.fetch)
    const { runSwap } = await page<SwapRun>("../src/browser/token/SwapRun.ts")
    const asked = { mintAddress: "m", amount: "1", slippageBps: 100, swapBaseForQuote: false }
    const order = { asked, priorityFee: undefined, minimumShown: "1", signer: SIGNER, sign: service.wallet.sign }
    const states: Array<object> = []
    await runSwap(order, (state) => void states.push(state), new AbortController().signal)
    return states.at(-1)
  }

  it("lands, and says so when that was too late", async () => {
    for (const slotMillis of [400, 250, 200]) assert.deepInclude(await swap(25, slotMillis), { step: "landed" })
    assert.deepStrictEqual(await swap(35, 200), {
      step: "failed",
      reasons: [
        "The wallet signed after the transaction had expired, so it was not sent. Nothing was spent: swap again, and sign at once.",
      ],
    })
  })
})
