import { CID_BASES, parseCid } from "@launch-registry/ipfs/content/ParseCid"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { launch, launchConfig } from "../../../server/test/tokens/ChainLaunches.ts"
import { randomOf } from "../Random.ts"
import { sampleAddress, sampleWallet, tokenDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"
import { provenIndex } from "./SweptContent.ts"

const KEPT_DAYS = 30

let made = 0

const post = Effect.fnUntraced(function* (path: string, json: object) {
  const { request } = yield* TestServer
  const { body, status } = yield* request(path, { json })
  assert.include([200, 201], status, JSON.stringify(body))
  return body.data
})

/** Stores a document of its own; returns its CID. */
const upload = Effect.fnUntraced(function* (fields: object = {}) {
  const data = yield* post("/api/ipfs/upload-metadata", { name: `Document ${++made}`, symbol: "DOC", ...fields })
  return data.cid as string
})

const statusOf = Effect.fnUntraced(function* (cid: string) {
  const { fetch } = yield* TestServer
  const response = yield* fetch(`/ipfs/${cid}`)
  yield* Effect.promise(() => response.arrayBuffer())
  return response.status
})

const register = (fields: object) => post("/api/tokens", tokenDraft({ ...fields }))

/** Builds a launch with this metadata; returns its mint, its configuration and the URI of its document. */
const build = Effect.fnUntraced(function* (metadata: object) {
  const signer = sampleWallet()
  const named = { name: "Built", symbol: "BLT", ...metadata }
  const { dbcConfigKeypair } = yield* post("/api/launch/dbc-config", { signer, metadata: named })
  const { baseMint, uri } = yield* post("/api/launch/deploy-token", { signer, metadata: named, dbcConfigKeypair })
  return { baseMint: baseMint as string, config: dbcConfigKeypair.publicKey as string, uri: uri as string }
})

const base58 = (cid: string) =>
  parseCid(cid)!.toString(CID_BASES.find(({ name }) => name === "base58btc")!.encoder as never)

layer(TestServer.layer({ uploadsKeptDays: KEPT_DAYS }))("Uploads that are old", (it) => {
  it.effect("stay while a token or a launch names them, and are gone otherwise", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const sql = yield* SqlClient
      yield* provenIndex
      const kept: Record<string, string> = {}
      const gone: Record<string, string> = {}
      const keep = (name: string, cid: string) => {
        kept[name] = cid
        return cid
      }

      yield* register({ tokenUri: `ipfs://${keep("a token", yield* upload())}` })
      yield* register({ bannerUri: `https://gw.example/ipfs/${base58(keep("another base", yield* upload()))}/a.png` })
      yield* register({ website: `https://${keep("a subdomain", yield* upload())}.ipfs.example/?a=1` })
      const proxied = `https%3A%2F%2Fgw.example%2Fipfs%2F${keep("a proxy", yield* upload())}`
      yield* register({ twitter: `https://proxy.example/?url=${proxied}&w=64` })
      const { id } = yield* register({ tokenUri: `ipfs://${keep("a deleted token", yield* upload())}` })
      assert.strictEqual((yield* request(`/api/tokens/${id}`, { method: "DELETE" })).status, 200)
      const picture = keep("a picture of a document that is named", yield* upload())
      const document = yield* upload({ imageUri: `ipfs://${picture}` })
      yield* register({ tokenUri: `http://localhost:3001/ipfs/${keep("that document", document)}` })

      const launched = keep("a launch on chain", yield* upload())
      yield* launch({ config: yield* launchConfig(), uri: `https://gw.example/ipfs/${launched}` })
      const cidOf = (uri: string) => uri.split("/").at(-1)!
      const image = keep("a picture of a launch that may be signed yet", yield* upload())
      keep("its document", cidOf((yield* build({ imageUri: `ipfs://${image}` })).uri))
      const configured = keep("a picture of a configuration that was just built", yield* upload())
      const metadata = { name: "Configured", symbol: "CFG", imageUri: `ipfs://${configured}` }
      yield* post("/api/launch/dbc-config", { signer: sampleWallet(), metadata })
      const elsewhere = "https://elsewhere.example/m.json"
      const pictureOnChain = keep("a picture of a launch on chain", yield* upload())
      const onChain = yield* build({ imageUri: `ipfs://${pictureOnChain}`, uri: elsewhere })
      yield* launch({ config: onChain.config, baseMint: onChain.baseMint, uri: elsewhere })
      const abandoned = yield* build({
        imageUri: `ipfs://${(gone["a picture of an abandoned launch"] = yield* upload())}`,
      })
      gone["the document of an abandoned launch"] = cidOf(abandoned.uri)
      for (const { baseMint, config } of [onChain, abandoned]) {
        yield* sql`update launch_deployments set created_at = created_at - interval '31 days' where base_mint = ${baseMint}`
        yield* sql`update launch_configs set created_at = created_at - interval '31 days' where config_address = ${config}`
      }

      gone["what nothing names"] = yield* upload()
      yield* sql`update ipfs_uploads set used_at = used_at - interval '31 days'`
      const young = keep("what is young", yield* upload())
      // Cached before it is deleted.
      for (const cid of Object.values(gone)) assert.strictEqual(yield* statusOf(cid), 200)

      const left = sql`select from ipfs_uploads where cid = any(${Object.values(gone)}::text[])`
      // Much less than the days that are kept: a sweep takes real time.
      for (let look = 0; (yield* left).length > 0; look++) {
        if (look % 100 === 0 && look < 1_000) yield* TestClock.adjust("1 hour")
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 10)))
      }
      for (const [name, cid] of Object.entries(kept)) assert.strictEqual(yield* statusOf(cid), 200, name)
      for (const [name, cid] of Object.entries(gone)) {
        // What was cached is forgotten within a minute.
        while ((yield* statusOf(cid)) === 200) yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* statusOf(cid), 404, name)
      }
      assert.strictEqual((yield* sql`select from ipfs_uploads where cid = ${young}`).length, 1)
    }),
  )

  it.effect("may be named by texts that are longer than an index takes", () =>
    Effect.gen(function* () {
      const random = randomOf(5)
      const long = (length: number) => Array.from({ length }, () => random(36).toString(36)).join("")
      const link = (length = 2_048) => `https://example.com/${long(length - 20)}`
      const links = { tokenUri: link(), bannerUri: link(), website: link(), twitter: link(), telegram: link() }
      const { id } = yield* register(links)
      const { body } = yield* (yield* TestServer).request(`/api/tokens/${id}`)
      assert.deepInclude(body.data.metadata, links)
      yield* build({ imageUri: link(), bannerUri: link(), description: long(5_000) })
      yield* launch({ config: sampleAddress(), uri: link(50_000) })
    }),
  )
})
