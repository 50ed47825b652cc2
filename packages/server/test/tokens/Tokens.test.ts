import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { sampleAddress, tokenDraft } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { create, listed } from "./TokenRequests.ts"

const ISO_MILLIS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

layer(TestServer.layer())("Registering and reading tokens", (it) => {
  it.effect("returns the registered token with every documented field", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const draft = tokenDraft({
        tokenUri: "https://example.com/t.json",
        website: "https://example.com",
        tags: ["meme"],
      })
      const { body, headers, status } = yield* request("/api/tokens", { json: draft })
      assert.strictEqual(status, 201)
      assert.isString(body.message)
      const { data } = body
      for (const field of [
        "name",
        "symbol",
        "description",
        "totalSupply",
        "mintAddress",
        "owner",
        "launchpad",
      ] as const) {
        assert.strictEqual(data[field], draft[field])
      }
      assert.strictEqual(data.decimals, 6)
      assert.strictEqual(data.active, true)
      assert.deepStrictEqual(data.tags, ["meme"])
      assert.match(data.createdAt, ISO_MILLIS)
      assert.strictEqual(data.updatedAt, data.createdAt)
      assert.strictEqual(headers.get("location"), `/api/tokens/${data.id}`)
      const read = yield* request(`/api/tokens/${data.id}`)
      assert.deepStrictEqual(read.body.data, data)
      const mintAsId = yield* request(`/api/tokens/${draft.mintAddress}`)
      assert.match(mintAsId.body.message, /^path\.id: expected a UUID; GET \/api\/tokens\/mint\/{address} finds/)
      assert.deepStrictEqual(read.body.data.metadata, {
        tokenUri: "https://example.com/t.json",
        bannerUri: "",
        website: "https://example.com",
        twitter: "",
        telegram: "",
      })
      const byMint = yield* request(`/api/tokens/mint/${draft.mintAddress}`)
      assert.deepStrictEqual(byMint.body.data, data)
      assert.deepStrictEqual((yield* request(`/api/tokens/${data.id.toUpperCase()}`)).body.data, data)
    }),
  )

  it.effect("answers everybody who reads at the same moment with their own token", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const registered = yield* Effect.forEach(Array.from({ length: 5 }), () => create({}), { concurrency: 5 })
      const absent = sampleAddress()
      const reading = yield* Effect.forEach(
        [...registered, ...registered].flatMap(({ id, mintAddress }) => [id, `mint/${mintAddress}`]),
        (path) => request(`/api/tokens/${path}`),
        { concurrency: "unbounded" },
      ).pipe(Effect.zip(request(`/api/tokens/mint/${absent}`), { concurrent: true }))
      const [found, unknown] = reading
      for (const [at, { body }] of found.entries())
        assert.deepStrictEqual(body.data, registered[Math.floor(at / 2) % registered.length])
      assert.strictEqual(unknown.status, 404)
      assert.include(JSON.stringify(unknown.body), absent)
    }),
  )

  it.effect("accepts decimals as a string or a number, and keeps the supply lossless", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const body = JSON.stringify(tokenDraft({ decimals: 9 })).replace('"1000000000"', "18446744073709551615")
      const answer = yield* request("/api/tokens", { raw: body, headers: { "content-type": "application/json" } })
      assert.strictEqual(answer.status, 201)
      assert.strictEqual(answer.body.data.totalSupply, "18446744073709551615")
      assert.strictEqual(answer.body.data.decimals, 9)
    }),
  )

  it.effect("refuses a registered mint, and stores nothing of the request", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const token = yield* create()
      const again = yield* request("/api/tokens", {
        json: tokenDraft({ mintAddress: token.mintAddress, tags: ["again"] }),
      })
      assert.strictEqual(again.status, 409)
      assert.strictEqual(again.body.code, "already_exists")
      assert.deepStrictEqual(again.body.details, { resource: "token", id: token.id })
      assert.lengthOf(yield* listed("/api/tokens?tag=again"), 0)
    }),
  )

  it.effect("changes mutable fields, and refuses every other one by name", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const token = yield* create({ tags: ["old"] })
      const json = { name: "Renamed", description: "", tags: ["new", "new"], active: false, twitter: "https://x.com/a" }
      const changed = yield* request(`/api/tokens/${token.id}`, { method: "PATCH", json })
      assert.strictEqual(changed.status, 200, JSON.stringify(changed.body))
      assert.strictEqual(changed.body.data.name, "Renamed")
      assert.strictEqual(changed.body.data.active, false)
      assert.strictEqual(changed.body.data.metadata.twitter, "https://x.com/a")
      assert.isTrue(changed.body.data.updatedAt >= token.updatedAt)
      assert.lengthOf(yield* listed("/api/tokens?tag=old"), 0)
      assert.lengthOf(yield* listed("/api/tokens?tag=new&active=false"), 1)
      const fixed = ["mintAddress", "owner", "totalSupply", "decimals", "launchpad", "id", "createdAt"] as const
      for (const field of fixed) {
        const refused = yield* request(`/api/tokens/${token.id}`, { method: "PATCH", json: { [field]: token[field] } })
        assert.strictEqual(refused.status, 400, field)
        assert.include(JSON.stringify(refused.body.issues), `body.${field}`)
      }
      const empty = yield* request(`/api/tokens/${token.id}`, { method: "PATCH", json: {} })
      assert.strictEqual(empty.status, 400)
    }),
  )

  it.effect("hides a deleted token from every read, and its mint can be registered again", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const token = yield* create({ tags: ["doomed"], symbol: "DOOM" })
      const deleted = yield* request(`/api/tokens/${token.id}`, { method: "DELETE" })
      assert.strictEqual(deleted.status, 200)
      assert.deepStrictEqual(deleted.body.data, { deleted: true })
      assert.isString(deleted.body.message)
      const reads = [`/api/tokens/${token.id}`, `/api/tokens/mint/${token.mintAddress}`]
      for (const path of reads) assert.strictEqual((yield* request(path)).status, 404, path)
      const lists = ["/api/tokens?tag=doomed", "/api/tokens/search?q=doom", `/api/tokens/address/${token.owner}`]
      for (const path of lists) assert.lengthOf(yield* listed(path), 0, path)
      assert.strictEqual((yield* request(`/api/tokens/${token.id}`, { method: "DELETE" })).status, 404)
      yield* create({ mintAddress: token.mintAddress })
    }),
  )
})
