import { assert, layer } from "@effect/vitest"
import { Effect, Result, Schema, SchemaAST } from "effect"
import { issuesOf as wordsOf } from "@launch-registry/http/requests/SchemaIssues"
import { sampleWallet, SOL, tokenDraft, transactionDraft } from "../Samples.ts"
import { type RequestOptions, TestServer } from "../TestServer.ts"
import { DECLARED, type DeclaredEndpoint, literalsOf } from "../../../http/test/DeclaredParts.ts"

interface Issue {
  readonly path: string
  readonly message: string
}

/** Names of our schemas mean nothing to a client, and neither do messages of a library. */
const checkWords = (issues: ReadonlyArray<Issue>) => {
  for (const { message, path } of issues) {
    assert.notMatch(message, /\b(Expected|Invalid|Missing|Unexpected|undefined|<filter>)\b/, path)
    assert.isAtMost(message.length, 600, path)
  }
  const paths = issues.map(({ path }) => path).filter((path) => path !== "body" && path !== "query")
  assert.deepStrictEqual(paths, [...new Set(paths)], "one issue a fault")
}

/** The issues of a request that is refused as invalid. */
const issuesOf = Effect.fn(function* (path: string, options: RequestOptions = {}) {
  const { request } = yield* TestServer
  const { body, status } = yield* request(path, options)
  const shown = `${options.method ?? ""} ${path} ${JSON.stringify(options.json)} ${JSON.stringify(body)}`
  assert.strictEqual(status, 400, shown)
  assert.strictEqual(body.code, "invalid_request", shown)
  checkWords(body.issues)
  return body.issues as ReadonlyArray<Issue>
})

/** The faults of a body, without a server: there are many to try. */
const faultsOf = (schema: Schema.Constraint, body: unknown): ReadonlyArray<Issue> => {
  const decode = Schema.decodeUnknownResult(schema as Schema.Codec<unknown, unknown>, {
    errors: "all",
    onExcessProperty: "error",
  })
  const result = decode(body)
  return Result.isFailure(result) ? wordsOf("body", result.failure.issue) : []
}

const messageAt = (issues: ReadonlyArray<Issue>, path: string): string => {
  const found = issues.find((issue) => issue.path === path)
  assert.isDefined(found, `${path} in ${JSON.stringify(issues)}`)
  return found!.message
}

const send = ({ method, url }: DeclaredEndpoint, json: unknown) => issuesOf(url, { method, json })

layer(TestServer.layer())("A request", (it) => {
  it.effect("may have declared parameters only", () =>
    Effect.gen(function* () {
      assert.isAbove(DECLARED.length, 40)
      for (const { method, name, url } of DECLARED) {
        const issues = yield* issuesOf(`${url}?zzz=1`, { method })
        assert.match(messageAt(issues, "query.zzz"), /^is not a parameter of this endpoint/, name)
      }
      for (const { method, parameters, url } of DECLARED) {
        for (const { path } of parameters) {
          const mistyped = path.replace("query.", "").replace(/.$/, "$&x")
          // One letter is close to nothing.
          if (mistyped.length === 2) continue
          const issues = yield* issuesOf(`${url}?${mistyped}=1`, { method })
          assert.include(messageAt(issues, `query.${mistyped}`), `did you mean ${mistyped.slice(0, -1)}?`)
        }
      }
    }),
  )

  it.effect("may have each parameter once, and with a value", () =>
    Effect.gen(function* () {
      let tried = 0
      for (const { method, parameters, url } of DECLARED) {
        for (const { ast, path } of parameters) {
          const name = path.replace("query.", "")
          const twice = yield* issuesOf(`${url}?${name}=1&${name}=2`, { method })
          assert.include(messageAt(twice, path), "more than once")
          // A declared value: the memo of a swap without one.
          if (name === "memo") continue
          const empty = messageAt(yield* issuesOf(`${url}?${name}=`, { method }), path)
          const isOptional = SchemaAST.isOptional(ast)
          assert.strictEqual(
            empty,
            isOptional ? "expected a value; omit the parameter to not filter" : "expected a value",
          )
          tried++
        }
      }
      assert.isAbove(tried, 40)
    }),
  )

  it.effect("may have declared fields only, at any depth", () =>
    Effect.gen(function* () {
      const depths = new Set<number>()
      for (const endpoint of DECLARED) {
        for (const { ast, holding, path } of endpoint.body) {
          if (!SchemaAST.isObjects(ast)) continue
          const issues = yield* send(endpoint, holding({ zzz: 1 }))
          assert.match(messageAt(issues, `${path}.zzz`), /^is not a field here/, `${endpoint.name} ${path}`)
          const [first] = ast.propertySignatures
          const mistyped = `${String(first!.name)}x`
          const near = messageAt(yield* send(endpoint, holding({ [mistyped]: 1 })), `${path}.${mistyped}`)
          assert.include(near, `did you mean ${String(first!.name)}?`)
          depths.add(path.split(".").length)
        }
      }
      assert.includeMembers([...depths], [1, 2, 3, 4])
    }),
  )

  it.effect("gets the allowed values where only certain values are", () =>
    Effect.gen(function* () {
      let tried = 0
      for (const endpoint of DECLARED) {
        for (const { ast, holding, path } of endpoint.body) {
          const allowed = literalsOf(ast)
          if (allowed.length === 0) continue
          const message = messageAt(yield* send(endpoint, holding("zzz")), path)
          assert.strictEqual(
            message,
            allowed.length === 1 ? `expected ${allowed[0]}` : `expected one of ${allowed.join(", ")}`,
          )
          tried++
        }
        for (const { ast, path } of endpoint.parameters) {
          const allowed = literalsOf(ast)
          if (allowed.length === 0) continue
          // A malformed path parameter would be reported first.
          if (/[0-9]{8}-/.test(endpoint.url)) continue
          const required = endpoint.name === "tokens.search" ? "q=a&" : ""
          const issues = yield* issuesOf(`${endpoint.url}?${required}${path.replace("query.", "")}=zzz`)
          assert.include(messageAt(issues, path), allowed.join(", "))
          tried++
        }
      }
      assert.isAbove(tried, 25)
    }),
  )

  it.effect("gets one issue for a wrong type, in terms of JSON", () =>
    Effect.gen(function* () {
      for (const endpoint of DECLARED) {
        for (const { holding, path } of endpoint.body) {
          for (const value of [{}, [], true, -1.5, "", null]) {
            const issues = faultsOf(endpoint.bodySchema!, holding(value))
            checkWords(issues)
            assert.isAtMost(issues.filter((issue) => issue.path === path).length, 1)
          }
        }
        if (endpoint.body.length === 0) continue
        for (const body of [[], "text", 1, null, true]) {
          assert.strictEqual(messageAt(yield* send(endpoint, body), "body"), "expected a JSON object")
        }
      }
    }),
  )

  it.effect("gets an issue for each missing field, in the body and in the query", () =>
    Effect.gen(function* () {
      const issues = yield* issuesOf("/api/launch/dbc-config", { json: { metadata: {}, signer: null } })
      for (const field of ["metadata.name", "metadata.symbol", "signer"])
        assert.strictEqual(messageAt(issues, `body.${field}`), "is required")
      assert.strictEqual(messageAt(yield* issuesOf("/api/tokens/search"), "query.q"), "is required")
    }),
  )

  it.effect("gets a bounded number of unknown fields, and none that may be a secret", () =>
    Effect.gen(function* () {
      const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`zzz${at}`, at]))
      const issues = yield* issuesOf("/api/tokens", { json: tokenDraft(many) })
      assert.lengthOf(issues, 21)
      assert.deepStrictEqual(issues.at(-1), { path: "body", message: "and more: the rest was not checked" })
      const secret = "5".repeat(88)
      for (const [path, json] of [
        ["/api/tokens", tokenDraft({ [secret]: 1 })],
        [`/api/tokens?${secret}=1`, undefined],
      ] as const) {
        const told = JSON.stringify(yield* issuesOf(path, { json }))
        assert.include(told, "a name of 88 characters is not")
        assert.notInclude(told, "5555")
      }
    }),
  )

  it.effect("may have null for omitted fields, at every depth", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const nulls = { description: null, tags: null, website: null }
      const tokenConfig = { quoteMint: null, dbcConfig: { buildCurveMode: 0, leftover: null, migrationFee: null } }
      const created = yield* request("/api/tokens", { json: tokenDraft({ ...nulls, tokenConfig }) })
      assert.strictEqual(created.status, 201, JSON.stringify(created.body))
      assert.strictEqual(created.body.data.description, "")
      assert.deepStrictEqual(created.body.data.tokenConfig, { dbcConfig: { buildCurveMode: 0 } })
      const issues = yield* issuesOf("/api/tokens", { json: tokenDraft({ name: null, webiste: null, tags: [null] }) })
      assert.strictEqual(messageAt(issues, "body.name"), "is required")
      assert.include(messageAt(issues, "body.webiste"), "did you mean website?")
      assert.strictEqual(messageAt(issues, "body.tags.0"), "expected a string")
      const status = yield* request("/api/transactions", { json: transactionDraft({ status: null }) })
      assert.strictEqual(status.status, 201)
    }),
  )

  it.effect("may have whole numbers in any JSON notation", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const raw = (path: string, json: object, numbers: Readonly<Record<string, string>>) => {
        const text = Object.entries(numbers).reduce(
          (body, [name, number]) => body.replace(`"@${name}"`, number),
          JSON.stringify({ ...json, ...Object.fromEntries(Object.keys(numbers).map((name) => [name, `@${name}`])) }),
        )
        return request(path, { raw: text, method: "POST", headers: { "content-type": "application/json" } })
      }
      const token = yield* raw("/api/tokens", tokenDraft(), { totalSupply: "1e9", decimals: "6.0" })
      assert.deepInclude(token.body.data, { totalSupply: "1000000000", decimals: 6 })
      const record = yield* raw("/api/transactions", transactionDraft(), { slippageBps: "1.0e2", amountIn: "1e-18" })
      assert.deepInclude(record.body.transaction, { slippageBps: "100", amountIn: "0.000000000000000001" })
      const swap = { baseMint: SOL, signer: sampleWallet(), swapBaseForQuote: false }
      for (const amount of ["1e9", "1000000000.0", "1.0E+9", "18446744073709551615", "1.8446744073709551615e19"]) {
        const answer = yield* raw("/api/launch/swap", swap, { amount, computeUnitPriceMicroLamports: "1e3" })
        assert.strictEqual(answer.body.code, "not_found", `${amount} ${JSON.stringify(answer.body)}`)
      }
      for (const amount of ["1.5", "-1", "0", "1e20", "1e-1", "18446744073709551616", '"1e9"', '"1.0"', "1e400"]) {
        const answer = yield* raw("/api/launch/swap", swap, { amount })
        assert.strictEqual(answer.status, 400, amount)
        assert.match(answer.body.issues[0].message, /^expected an amount/)
        assert.lengthOf(answer.body.issues, 1)
      }
    }),
  )

  it.effect("gets a hint when a + in a date is not percent-encoded", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const date = "2026-01-01T00:00:00+02:00"
      const message = messageAt(yield* issuesOf(`/api/tokens?startDate=${date}`), "query.startDate")
      assert.match(message, /^expected an ISO 8601 date .*; a \+ must be sent as %2B$/)
      assert.notInclude(messageAt(yield* issuesOf("/api/tokens?endDate=x"), "query.endDate"), "%2B")
      const encoded = yield* request(`/api/tokens?startDate=${encodeURIComponent(date)}`)
      assert.strictEqual(encoded.status, 200)
    }),
  )

  it.effect("may have declared parts only in the upload form", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      for (const [part, value, message] of [
        ["imge", new File(["x"], "a.png"), "is not a part of this form; did you mean image?"],
        ["file", new File(["x"], "a.png"), "is not a part of this form; did you mean fileName?"],
        ["filename", "a", "is not a part of this form; did you mean fileName?"],
        ["zzz", "a", "is not a part of this form; known are image, fileName"],
        ["image", "a", "expected a file, not a field"],
        ["fileName", new File(["x"], "a.png"), "expected a field, not a file"],
      ] as const) {
        const form = new FormData()
        form.append(part, value)
        const { body, status } = yield* request("/api/ipfs/upload-image", { raw: form })
        assert.deepStrictEqual([status, body.code], [400, "invalid_request"])
        assert.deepStrictEqual(body.issues, [{ path: `body.${part}`, message }])
      }
    }),
  )
})
