import type { Token } from "@launch-registry/domain/tokens/Token"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { create, dataAt } from "../tokens/TokenRequests.ts"
import { indexPool } from "./IndexedTrades.ts"

layer(TestServer.layer())("The market of a token", (it) => {
  it.effect("has the image of a document that was uploaded here, in single reads and in lists", () =>
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
        `/api/tokens?mints=${[...expected.keys()].join()}&include=market`,
      )) as ReadonlyArray<Token>
      const listed = new Map(rows.map(({ market, mintAddress }) => [mintAddress as string, market!.imageUri]))
      for (const [mint, image] of expected) assert.strictEqual(listed.get(mint), image)
    }),
  )
})
