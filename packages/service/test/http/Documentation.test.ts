import { createHash } from "node:crypto"
import { request as httpRequest } from "node:http"
import { syncBuiltinESMExports } from "node:module"
import zlib, { brotliDecompressSync, gunzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { OpenApi } from "effect/http-api"
import { documentToTry } from "@launch-registry/http/documentation/DocumentToTry"
import { DocumentedApi, openApiText } from "../../fixtures/OpenApiExamples.ts"
import { staticDocument } from "@launch-registry/http/answers/StaticDocument"
import { TestServer } from "../TestServer.ts"

/** An answer as received: fetch would decompress it. */
const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  Effect.flatMap(TestServer, ({ url }) =>
    Effect.promise(
      () =>
        new Promise<{ readonly status: number; readonly headers: Record<string, unknown>; readonly bytes: Buffer }>(
          (resolve, reject) => {
            const sent = httpRequest(`${url}${path}`, { method, headers }, (response) => {
              const chunks: Array<Buffer> = []
              response.on("data", (chunk: Buffer) => chunks.push(chunk))
              response.on("end", () =>
                resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(chunks) }),
              )
            })
            sent.on("error", reject)
            sent.end()
          },
        ),
    ),
  )

/** The page of the documentation, its configuration, and its document. */
const readPage = Effect.gen(function* () {
  const { bytes, headers } = yield* ask("/docs")
  const html = bytes.toString()
  const scripts = Array.from(html.matchAll(/<script>([^]*?)<\/script>/g), ([, script = ""]) => script)
  const [bundle = "", start = ""] = scripts
  const [, config = "", content = ""] = /\.\.\.(\{.*\}),\n\s+content: (.*)\n\s+\}\)/.exec(start)!
  return { html, headers, scripts, bundle, start, config: JSON.parse(config), content: JSON.parse(content) }
})

layer(TestServer.layer(), { excludeTestServices: true })("The documentation", (it) => {
  it.effect("loads nothing from other hosts and can send nothing to them", () =>
    Effect.gen(function* () {
      const { headers, html, scripts } = yield* readPage
      assert.lengthOf(scripts, 2)
      const hashes = scripts.map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`)
      const policy = String(headers["content-security-policy"]).split("; ")
      assert.sameMembers(policy, [
        "default-src 'none'",
        `script-src ${hashes.join(" ")}`,
        "style-src 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ])
      const outside = scripts.reduce((rest, script) => rest.replace(script, () => ""), html)
      assert.notMatch(outside, /\bsrc=|https?:|\bon\w+=/)
      assert.include(outside, '<link rel="icon" href="favicon.ico"')
      assert.strictEqual(headers["content-type"], "text/html; charset=utf-8")
    }),
  )

  it.effect("disables Scalar's own services, by options that its bundle knows", () =>
    Effect.gen(function* () {
      const { bundle, config, start } = yield* readPage
      assert.deepStrictEqual(config, {
        _integration: "html",
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        showDeveloperTools: "never",
      })
      assert.notMatch(start, /proxyUrl|customFetch/)
      for (const option of Object.keys(config)) assert.include(bundle, `${option}:`, option)
      // A new option may belong to a feature that has to be disabled as well: check it in a browser.
      const hosts = new Set(Array.from(bundle.matchAll(/https:\/\/([a-z-]+\.)*scalar\.com/g), ([host]) => host))
      assert.sameMembers(
        [...hosts],
        [
          "",
          "www.",
          "docs.",
          "guides.",
          "dashboard.",
          "client.",
          "registry.",
          "galaxy.",
          "proxy.",
          "api.",
          "fonts.",
        ].map((name) => `https://${name}scalar.com`),
      )
    }),
  )

  it.effect("uses its own origin, and leaves optional fields empty", () =>
    Effect.gen(function* () {
      const { content } = yield* readPage
      assert.isUndefined(content.servers)
      const declared = OpenApi.fromApi(DocumentedApi)
      assert.deepStrictEqual(content, JSON.parse(JSON.stringify(documentToTry(declared))))
      assert.notInclude(openApiText, "x-disabled")
      let optional = 0
      for (const [path, methods] of Object.entries(content.paths as typeof declared.paths)) {
        for (const [method, operation] of Object.entries(methods)) {
          const { parameters } = operation as OpenApi.OpenAPISpecOperation
          const original = (declared.paths[path] as never)[method] as OpenApi.OpenAPISpecOperation
          const secrets = original.security.flatMap(Object.keys).filter((name) => /^(webhookSecret|apiKey)$/.test(name))
          assert.lengthOf(parameters, original.parameters.length + secrets.length)
          for (const [index, parameter] of parameters.slice(0, original.parameters.length).entries()) {
            const shown = `${method} ${path} ${parameter.name}`
            if (parameter.required) {
              const plain = (of: object) => {
                const { example: _one, examples: _all, ...rest } = JSON.parse(JSON.stringify(of))
                return rest
              }
              assert.deepStrictEqual(plain(parameter), plain(original.parameters[index]!), shown)
              continue
            }
            optional += 1
            const { examples } = parameter as { readonly examples?: Readonly<Record<string, object>> }
            assert.property(examples, "default", shown)
            for (const example of Object.values(examples!))
              assert.deepStrictEqual(example, { "x-disabled": true }, shown)
            assert.strictEqual(
              (parameter as { readonly style?: string }).style,
              parameter.in === "query" ? "deepObject" : undefined,
            )
            assert.strictEqual("schema" in parameter, parameter.in === "query", shown)
          }
        }
      }
      assert.isAtLeast(optional, 40)
    }),
  )

  it.effect("fills required fields with their examples, but no ids, whatever body example is shown", () =>
    Effect.sync(() => {
      const path = { name: "mint", in: "path", required: true, schema: { type: "string" } } as const
      const header = { name: "key", in: "header", required: false, schema: { description: "A key" } } as const
      const operation = {
        ...{ operationId: "a", tags: [], security: [], responses: {} },
        parameters: [{ ...path, example: "x" }, path, { ...path, name: "id", example: "x" }, header],
        requestBody: { content: { "application/json": { schema: {}, examples: { first: {}, second: {} } } } },
      }
      const components = { securitySchemes: {} }
      const tried = documentToTry({ info: {}, components, paths: { "/a": { post: operation } } } as never)
      const named = (example: object) => ({ default: example, first: example, second: example })
      const { parameters } = tried.paths["/a"]!.post!
      assert.deepStrictEqual(parameters as ReadonlyArray<object>, [
        { ...path, examples: named({ value: "x" }) },
        path,
        { ...path, name: "id", examples: named({ value: "" }) },
        {
          ...{ description: "A key", name: "key", in: "header", required: false },
          examples: named({ "x-disabled": true }),
        },
      ])
    }),
  )

  it.effect("shows a form as its fields, which Scalar sends as a form, without a file", () =>
    Effect.gen(function* () {
      const { content } = yield* readPage
      const [shown, declared] = [content, JSON.parse(openApiText)].map(
        ({ paths }) => paths["/api/ipfs/upload-image"].post.requestBody.content["multipart/form-data"],
      )
      assert.deepStrictEqual(shown.examples.logo.value, [
        { name: "image", value: "" },
        { name: "fileName", value: "logo.png" },
      ])
      assert.deepStrictEqual({ ...shown, examples: {} }, { ...declared, examples: {} })
      assert.include(content.info.description, "Choose a file")
      assert.isString(declared.examples.logo.value.image)
    }),
  )

  it.effect("asks for the webhook secret at its operation, and not at every one", () =>
    Effect.gen(function* () {
      const { content } = yield* readPage
      const { components, paths } = JSON.parse(openApiText)
      assert.deepStrictEqual(content.components, { ...components, securitySchemes: {} })
      const path = "/api/webhooks/helius"
      assert.deepStrictEqual(paths[path].post.security, [{ webhookSecret: [] }])
      assert.notProperty(content.paths[path].post, "security")
      const { description } = components.securitySchemes.webhookSecret
      const [{ examples, ...secret }] = content.paths[path].post.parameters
      const header = { name: "Authorization", in: "header", required: true, schema: { type: "string" }, description }
      assert.deepStrictEqual(secret, header)
      assert.deepStrictEqual(examples.default, { value: "" })
    }),
  )

  it.effect("is compressed for clients that accept it, and revalidated by ETag", () =>
    Effect.gen(function* () {
      for (const path of ["/docs", "/openapi.json"]) {
        const plain = yield* ask(path)
        if (path === "/openapi.json") assert.strictEqual(plain.bytes.toString(), openApiText)
        assert.isUndefined(plain.headers["content-encoding"])
        const etags = new Set([plain.headers.etag])
        for (const [accepted, coding, decompress] of [
          ["gzip, deflate, br", "br", brotliDecompressSync],
          ["gzip", "gzip", gunzipSync],
          ["br;q=0, *", "gzip", gunzipSync],
          ["identity, *;q=0.1", undefined, undefined],
          ["*;q=0", undefined, undefined],
        ] as const) {
          const shown = `${path} ${accepted}`
          const sent = { "accept-encoding": accepted }
          const { bytes, headers, status } = yield* ask(path, sent)
          assert.strictEqual(status, 200, shown)
          assert.strictEqual(headers["content-encoding"], coding, shown)
          assert.strictEqual(headers["content-length"], String(bytes.length), shown)
          assert.isTrue((decompress === undefined ? bytes : decompress(bytes)).equals(plain.bytes), shown)
          if (coding !== undefined) assert.isBelow(bytes.length, plain.bytes.length / 3, shown)
          assert.deepInclude(headers, { vary: "accept-encoding", "cache-control": "no-cache" }, shown)
          etags.add(headers.etag)

          const head = yield* ask(path, sent, "HEAD")
          assert.lengthOf(head.bytes, 0, shown)
          for (const name of ["etag", "content-length", "content-encoding", "content-type", "vary"])
            assert.strictEqual(head.headers[name], headers[name], `${shown} ${name}`)

          const etag = String(headers.etag)
          for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
            const again = yield* ask(path, { ...sent, "if-none-match": known })
            assert.strictEqual(again.status, 304, shown)
            assert.lengthOf(again.bytes, 0, shown)
            for (const name of ["etag", "vary", "cache-control"])
              assert.strictEqual(again.headers[name], headers[name], `${shown} ${name}`)
          }
          assert.strictEqual((yield* ask(path, { ...sent, "if-none-match": '"x"' })).status, 200, shown)
        }
        assert.strictEqual(etags.size, 3, path)
      }
    }),
  )

  it.effect("is compressed once, and all connections share the bytes", () =>
    Effect.gen(function* () {
      const document = staticDocument("text ".repeat(10_000), { contentType: "text/plain" })
      for (const coding of ["br", "gzip", ""]) {
        const request = new Request("http://localhost/", { headers: { "accept-encoding": coding } })
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, () => document),
          { concurrency: "unbounded" },
        ).pipe(Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(request)))
        const bodies = new Set(answers.map(({ body }) => (body._tag === "Uint8Array" ? body.body : undefined)))
        assert.strictEqual(bodies.size, 1, coding)
        assert.isFalse(bodies.has(undefined))
      }
    }),
  )

  it.effect("is compressed again after a failure", () =>
    Effect.gen(function* () {
      const document = staticDocument("text ".repeat(10_000), { contentType: "text/plain" })
      const request = new Request("http://localhost/", { headers: { "accept-encoding": "br" } })
      const answer = Effect.provideService(
        document,
        HttpServerRequest.HttpServerRequest,
        HttpServerRequest.fromWeb(request),
      )
      const { brotliCompress } = zlib
      const failing = (...parts: ReadonlyArray<unknown>) => (parts.at(-1) as (error: Error) => void)(new Error("full"))
      const replace = (by: unknown) =>
        Effect.sync(() => {
          Object.assign(zlib, { brotliCompress: by })
          syncBuiltinESMExports()
        })
      const failed = yield* replace(failing).pipe(
        Effect.andThen(Effect.exit(answer)),
        Effect.ensuring(replace(brotliCompress)),
      )
      assert.strictEqual(failed._tag, "Failure")
      assert.strictEqual((yield* answer).headers["content-encoding"], "br")
    }),
  )

  it.effect("has an icon that browsers may cache", () =>
    Effect.gen(function* () {
      const { bytes, headers, status } = yield* ask("/favicon.ico", { "accept-encoding": "br, gzip" })
      assert.strictEqual(status, 200)
      assert.deepInclude(headers, { "content-type": "image/svg+xml", "cache-control": "public, max-age=86400" })
      assert.isUndefined(headers["content-encoding"])
      assert.match(bytes.toString(), /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" [^]*<\/svg>\n$/)
      assert.isBelow(bytes.length, 1_000)
      const again = yield* ask("/favicon.ico", { "if-none-match": String(headers.etag) })
      assert.strictEqual(again.status, 304)
      assert.strictEqual((yield* ask("/favicon.ico", {}, "POST")).status, 405)
    }),
  )
})
