import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { formOf } from "../../../ipfs/test/images/UploadForms.ts"
import { tokenDraft } from "../Samples.ts"
import { wireAnswer } from "../http/WireRequest.ts"
import { TestServer } from "../TestServer.ts"
import { accessOf, adminAccess, AS_ADMIN } from "./TestAccess.ts"

const APP = "https://app.example"
const OTHER = "https://other.example"

type Headers = Readonly<Record<string, string>>

/** A request of a browser for a page of another site, for one of this site, and what no browser sends. */
const ACROSS: ReadonlyArray<Headers> = [
  { "sec-fetch-site": "cross-site", origin: OTHER },
  { "sec-fetch-site": "cross-site", origin: "null" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "unheard-of", origin: OTHER },
  // A browser without Fetch Metadata, and any browser where the service is neither https nor on this machine.
  { origin: OTHER },
  { origin: "null" },
  { origin: "http://127.0.0.1.other.example" },
]
const AT_HOME: ReadonlyArray<Headers> = [
  {},
  { "sec-fetch-site": "same-origin", origin: "http://127.0.0.1:3001" },
  { "sec-fetch-site": "same-site", origin: "http://127.0.0.1:5173" },
  { "sec-fetch-site": "none" },
  { origin: "http://127.0.0.1:5173" },
  // Pages of this machine, which browsers take for another site.
  { "sec-fetch-site": "cross-site", origin: "http://localhost:5173" },
  { "sec-fetch-site": "cross-site", origin: "http://[::1]:5173" },
]

const register = (headers: Headers) =>
  Effect.flatMap(TestServer, ({ request }) => request("/api/tokens", { json: tokenDraft(), headers }))

/** The answer to a browser's write for a page of its own site, sent to a host and port of this name. */
const writeTo = (host: string, headers: Headers = { origin: `http://${host}` }, path = "/api/tokens") =>
  Effect.flatMap(TestServer, ({ url }) => {
    const json = JSON.stringify(path === "/api/tokens" ? tokenDraft() : { address: tokenDraft().owner })
    const lines = Object.entries({ host, ...headers, "content-type": "application/json", connection: "close" })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")
    return wireAnswer(url, `POST ${path} HTTP/1.1\r\n${head}content-length: ${json.length}\r\n\r\n${json}`)
  })

/** Names that no stranger makes resolve to this service. */
const FIXED = ["localhost:3001", "registry.localhost", "127.9.9.9", "[::1]:3001", "192.168.1.7:3001", "[fd00::7]"]
/** Names that one may. */
const REBOUND = [
  "evil.example:3001",
  "localhost.evil.example",
  "127.0.0.1.evil.example",
  "evillocalhost",
  "app.example",
]

layer(TestServer.layer({ faucet: true }), { excludeTestServices: true })("Where writes are open", (it) => {
  it.effect("no browser writes for a page of another site, and everybody else does", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      for (const headers of ACROSS) {
        const { body, status } = yield* register(headers)
        assert.deepStrictEqual([status, body.code], [403, "forbidden"], JSON.stringify(headers))
        assert.include(body.message, `pages of ${headers.origin ?? "other sites"} may not write`)
      }
      assert.lengthOf((yield* request("/api/tokens")).body.data, 0)
      for (const headers of AT_HOME) assert.strictEqual((yield* register(headers)).status, 201, JSON.stringify(headers))
    }),
  )

  it.effect(
    "no page writes to a host that may have been made to resolve to the service, and clients that are no browsers do",
    () =>
      Effect.gen(function* () {
        for (const host of REBOUND) {
          for (const headers of [{ origin: `http://${host}` }, { "sec-fetch-site": "same-origin" }]) {
            for (const path of ["/api/tokens", "/console/faucet"]) {
              const { body, status } = yield* writeTo(host, headers, path)
              assert.deepStrictEqual([status, body.code], [403, "forbidden"], host)
              assert.include(body.message, `write to ${host},`)
              assert.include(body.message, "PUBLIC_URL or CORS_ORIGINS")
            }
          }
          assert.strictEqual((yield* writeTo(host, {})).status, 201, host)
        }
        for (const host of FIXED) {
          for (const path of ["/api/tokens", "/console/faucet"])
            assert.isBelow((yield* writeTo(host, { origin: `http://${host}` }, path)).status, 300, host)
        }
      }),
  )

  it.effect("that is so for what browsers send without asking first as well, and not for reads and quotes", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const headers = { "sec-fetch-site": "cross-site", origin: OTHER }
      const { data } = (yield* register({})).body
      for (const [path, options] of [
        ["/api/ipfs/upload-image", { raw: formOf(new Uint8Array(8)), headers }],
        [`/api/tokens/${data.id}`, { method: "DELETE", headers }],
        [`/api/tokens/${data.id}`, { method: "PATCH", json: { description: "theirs" }, headers }],
      ] as const)
        assert.strictEqual((yield* request(path, options)).body.code, "forbidden", path)
      assert.strictEqual(
        (yield* request(`/api/tokens/${data.id}`, { headers })).body.data.description,
        data.description,
      )
      const quote = yield* request("/api/launch/quote", { json: {}, headers })
      assert.strictEqual(quote.body.code, "invalid_request")
    }),
  )
})

layer(TestServer.layer({ corsOrigins: [APP], access: accessOf({ writingOrigins: [APP, "https://api.example"] }) }), {
  excludeTestServices: true,
})("With CORS_ORIGINS", (it) => {
  it.effect("pages of these origins write, and those of PUBLIC_URL, and no others", () =>
    Effect.gen(function* () {
      for (const [origin, status] of [
        [APP, 201],
        ["https://api.example", 201],
        [OTHER, 403],
        [`${APP}.other.example`, 403],
      ] as const)
        for (const site of [{}, { "sec-fetch-site": "cross-site" }])
          assert.strictEqual((yield* register({ ...site, origin })).status, status, origin)
      for (const host of ["app.example", "api.example:8443"])
        assert.strictEqual((yield* writeTo(host)).status, 201, host)
      assert.strictEqual((yield* writeTo("other.example")).status, 403)
    }),
  )
})

layer(TestServer.layer({ access: accessOf({ writingOrigins: "all" }) }), { excludeTestServices: true })(
  "With CORS_ORIGINS=*",
  (it) => {
    it.effect("pages of all sites write", () =>
      Effect.gen(function* () {
        for (const headers of ACROSS) assert.strictEqual((yield* register(headers)).status, 201)
      }),
    )
  },
)

layer(TestServer.layer({ access: adminAccess({ writeAuth: ["api-key"] }) }), {
  excludeTestServices: true,
})("Where writes need a credential", (it) => {
  it.effect("it decides alone: no browser adds it by itself", () =>
    Effect.gen(function* () {
      for (const headers of ACROSS) {
        assert.strictEqual((yield* register(headers)).status, 401)
        assert.strictEqual((yield* register({ ...headers, ...AS_ADMIN })).status, 201)
      }
    }),
  )
})
