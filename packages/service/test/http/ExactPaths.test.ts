import { request as httpRequest } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SOL, tokenDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"
import { DECLARED } from "../../../http/test/DeclaredParts.ts"
import { Contract } from "@launch-registry/domain/Contract"
import { HttpRouter } from "effect/http"
import { CONSOLE_ROUTES } from "@launch-registry/console/ConsoleRoutes"
import { FAUCET_ROUTES } from "../../src/FaucetRoute.ts"
import { SHARING_ROUTES } from "@launch-registry/server/sharing/SharingRoutes"
import { DOCUMENTATION_ROUTES } from "@launch-registry/http/documentation/Documentation"
import { EXACT_ROUTES } from "@launch-registry/http/requests/RequestEdge"
import { GATEWAY_ROUTES } from "@launch-registry/ipfs/gateway/Gateway"
import { changeFeed, routes } from "../../src/ApiServer.ts"
import { LearnCurves } from "@launch-registry/server/markets/LearnCurves"
import { ShownChangesLayer } from "@launch-registry/server/stream/ShownChanges"
import { operations } from "./ContractDocument.ts"

/** The answer to a target that is sent literally: fetch would normalize it. */
const answerTo = (target: string, method = "GET") =>
  Effect.flatMap(TestServer, ({ url }) =>
    Effect.promise(
      () =>
        new Promise<{ readonly status: number; readonly code: string | undefined }>((resolve, reject) => {
          const sent = httpRequest({ port: new URL(url).port, host: "127.0.0.1", path: target, method }, (response) => {
            let text = ""
            response.setEncoding("utf8")
            response.on("data", (chunk: string) => (text += chunk))
            response.on("end", () =>
              resolve({
                status: response.statusCode!,
                code: text.startsWith("{") ? (JSON.parse(text) as { readonly code?: string }).code : undefined,
              }),
            )
          })
          sent.on("error", reject)
          sent.end()
        }),
    ),
  )

const NOWHERE = { status: 404, code: "route_not_found" }

/** A router that records its routes. */
const recording = Effect.gen(function* () {
  const router = yield* Effect.provideService(HttpRouter.make, HttpRouter.RouterConfig, EXACT_ROUTES)
  const added: Array<string> = []
  const recorder: HttpRouter.HttpRouter = {
    ...router,
    add: (method, path, handler, options) => recorder.addAll([HttpRouter.route(method, path, handler, options)]),
    addAll: (all) => {
      added.push(...all.map(({ method, path }) => `${method} ${path}`))
      return router.addAll(all)
    },
  }
  return { added, recorder }
})

layer(TestServer.layer())("A path", (it) => {
  it.effect("is matched exactly as declared", () =>
    Effect.gen(function* () {
      for (const { declaredPath, method } of DECLARED) {
        if (declaredPath === "/") continue
        const path = declaredPath.replace(/:\w+/, SOL)
        const [, first = "", ...others] = path.split("/")
        const rest = others.map((segment) => `/${segment}`).join("")
        const encodedFirst = `%${first.codePointAt(0)!.toString(16)}${first.slice(1)}`
        for (const other of [
          `/${first.toUpperCase()}${rest}`,
          `//${first}${rest}`,
          `/${encodedFirst}${rest}`,
          `/${first}%2F${rest.slice(1)}`,
          `/${first};x=1${rest}`,
          `/${first}/.${rest}/x`,
          `/./${first}${rest}`,
          `/x/../${first}${rest}`,
          `/${first}\\${rest.slice(1)}`,
          ...(rest === "" ? [] : [`/${first}/${rest}`]),
          `${path}/`,
          // Text after a parameter belongs to the parameter.
          ...(/:\w+$/.test(declaredPath) ? [] : [`${path}%2F`, `${path};x=1`]),
        ]) {
          const answer = yield* answerTo(other, method)
          // `/api/tokens/popular;x=1` would be a token with that id: valid, and refused.
          const isParameter = /(;x=1|%2F)$/.test(other) && (answer.status === 400 || answer.status === 405)
          if (!isParameter) assert.deepStrictEqual(answer, NOWHERE, `${method} ${other}`)
        }
      }
    }),
  )

  it.effect("does not match another route by percent-encoding its letters", () =>
    Effect.gen(function* () {
      for (const target of [
        "/api/%74okens",
        "/%61pi/tokens",
        "/api/tokens/%70opular",
        "/api/tokens/popula%72",
        "/api%2ftokens",
        "/api/tokens/mint%2f" + SOL + "/x",
        "/%64ocs",
        "/docs/",
        "/DOCS",
        "/openapi%2Ejson",
        "/metrics/",
        "/Metrics",
        "/API/tokens",
        "//api/tokens",
        "/api//tokens",
        "/api/tokens;x=1",
        "/api/tokens;",
        "/api/tokens%00",
        "/api/tokens%",
        "/api/%2e/tokens",
        "/api/webhooks/Helius",
        "/IPFS/bafkqaaa",
        "/.",
        "/;",
      ])
        assert.deepStrictEqual(yield* answerTo(target), NOWHERE, target)
    }),
  )

  it.effect("has parameters, and only they are decoded", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { mintAddress } = (yield* request("/api/tokens", { json: tokenDraft() })).body.data
      assert.strictEqual((yield* answerTo(`/api/tokens/mint/${mintAddress}`)).status, 200)
      const encoded = Array.from(mintAddress as string, (char) => `%${char.codePointAt(0)!.toString(16)}`).join("")
      assert.strictEqual((yield* answerTo(`/api/tokens/mint/${encoded}`)).status, 200)
      assert.strictEqual((yield* answerTo("/api/transactions/token/nep141%3Ausdt.near")).status, 200)
      const long = `nep141:${"x".repeat(200)}`
      assert.strictEqual((yield* answerTo(`/api/transactions/token/${long}`)).status, 200)
      for (const parameter of [
        `${mintAddress};x=1`,
        `${mintAddress}%2F`,
        "a%2Fb",
        "a\\b",
        "..",
        "%2e%2e",
        "%zz",
        `${long}x`,
      ])
        assert.deepStrictEqual(
          yield* answerTo(`/api/tokens/mint/${parameter}`),
          { status: 400, code: "invalid_request" },
          parameter,
        )
      // Text after a semicolon is not a query.
      assert.strictEqual((yield* answerTo(`/api/transactions/user/${SOL};?limit=1`)).status, 400)
      assert.strictEqual((yield* answerTo("/api/tokens?launchpad=launchpad_a&limit=1")).status, 200)
    }),
  )

  it.effect("and its query have well-formed percent-encoding only", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const malformed = ["%zz", "%", "%E0%A4%A", "%ff", "%ED%A0%80"]
      const invalid = { status: 400, code: "invalid_request" }
      for (const [index, { declaredPath, method, url }] of DECLARED.entries()) {
        const bad = malformed[index % malformed.length]!
        assert.deepStrictEqual(yield* answerTo(`${url}?q=${bad}`, method), invalid, `${method} ${url}`)
        if (!declaredPath.includes(":")) continue
        const path = declaredPath.replace(/:\w+/g, bad)
        assert.deepStrictEqual(yield* answerTo(path, method), invalid, `${method} ${path}`)
      }
      for (const bad of malformed) {
        assert.deepStrictEqual(yield* answerTo(`/ipfs/${bad}`), invalid)
        assert.include((yield* request(`/api/tokens/${bad}`)).body.message, "a % is sent as %25")
        for (const path of ["/docs", "/openapi.json", "/metrics", "/ipfs/bafkqaaa", "/api/tokens/search"]) {
          const { body, status } = yield* request(`${path}?q=${bad}`)
          assert.deepStrictEqual([status, body.issues[0].path], [400, "query"], path)
          assert.include(body.issues[0].message, "percent-encoding")
        }
      }
      assert.strictEqual((yield* request("/api/tokens/search?q=%E0%A4%A8+100%25")).status, 200)
    }),
  )

  it.effect("may be an absolute URI, and is read as written there", () =>
    Effect.gen(function* () {
      for (const [target, status] of [
        ["http://somewhere.example/api/tokens", 200],
        ["HTTPS://somewhere.example:8080/api/tokens?limit=1", 200],
        ["http://[::1]:1/api/tokens", 200],
        ["http://somewhere.example", 200],
        ["http://somewhere.example?x=1", 400],
        ["http://somewhere.example/api/./tokens", 404],
        ["http://somewhere.example/x/../api/tokens", 404],
        ["http://somewhere.example//api/tokens", 404],
        ["http://somewhere.example/API/tokens", 404],
        ["http://somewhere.example/api\\tokens", 404],
      ] as const)
        assert.strictEqual((yield* answerTo(target)).status, status, target)
      for (const target of [
        "ftp://x/api/tokens",
        "http:///api/tokens",
        "http://user@x/api/tokens",
        "*",
        "/api/tokens#x",
      ])
        assert.deepStrictEqual(yield* answerTo(target), { status: 400, code: "malformed_http" }, target)
    }),
  )

  it.effect("is served where it is declared", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      for (const { shown } of operations) {
        const [method = "", path = ""] = shown.split(" ")
        // An undeclared parameter: handlers that parse the query refuse it before anything is done.
        const url = `${path.replaceAll(/\{\w+\}/g, "x")}?undeclared=1`
        const answer = yield* fetch(url, { method: method.toUpperCase() })
        const text = yield* Effect.promise(() => answer.text())
        assert.notMatch(text, /"(route_not_found|method_not_allowed)"/, shown)
      }
    }),
  )

  it.effect("is declared where it is served", () =>
    Effect.gen(function* () {
      const { added, recorder } = yield* recording
      const served = routes({
        ...{ host: "127.0.0.1", port: 0, version: "0.0.0-test", network: "localnet" },
        ...{ gatewayUrl: "http://localhost:3001/ipfs", tradingRequiresWhitelist: false, faucet: true },
      })
      const built = served.pipe(
        Layer.provide(changeFeed({ gatewayUrl: "http://localhost:3001/ipfs" })),
        Layer.provide(Layer.provide(ShownChangesLayer, LearnCurves.layer)),
        Layer.provide(Layer.succeed(HttpRouter.HttpRouter)(recorder)),
      )
      // The requirements of a router on requests are types only, without a runtime value.
      type Needed = HttpRouter.Request.Without<Layer.Services<typeof built>>
      yield* Effect.scoped(Layer.build(built as Layer.Layer<never, never, Needed>))
      const declared = [
        ...Object.values(Contract.groups).flatMap((group) =>
          Object.values(group.endpoints).map(({ method, path }) => `${method} ${path}`),
        ),
        ...[...DOCUMENTATION_ROUTES, ...GATEWAY_ROUTES, ...SHARING_ROUTES, ...CONSOLE_ROUTES, ...FAUCET_ROUTES].map(
          ([method, path]) => `${method} ${path}`,
        ),
      ]
      assert.isAbove(added.length, 40)
      assert.deepStrictEqual(
        added.filter((route) => !declared.includes(route)),
        [],
      )
    }),
  )
})
