import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import sharp from "sharp"
import { IntentsStandIn } from "../../../bridge/test/IntentsStandIn.ts"
import { AMPLE } from "../../../bridge/test/TestBridge.ts"
import { indexPool, indexTrades, randomTrades } from "../../../server/test/launch/IndexedTrades.ts"
import { randomOf } from "../Random.ts"
import { sampleSignature, sampleWallet, seededDraft, tokenDraft } from "../Samples.ts"
import { commitChanges, sampleChange } from "../../../server/test/stream/IndexChanges.ts"
import { TestServer } from "../TestServer.ts"
import { CLIENT_FILES, clientProject } from "./ClientProject.ts"

/** The exports of `dapp.ts` that this test calls: the compiler has checked their code. */
interface Dapp {
  readonly connect: (url: string) => object
  readonly launch: (registry: object, launch: object) => Promise<string>
  readonly launchInTwoSteps: (registry: object, launch: object) => Promise<string>
  readonly register: (registry: object, draft: object, key: string) => Promise<string>
  readonly tokenOf: (registry: object, address: string) => Promise<{ readonly id: string } | undefined>
  readonly tokensOf: (registry: object, launchpad: string, limit: number) => AsyncIterable<{ readonly name: string }>
  readonly found: (registry: object, q: string) => Promise<unknown>
  readonly holdersOf: (registry: object, mint: string) => Promise<ReadonlyArray<{ readonly percent: number }>>
  readonly buy: (
    registry: object,
    purchase: object,
  ) => Promise<{
    readonly record: Readonly<Record<"amountIn" | "amountOut" | "pricePerToken" | "fee", string>> &
      Readonly<Record<"amountInDecimals" | "amountOutDecimals" | "feeDecimals", number>>
    readonly impact: number
    readonly progress: number
  }>
  readonly chart: (
    registry: object,
    mint: string,
  ) => Promise<{ readonly closes: ReadonlyArray<number>; readonly bought: bigint }>
  readonly bridgeable: (registry: object, chain: string) => Promise<ReadonlyArray<string>>
  readonly follow: (registry: object, mint: string, last: string, signal: AbortSignal) => AsyncIterable<object>
  readonly textOf: (event: object) => string
}

const server = Layer.unwrap(
  Effect.gen(function* () {
    const { url: rpcUrl } = yield* LocalChain
    const { publicKey, url } = yield* IntentsStandIn.make()
    return TestServer.layer({ rpcUrl, bridge: { url, quoteKey: publicKey, rates: { watch: AMPLE, quote: AMPLE } } })
  }),
).pipe(Layer.provideMerge(LocalChain.layer({ stage: "mid" })))

const SOL = 1_000_000_000

/** What an operation answers alone, and what any operation may: both are known by their code. */
const NARROWED = `
import { connect as connectTo } from "./dapp.ts"
const { error } = await connectTo("http://localhost:3001").GET("/api/tokens/{id}", { params: { path: { id: "x" } } })
if (error?.code === "token_not_found") console.log(error.details.token satisfies string)
if (error?.code === "rate_limited") console.log(error.details.retryAfterSeconds satisfies number)
if (error?.code === "invalid_request") console.log(error.issues[0]?.path satisfies string | undefined)
// @ts-expect-error: this operation does not answer it
if (error?.code === "mint_already_registered") console.log(error.message)
`

const airdrop = Effect.fnUntraced(function* (address: string, lamports: number) {
  const { url } = yield* LocalChain
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "requestAirdrop", params: [address, lamports] })
  const init = { method: "POST", headers: { "content-type": "application/json" }, body }
  const answer = yield* Effect.promise(() => fetch(url, init).then((response) => response.json()))
  assert.property(answer, "result")
})

const logo = Effect.promise(async () => {
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: "#fc0" } })
  return new Blob([new Uint8Array(await image.png().toBuffer())], { type: "image/png" })
})

const collected = async <A>(items: AsyncIterable<A>, count = Number.POSITIVE_INFINITY): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const item of items) if (all.push(item) >= count) break
  return all
}

const faultOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "",
    (error: Error) => error.message,
  )

layer(server, { excludeTestServices: true })("The client of docs/client.md", (it) => {
  it.effect("compiles against the served document with strict settings, and does what a dApp does", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer
      const source = CLIENT_FILES.get("dapp.ts") ?? ""
      assert.notMatch(source, /\bany\b|\bas\b(?! const)|@ts-|!\./, "the client goes round its types")
      const openApi = yield* Effect.promise(() => fetch(`${url}/openapi.json`).then((response) => response.text()))
      const project = yield* clientProject(openApi)
      const main = CLIENT_FILES.get("main.ts") ?? ""
      yield* project.write("main.ts", `${main}${NARROWED}`)
      assert.deepStrictEqual(yield* project.generate, { isDone: true, text: "" })
      assert.deepStrictEqual(yield* project.compile, { isDone: true, text: "" })

      const dapp = (yield* project.load) as Dapp
      const registry = dapp.connect(url)
      const signer = sampleWallet()
      const sent: Array<string> = []
      const signAndSend = async (transaction: string) => {
        sent.push(transaction)
        return sampleSignature()
      }
      const launch = { name: "Client Token", symbol: "CLNT", signer, logo: yield* logo, signAndSend }
      const unfunded = faultOf(dapp.launch(registry, launch))
      assert.match(yield* Effect.promise(() => unfunded), /^The wallet lacks \d+ lamports$/)
      assert.match(yield* Effect.promise(() => dapp.launchInTwoSteps(registry, launch)), /^\w{32,44}$/)
      assert.strictEqual(sent.length, 2)
      const creator = sampleWallet()
      yield* airdrop(creator, SOL)
      const inOneStep = dapp.launch(registry, { ...launch, signer: creator })
      assert.match(yield* Effect.promise(() => inOneStep), /^\w{32,44}$/)
      assert.strictEqual(sent.splice(2).length, 2)

      const mint = SEEDED_MINTS.spl
      yield* indexTrades(randomTrades(randomOf(1), 20, mint))
      const id = yield* Effect.promise(() => dapp.register(registry, seededDraft(mint), "key-of-a-dapp"))
      for (const key of ["key-of-a-dapp", "another-key-of-it"])
        assert.strictEqual(yield* Effect.promise(() => dapp.register(registry, seededDraft(mint), key)), id)
      const misspelt = dapp.register(registry, { ...tokenDraft(), mintAddress: "x" }, "key-of-a-fault")
      assert.match(yield* Effect.promise(() => faultOf(misspelt)), /^body\.mintAddress: expected a Solana address/)
      assert.strictEqual((yield* Effect.promise(() => dapp.tokenOf(registry, mint)))?.id, id)
      assert.isUndefined(yield* Effect.promise(() => dapp.tokenOf(registry, signer)))

      const names = ["First", "Second", "Third"]
      for (const name of names)
        yield* Effect.promise(() =>
          dapp.register(registry, tokenDraft({ name, launchpad: "launchpad_b" }), `key-of-${name}`),
        )
      const listed = yield* Effect.promise(() => collected(dapp.tokensOf(registry, "launchpad_b", 2)))
      assert.deepStrictEqual(
        listed.map(({ name }) => name),
        names.toReversed(),
      )
      const { symbol } = seededDraft(mint) as unknown as { readonly symbol: string }
      const { popular, ranked } = (yield* Effect.promise(() => dapp.found(registry, symbol))) as {
        readonly popular: ReadonlyArray<string>
        readonly ranked: ReadonlyArray<string>
      }
      assert.strictEqual(ranked[0], symbol)
      assert.include(popular, symbol)
      const [largest] = yield* Effect.promise(() => dapp.holdersOf(registry, mint))
      assert.isAbove(largest!.percent, 0)
      yield* project.write("main.ts", main.replace("http://localhost:3001", url))
      const listing = yield* project.run("main.ts")
      assert.isTrue(listing.isDone && listing.text.includes(mint), listing.text)

      const purchase = { baseMint: mint, amount: 1_000_000n, quoteDecimals: 9, signer, signAndSend }
      const unpaid = faultOf(dapp.buy(registry, purchase))
      assert.match(yield* Effect.promise(() => unpaid), /^insufficient_sol: /)
      assert.strictEqual(sent.length, 2)
      yield* airdrop(signer, SOL)
      const { impact, progress, record } = yield* Effect.promise(() => dapp.buy(registry, purchase))
      assert.deepInclude(record, {
        ...{ amountIn: "1000000", amountInDecimals: 9, amountOutDecimals: 6 },
        feeDecimals: 9,
      })
      assert.strictEqual(Number(record.pricePerToken), 0.001 / (Number(record.amountOut) / 1e6))
      assert.isTrue(impact >= 0 && impact < 1 && progress > 0 && progress < 1, `${impact} ${progress}`)
      assert.strictEqual(sent.length, 3)
      const { bought, closes } = yield* Effect.promise(() => dapp.chart(registry, mint))
      assert.isTrue(bought > 0n && closes.length > 0 && closes.every((close) => close > 0))
      assert.isAbove((yield* Effect.promise(() => dapp.bridgeable(registry, "sol"))).length, 0)

      yield* indexPool(mint, { decimals: 6 })
      const first = yield* commitChanges(sampleChange("pool", mint))
      const trade = sampleChange("trade", mint, { side: "SELL" })
      yield* commitChanges(trade, sampleChange("graduation", mint, { stage: "migrated" }))
      const textsAfter = (last: string, count: number) =>
        Effect.promise(async () => {
          const leaving = new AbortController()
          const events = await collected(dapp.follow(registry, mint, last, leaving.signal), count)
          leaving.abort()
          return events.map(dapp.textOf)
        })
      const [sold, graduated] = yield* textsAfter(String(first), 2)
      assert.strictEqual(sold, "SELL at 0.001")
      assert.match(graduated!, / migrated$/)
      assert.deepStrictEqual(yield* textsAfter("999", 1), ["Read everything again: unknown_id"])
    }),
  )
})
