import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { openRaw } from "../../../http/test/RawConnection.ts"
import { accessOf } from "../access/TestAccess.ts"
import { sampleAddress, tokenDraft, transactionDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"

const POOLS = "/api/launch/pool"
const POOL = `${POOLS}/${SEEDED_MINTS.spl}`

/** What may be kept of an answer that is the same for everybody, and has an ETag. */
const CACHED: ReadonlyArray<readonly [path: string, cacheControl: RegExp]> = [
  ["/api/tokens", /^no-cache$/],
  ["/api/tokens?limit=20", /^no-cache$/],
  ["/api/tokens/search?q=smpl", /^no-cache$/],
  ["/api/tokens/popular", /^public, max-age=0, s-maxage=2$/],
  [`/api/tokens/address/${sampleAddress()}`, /^no-cache$/],
  [`/api/tokens/holders/${SEEDED_MINTS.spl}`, /^public, max-age=10$/],
  ["/api/transactions", /^no-cache$/],
  [`/api/transactions/user/${sampleAddress()}`, /^no-cache$/],
  [`/api/transactions/token/${sampleAddress()}`, /^no-cache$/],
  ["/api/launch/pools", /^no-cache$/],
  [`${POOLS}/config/${SEEDED_MINTS.spl}`, /^public, max-age=86400, immutable$/],
  [`${POOLS}/metadata/${SEEDED_MINTS.spl}`, /^no-cache$/],
  [`${POOL}/candles`, /^no-cache$/],
  [`${POOL}/trades`, /^no-cache$/],
  ["/api/launch/trades", /^no-cache$/],
  ["/api/launch/claims", /^no-cache$/],
  [`/api/launch/creators/${sampleAddress()}`, /^public, max-age=0, s-maxage=2$/],
  ["/api/launch/whitelist", /^no-cache$/],
  [`/api/tokens/holders/${SEEDED_MINTS.spl}/count`, /^public, max-age=10$/],
]

/** Live readings, what is for operators, and errors, which a cache could otherwise keep for as long as it likes. */
const NOT_STORED = [
  ...["/", "/livez", "/readyz", "/metrics", "/api/ipfs/health", "/api/system/rpc", "/api/system/indexer"],
  ...[`${POOLS}/state/${SEEDED_MINTS.spl}`, `${POOLS}/curve-progress/${SEEDED_MINTS.spl}`, `${POOL}/fees`],
  ...["/api/tokens/00000000-0000-4000-8000-000000000000", "/api/nothing", "/api/tokens?limit=x"],
  ...["/ipfs/bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy", `/api/tokens/mint/${sampleAddress()}`],
]

layer(TestServer.layer())("What caches may do with an answer", (it) => {
  it.effect("is said by every read, with the ETag that it is asked for again by", () =>
    Effect.gen(function* () {
      const { fetch, request } = yield* TestServer
      const token = (yield* request("/api/tokens", { json: tokenDraft() })).body.data
      const record = (yield* request("/api/transactions", { json: transactionDraft() })).body.transaction
      const single = [
        `/api/tokens/${token.id}`,
        `/api/tokens/mint/${token.mintAddress}`,
        `/api/transactions/${record.id}`,
        `/api/launch/whitelist/${token.mintAddress}`,
      ]
      for (const [path, cacheControl] of [...CACHED, ...single.map((path) => [path, /^no-cache$/] as const)]) {
        const { headers, status } = yield* fetch(path)
        assert.strictEqual(status, 200, path)
        assert.match(headers.get("cache-control") ?? "", cacheControl, path)
        const etag = headers.get("etag") ?? ""
        assert.match(etag, /^"[\w-]{22}"$/, path)
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
          const again = yield* fetch(path, { headers: { "if-none-match": known } })
          assert.strictEqual(again.status, 304, `${path} ${known}`)
          assert.strictEqual(yield* Effect.promise(() => again.text()), "")
          // What a stored answer is updated with.
          assert.strictEqual(again.headers.get("etag"), etag, path)
          assert.match(again.headers.get("cache-control") ?? "", cacheControl, path)
        }
        const head = yield* fetch(path, { method: "HEAD" })
        assert.strictEqual(head.headers.get("etag"), etag, path)
        assert.strictEqual((yield* fetch(path, { headers: { "if-none-match": '"other"' } })).status, 200, path)
      }
    }),
  )

  it.effect("is nothing, where an answer is live, for one caller, a write's or an error", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      for (const path of NOT_STORED) {
        const { headers } = yield* fetch(path, { headers: { accept: "application/json" } })
        assert.strictEqual(headers.get("cache-control"), "no-store", path)
        assert.isNull(headers.get("etag"), path)
      }
      const written = yield* fetch("/api/tokens", {
        ...{ method: "POST", headers: { "content-type": "application/json" } },
        body: JSON.stringify(tokenDraft()),
      })
      assert.strictEqual(written.status, 201)
      assert.strictEqual(written.headers.get("cache-control"), "no-store")
      const { closed } = yield* openRaw((yield* TestServer).url, "nonsense\r\n\r\n")
      assert.match(yield* closed, /^HTTP\/1\.1 400 [^]*\r\ncache-control: no-store\r\n/)
    }),
  )
})

const KEY = "an-admin-key-of-at-least-32-characters"

layer(TestServer.layer({ access: accessOf({ adminKeys: [Redacted.make(KEY)] }) }))("What operators read", (it) => {
  it.effect("is kept by no cache, a list neither", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const indexer = ["jobs", "dead-letters", "poison"].map((list) => `/api/system/indexer/${list}`)
      for (const path of ["/api/system/audit", "/api/system/audit?limit=1", "/api/system/rpc", ...indexer]) {
        for (const headers of [{ "x-api-key": KEY }, { "x-api-key": KEY, "if-none-match": "*" }]) {
          const answer = yield* fetch(path, { headers })
          assert.strictEqual(answer.status, 200, path)
          assert.strictEqual(answer.headers.get("cache-control"), "no-store", path)
          assert.isNull(answer.headers.get("etag"), path)
        }
      }
    }),
  )
})
