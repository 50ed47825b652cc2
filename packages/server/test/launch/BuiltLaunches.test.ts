import { assert, layer } from "@effect/vitest"
import { LoopbackLinks } from "@launch-registry/domain/text/WebUri"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress, sampleWallet, SOL, tokenDraft } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { byMint, draftOf, follow as followChain, launch } from "../tokens/ChainLaunches.ts"
import type { Token } from "@launch-registry/domain/tokens/Token"
import { create, dataAt } from "../tokens/TokenRequests.ts"
import { indexPool } from "./IndexedTrades.ts"

/** What is built here is served by this machine. */
const follow = Effect.provideService(followChain, LoopbackLinks, true)

const NAME = { name: "Built Token", symbol: "BLT" }
const LINKS = { website: "https://example.com", twitter: "https://x.com/built", telegram: "https://t.me/built" }

const post = Effect.fn(function* (path: string, json: object) {
  const { request } = yield* TestServer
  const { body, status } = yield* request(`/api/launch/${path}`, { json })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.data
})

/** Configuration and deployment, built by one signer; returns what the chain will show of them. */
const build = Effect.fn(function* (
  options: { readonly config?: object; readonly deploy?: object; readonly dbcConfig?: object } = {},
) {
  const signer = sampleWallet()
  const { dbcConfig, config: sent, deploy } = options
  const config = yield* post("dbc-config", {
    ...{ signer, launchpad: "launchpad_b", metadata: { ...NAME, ...sent } },
    ...(dbcConfig && { dbcConfig }),
  })
  const { dbcConfigKeypair } = config
  const metadata = { ...NAME, ...deploy }
  const deployed = yield* post("deploy-token", { signer, metadata, dbcConfigKeypair })
  const { baseMint, pool, uri } = deployed
  return { ...NAME, creator: signer, config: dbcConfigKeypair.publicKey as string, baseMint, pool, uri }
})

layer(TestServer.layer())("What a client sent to the builders", (it) => {
  it.effect("is part of the token once it is on chain: configuration, description, links and launchpad", () =>
    Effect.gen(function* () {
      const dbcConfig = { totalTokenSupply: 2_000_000_000, creatorTradingFeePercentage: 20 }
      const built = yield* build({
        config: { description: "Of the configuration", ...LINKS },
        deploy: { description: "Of the deployment", bannerUri: "https://example.com/b.png" },
        dbcConfig,
      })
      yield* launch(built)
      yield* follow
      const { data } = (yield* byMint(built.baseMint)).body
      assert.deepInclude(data, { launchpad: "launchpad_b", description: "Of the deployment", config: built.config })
      assert.deepInclude(data.metadata, { ...LINKS, bannerUri: "https://example.com/b.png" })
      assert.strictEqual(data.tokenConfig.quoteMint, SOL)
      assert.deepInclude(data.tokenConfig.dbcConfig, {
        ...{ ...dbcConfig, tokenBaseDecimal: 6, buildCurveMode: 0 },
        ...{ feeClaimer: built.creator, leftoverReceiver: built.creator },
      })
      assert.strictEqual(data.tokenConfig.dbcConfig.buildCurveParam.migrationQuoteThreshold, 85)
    }),
  )

  it.effect("stays when the token is completed without it, and is overridden by what is sent then", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const built = yield* build({ config: LINKS, deploy: { description: "Of the deployment" } })
      const one = yield* launch(built)
      yield* follow
      const before = (yield* byMint(built.baseMint)).body.data
      const completed = yield* request("/api/tokens", {
        json: draftOf(one, {
          ...{ ...NAME, description: "", website: "", twitter: "https://x.com/other", tags: ["built"] },
          tokenConfig: { dbcConfig: { creatorTradingFeePercentage: 33 } },
        }),
      })
      assert.strictEqual(completed.status, 201, JSON.stringify(completed.body))
      const { data } = completed.body
      assert.deepInclude(data, { id: before.id, description: "Of the deployment", tags: ["built"] })
      assert.deepInclude(data.metadata, { website: LINKS.website, twitter: "https://x.com/other" })
      assert.deepStrictEqual(data.tokenConfig, {
        quoteMint: SOL,
        dbcConfig: { ...before.tokenConfig.dbcConfig, creatorTradingFeePercentage: 33 },
      })
      // Another launch of the configuration, completed without any metadata: nothing is lost.
      const second = yield* launch({ ...built, baseMint: sampleAddress(), pool: sampleAddress() })
      yield* follow
      yield* request("/api/tokens", { json: draftOf(second, NAME) })
      const kept = (yield* byMint(second.baseMint)).body.data
      assert.deepStrictEqual(kept.tokenConfig, before.tokenConfig)
    }),
  )

  it.effect("fills only what a client left out who registered the mint before it was on chain", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const built = yield* build({ config: LINKS, deploy: { description: "Of the deployment" } })
      const own = { description: "My own", tokenConfig: { dbcConfig: { buildCurveMode: 2 } } }
      const early = tokenDraft({ mintAddress: built.baseMint, ...own })
      assert.strictEqual((yield* request("/api/tokens", { json: early })).status, 201)
      yield* launch(built)
      yield* follow
      const { data } = (yield* byMint(built.baseMint)).body
      assert.deepInclude(data, { ...NAME, owner: built.creator, description: "My own" })
      assert.strictEqual(data.metadata.website, LINKS.website)
      assert.deepStrictEqual(data.tokenConfig, { quoteMint: SOL, dbcConfig: { buildCurveMode: 2 } })
    }),
  )

  it.effect("is part of a token that is registered before its launch is folded, or again after it was deleted", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const built = yield* build({ config: LINKS, deploy: { description: "Of the deployment" } })
      const one = yield* launch(built)
      const json = draftOf(one, {
        ...{ ...NAME, description: "", twitter: "https://x.com/other" },
        tokenConfig: { dbcConfig: { creatorTradingFeePercentage: 33, migrationFee: { feePercentage: 4 } } },
      })
      const early = yield* request("/api/tokens", { json })
      assert.strictEqual(early.status, 201, JSON.stringify(early.body))
      const { data } = early.body
      assert.strictEqual(data.description, "Of the deployment")
      assert.deepInclude(data.metadata, { website: LINKS.website, twitter: "https://x.com/other" })
      assert.deepInclude(data.tokenConfig.dbcConfig, {
        ...{ buildCurveMode: 0, feeClaimer: built.creator, creatorTradingFeePercentage: 33 },
        migrationFee: { feePercentage: 4, creatorFeePercentage: 0 },
      })
      yield* follow
      assert.deepStrictEqual((yield* byMint(built.baseMint)).body.data, data)
      yield* request(`/api/tokens/${data.id}`, { method: "DELETE" })
      const again = yield* request("/api/tokens", { json })
      assert.deepStrictEqual(again.body.data.tokenConfig, data.tokenConfig)
      assert.deepStrictEqual(again.body.data.metadata, data.metadata)
    }),
  )

  it.effect("is kept for the rest of a group when a part of it is sent to complete the token", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const one = yield* Effect.flatMap(build(), launch)
      yield* follow
      const tokenConfig = { dbcConfig: { migrationFee: { feePercentage: 4 } } }
      const { body } = yield* request("/api/tokens", { json: draftOf(one, { ...NAME, tokenConfig }) })
      assert.deepStrictEqual(body.data.tokenConfig.dbcConfig.migrationFee, {
        feePercentage: 4,
        creatorFeePercentage: 0,
      })
    }),
  )

  it.effect("applies only where the chain has what was built", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { request } = yield* TestServer
      const built = yield* build({ config: { description: "Mine", ...LINKS }, deploy: { description: "Mine as well" } })
      // Another wallet builds a deployment of the same mint.
      const stolen = { ...NAME, description: "Stolen", uri: built.uri }
      const attack = { signer: sampleWallet(), metadata: stolen, mintAddress: built.baseMint }
      const { dbcConfigKeypair } = yield* post("dbc-config", { signer: attack.signer, metadata: NAME })
      yield* post("deploy-token", { ...attack, dbcConfigKeypair })
      // The configuration's key was used for another configuration than the built one.
      yield* sql`
        insert into dbc_configs (config, quote_mint, fee_claimer, leftover_receiver, token_decimal, created_slot)
        values (${built.config}, ${SOL}, ${sampleAddress()}, ${sampleAddress()}, 6, 1)`
      yield* launch(built)
      // With the same configuration, by another wallet and under another name.
      const other = yield* launch({ config: built.config, name: "Another" })
      yield* follow
      const mine = (yield* byMint(built.baseMint)).body.data
      assert.strictEqual(mine.description, "Mine as well")
      assert.deepStrictEqual(mine.tokenConfig, { quoteMint: SOL })
      assert.deepInclude((yield* byMint(other.baseMint)).body.data, { name: "Another", description: "" })
      assert.strictEqual((yield* request("/api/tokens/search?q=stolen")).body.data.length, 0)
    }),
  )

  it.effect("is in a document that was uploaded here, whose image a market has, in single reads and in lists", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const sql = yield* SqlClient
      const upload = Effect.fn(function* (fields: object) {
        const json = { name: "Mine", symbol: "MINE", ...fields }
        const { body } = yield* request("/api/ipfs/upload-metadata", { json })
        return body.data as { readonly metadataUri: string; readonly cid: string }
      })
      const imageUri = "https://example.com/uploaded.png"
      const document = yield* upload({ imageUri })
      const long = yield* upload({
        imageUri,
        description: "\u{1F680}".repeat(2_500),
        bannerUri: `${imageUri}?${"b".repeat(1_900)}`,
        website: `${imageUri}?${"w".repeat(1_900)}`,
      })
      const elsewhere = "bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e"
      const cases = [
        [document.metadataUri, imageUri],
        [`ipfs://${document.cid}`, imageUri],
        [document.metadataUri.replace("localhost", "gateway.example"), null],
        [`${document.metadataUri}/other.json`, null],
        [`ipfs://${elsewhere}`, null],
        [(yield* upload({})).metadataUri, null],
        [long.metadataUri, null],
        ["https://example.com/m.json", null],
      ] as const
      const expected = new Map<string, string | null>()
      for (const [uri, image] of cases) {
        const mint = sampleAddress()
        yield* create({ mintAddress: mint })
        yield* indexPool(mint)
        yield* sql`update dbc_pools set uri = ${uri} where base_mint = ${mint}`
        const { market } = yield* dataAt(`/api/tokens/mint/${mint}?include=market`)
        assert.strictEqual(market.imageUri, image, uri)
        expected.set(mint, image)
      }
      const rows = (yield* dataAt(
        `/api/tokens?mintAddresses=${[...expected.keys()].join()}&include=market`,
      )) as ReadonlyArray<Token>
      const listed = new Map(rows.map(({ market, mintAddress }) => [mintAddress as string, market!.imageUri]))
      for (const [mint, image] of expected) assert.strictEqual(listed.get(mint), image)
    }),
  )
})
