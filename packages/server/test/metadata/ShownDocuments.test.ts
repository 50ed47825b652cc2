import type { Launch } from "@launch-registry/domain/launch/Launch"
import type { TokenDetails } from "@launch-registry/domain/tokens/Token"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { fetchDocuments } from "../../src/metadata/FetchDocuments.ts"
import { indexPool } from "../launch/IndexedTrades.ts"
import { compareAll } from "../launch/ManyLaunches.ts"
import { create, dataAt } from "../tokens/TokenRequests.ts"
import { DocumentHost, json } from "./DocumentHost.ts"

const URI = "https://tokens.example/1.json"
const FIELDS = {
  ...{ image: "https://tokens.example/1.png", description: "Fetched", website: "https://tokens.example" },
  ...{ twitter: "https://x.com/fetched", telegram: "https://t.me/fetched" },
}
const FETCHED = { fetchedAt: "2026-11-21T09:30:00.125Z", source: "cdn.tokens.example" }

/** A launch with this URI, of whose metadata document this was fetched. */
const launched = Effect.fnUntraced(function* (document: object | null, fetchedFrom = URI) {
  const sql = yield* SqlClient
  const mint = sampleAddress()
  yield* indexPool(mint, { decimals: 6 })
  yield* sql`
    update dbc_pools set creator = ${sampleAddress()}, name = 'Chain', symbol = 'CHAIN', uri = ${URI} where base_mint = ${mint}`
  const [fetchedAt, source] = document === null ? [null, null] : [new Date(FETCHED.fetchedAt), FETCHED.source]
  yield* sql`
    insert into fetched_documents (mint, uri, site, attempts, document, source, fetched_at)
    values (${mint}, ${fetchedFrom}, 'tokens.example', 5, ${document && JSON.stringify(document)}::text::jsonb, ${source}, ${fetchedAt})`
  yield* compareAll
  return mint
})

const rowOf = (mint: string) =>
  Effect.map(
    dataAt(`/api/launch/pools?registered=any&mintAddresses=${mint}`),
    (data) => (data as ReadonlyArray<Launch>)[0]!,
  )

const ofMint = (mint: string) => Effect.map(dataAt(`/api/tokens/mint/${mint}`), (data) => data as TokenDetails)

layer(TestServer.layer({ rpcUrl: "http://127.0.0.1:9" }), { excludeTestServices: true })("What was fetched", (it) => {
  it.effect(
    "is beside what the chain says of a launch, with when and from where; name and symbol stay the chain's",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const host = yield* DocumentHost.make
        host.answers.set("/1.json", json({ ...FIELDS, name: "Other", symbol: "OTHER" }))
        const mint = yield* launched(null, "https://tokens.example/before.json")
        yield* sql`update dbc_pools set uri = ${`${host.url}/1.json`} where base_mint = ${mint}`
        const worker = yield* fetchDocuments({
          gateways: [],
          allowsPrivate: true,
          timeoutMillis: 300_000,
          paceMillis: 0,
        })
        yield* worker.find
        const startedAt = Date.now()
        yield* worker.fetchFrom("127.0.0.1")
        const row = yield* rowOf(mint)
        assert.deepInclude(row, { name: "Chain", symbol: "CHAIN", uri: `${host.url}/1.json`, token: null })
        const { fetchedAt, ...document } = row.document!
        assert.deepStrictEqual(document, { ...FIELDS, source: "127.0.0.1" })
        assert.isAtLeast(Date.parse(fetchedAt), startedAt)
        assert.deepStrictEqual((yield* rowOf(yield* launched({}))).document, FETCHED)
      }),
  )

  it.effect("is left out where nothing was fetched, and where the launch has another URI by now", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      assert.notProperty(yield* rowOf(yield* launched(null)), "document")
      assert.notProperty(yield* rowOf(yield* launched(FIELDS, "https://tokens.example/before.json")), "document")
      const mint = yield* launched(FIELDS)
      const label = { mint, name: "Chain", symbol: "CHAIN", uri: "https://tokens.example/after.json" }
      yield* sql`insert into token_labels ${sql.insert({ ...label, isFinal: false, slot: 1n, readAt: new Date() })}`
      assert.notProperty(yield* rowOf(mint), "document")
    }),
  )

  it.effect("says nothing that a registered token says itself", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const mint = yield* launched(FIELDS)
      const [pool] = yield* sql<{ readonly creator: string }>`select creator from dbc_pools where base_mint = ${mint}`
      const links = { tokenUri: URI, website: "https://own.example" }
      const draft = { mintAddress: mint, owner: pool!.creator, name: "Chain", symbol: "CHAIN", decimals: 6 }
      const created = yield* create({ ...draft, totalSupply: "1", ...links, description: "Own" })
      const { description: _description, website: _website, ...rest } = FIELDS
      for (const token of [created, yield* ofMint(mint), yield* dataAt(`/api/tokens/${created.id}`)]) {
        assert.deepInclude(token, { description: "Own" })
        assert.strictEqual(token.metadata.website, "https://own.example")
        assert.deepStrictEqual(token.document, { ...rest, ...FETCHED })
      }
      const row = yield* rowOf(mint)
      assert.deepStrictEqual(row.document, { ...rest, ...FETCHED })
      assert.notProperty(row.token!, "document")
    }),
  )
})
