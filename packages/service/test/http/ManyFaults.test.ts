import { assert, layer } from "@effect/vitest"
import { Effect, SchemaAST } from "effect"
import { SOL, tokenDraft } from "../Samples.ts"
import { type RequestOptions, TestServer } from "../TestServer.ts"
import { DECLARED } from "../../../http/test/DeclaredParts.ts"

/** The maximum length of an error: it does not repeat the request. */
const ANSWER_LENGTH_MAX = 4_000

const refused = Effect.fn(function* (path: string, options: RequestOptions = {}) {
  const { request } = yield* TestServer
  const { body, status } = yield* request(path, options)
  assert.deepStrictEqual([status, body.code], [400, "invalid_request"], JSON.stringify(body).slice(0, 300))
  assert.isAtMost(JSON.stringify(body).length, ANSWER_LENGTH_MAX)
  assert.isAtMost(body.issues.length, 21)
  return body as {
    readonly message: string
    readonly issues: ReadonlyArray<{ readonly path: string; message: string }>
  }
})

const REST = { path: "body", message: "and more: the rest was not checked" }

layer(TestServer.layer())("A refused request", (it) => {
  it.effect("gets a short answer when a list is too long, at any depth", () =>
    Effect.gen(function* () {
      let tried = 0
      for (const { body, method, url } of DECLARED) {
        for (const { ast, holding } of body) {
          if (!SchemaAST.isArrays(ast)) continue
          yield* refused(url, { method, json: holding(Array(9_000).fill("x".repeat(9))) })
          tried++
        }
      }
      assert.isAtLeast(tried, 5)
      for (const bytes of [Array(9_000).fill("x"), Object.fromEntries(Array(9_000).fill("x").entries())]) {
        const json = { metadata: { name: "a", symbol: "b" }, signer: SOL, dbcConfigKeypair: { publicKey: bytes } }
        const { issues } = yield* refused("/api/launch/deploy-token", { json })
        assert.match(issues[0]!.path, /^body\.dbcConfigKeypair\.publicKey/)
      }
    }),
  )

  it.effect("reports the first twenty, and the number of others", () =>
    Effect.gen(function* () {
      const fields = { tags: Array(20).fill(1), name: 1, symbol: 1, description: 1, owner: 1, launchpad: 1, website: 1 }
      const { issues, message } = yield* refused("/api/tokens", { json: tokenDraft(fields) })
      assert.lengthOf(issues, 21)
      assert.deepStrictEqual(issues.at(-1), { path: "body", message: "and 6 more issues" })
      assert.match(message, /\(and more\)$/)
      const few = yield* refused("/api/tokens", { json: tokenDraft({ name: 1, symbol: 1 }) })
      assert.match(few.message, /\(and 1 more\)$/)
    }),
  )

  it.effect("reports the first twenty and that there are more, where validation stopped", () =>
    Effect.gen(function* () {
      const names = (name: string) => Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [name + at, 1]))
      for (const body of [
        tokenDraft({ tags: Array(9_000).fill("\0") }),
        tokenDraft({ tags: Array(9_000).fill("\ud800") }),
        tokenDraft({ tokenConfig: { dbcConfig: names("z") } }),
        tokenDraft(names("desciption")),
      ]) {
        const { issues, message } = yield* refused("/api/tokens", { json: body })
        assert.lengthOf(issues, 21)
        assert.deepStrictEqual(issues.at(-1), REST)
        assert.match(message, /\(and more\)$/)
      }
    }),
  )

  it.effect("is refused without validation when it has too many values", () =>
    Effect.gen(function* () {
      const nested: unknown = JSON.parse(`[${Array(1_000).fill("[[[[[[[[[[[[]]]]]]]]]]]]").join()}]`)
      for (const tags of [Array(20_000).fill(1), Object.fromEntries(Array(11_000).fill(1).entries()), nested]) {
        const { issues } = yield* refused("/api/tokens", { json: tokenDraft({ tags }) })
        assert.deepStrictEqual(issues, [{ path: "body", message: "expected JSON with at most 10000 values" }])
      }
    }),
  )

  it.effect("gets a short answer when it has one huge string, number or name", () =>
    Effect.gen(function* () {
      const huge = "1".repeat(100_000)
      for (const fields of [{ name: huge }, { totalSupply: huge }, { mintAddress: huge }, { [huge]: 1 }])
        yield* refused("/api/tokens", { json: tokenDraft(fields) })
      const raw = JSON.stringify(tokenDraft({ totalSupply: "@" })).replace('"@"', huge)
      yield* refused("/api/tokens", { raw, method: "POST", headers: { "content-type": "application/json" } })
    }),
  )

  it.effect("reports the first twenty of a query, and huge values briefly", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { issues } = yield* refused(`/api/tokens?${Array.from({ length: 1500 }, (_, at) => `z${at}=1`).join("&")}`)
      assert.lengthOf(issues, 21)
      assert.deepStrictEqual(issues.at(-1), { path: "query", message: REST.message })
      const exactly = yield* refused(
        `/api/tokens?${Array.from({ length: 20 }, (_, at) => `z${at}=1`).join("&")}&limit=1`,
      )
      assert.lengthOf(exactly.issues, 20)
      const long = "1".repeat(14_000)
      for (const name of ["tag", "mintAddresses", "limit", "cursor", "startDate", "launchpad", `z${long.slice(100)}`]) {
        const refusal = yield* refused(`/api/tokens?${name}=${long.slice(0, 14_000 - name.length)}`)
        assert.lengthOf(refusal.issues, 1)
      }
      yield* refused(`/api/stream?mintAddresses=${"a,".repeat(7_000)}`)
      yield* refused(`/api/tokens/${long}`)
      for (const headers of [{ "idempotency-key": long }, { "idempotency-key": "é" }])
        yield* refused("/api/tokens", { json: tokenDraft(), headers })
      const { body } = yield* request(`/${long}`)
      assert.isAtMost(JSON.stringify(body).length, ANSWER_LENGTH_MAX)
    }),
  )

  it.effect("has other numbers in its query than decimal digits, or lists with empty items", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      for (const number of ["1e2", "0x10", "%2B5", "%205", "5%20", "1.0", "1.", "-0", "Infinity", "1_0", "%D9%A3"]) {
        const { issues } = yield* refused(`/api/tokens?limit=${number}`)
        assert.deepStrictEqual(issues, [{ path: "query.limit", message: "expected a whole number from 1 to 1000" }])
      }
      for (const number of ["5", "007", "1000"])
        assert.strictEqual((yield* request(`/api/tokens?limit=${number}`)).status, 200, number)
      for (const list of [",,", ",", `${SOL},`, `,${SOL}`, `${SOL},,${SOL}`, Array(101).fill(SOL).join()]) {
        for (const [path, most] of [
          ["/api/tokens?mintAddresses", 100],
          ["/api/stream?mintAddresses", 50],
        ] as const) {
          const { issues } = yield* refused(`${path}=${list}`)
          const message = `expected at most ${most} comma-separated Solana addresses`
          assert.deepStrictEqual(issues, [{ path: path.replace(/.*\?/, "query."), message }])
        }
      }
      assert.strictEqual((yield* request(`/api/tokens?mintAddresses=${Array(100).fill(SOL).join()}`)).status, 200)
    }),
  )
})
