import { request as httpRequest, type IncomingHttpHeaders } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { openRaw, requestText } from "../../../http/test/RawConnection.ts"
import { sampleWallet, tokenDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync }

interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** As it was sent. */
  readonly bytes: Buffer
  readonly text: string
}

/** An answer as it is on the wire: `fetch` would ask for codings by itself, and hide them. */
const ask = Effect.fnUntraced(function* (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") {
  const { url } = yield* TestServer
  return yield* Effect.promise(
    () =>
      new Promise<Received>((resolve, reject) => {
        const sent = httpRequest(`${url}${path}`, { method, headers }, (response) => {
          const chunks: Array<Buffer> = []
          response.on("data", (chunk: Buffer) => chunks.push(chunk))
          response.on("error", reject)
          response.on("end", () => {
            const bytes = Buffer.concat(chunks)
            const decode = DECODERS[response.headers["content-encoding"] ?? ""]
            const plain = decode === undefined || bytes.length === 0 ? bytes : decode(bytes)
            resolve({ status: response.statusCode!, headers: response.headers, bytes, text: plain.toString() })
          })
        })
        sent.on("error", reject)
        sent.end()
      }),
  )
})

/** Registers one token, and copies it. */
const fill = Effect.fnUntraced(function* (tokens: number) {
  const { request } = yield* TestServer
  const sql = yield* SqlClient
  const { body } = yield* request("/api/tokens", { json: tokenDraft({ tags: ["few"] }) })
  yield* sql`
    insert into tokens select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(),
      'mint_address', translate(md5(t.id::text || n), '0', 'z') || lpad(translate(n::text, '0', 'z'), 12, 'y'),
      'created_at', t.created_at - n * interval '1 second'))).*
    from tokens t, generate_series(1, ${tokens - 1}::integer) n where t.id = ${body.data.id}::uuid`
  return `/api/tokens/${body.data.id}`
})

const PAGE = "/api/tokens?limit=20"

layer(TestServer.layer({ compression: true }), { timeout: "60 seconds" })("With compression, an answer", (it) => {
  it.effect("is compressed by the coding that its client prefers, and is the same answer", () =>
    Effect.gen(function* () {
      yield* fill(120)
      const plain = yield* ask(PAGE)
      assert.notProperty(plain.headers, "content-encoding")
      assert.strictEqual(plain.headers.vary, "accept-encoding")
      assert.strictEqual(Number(plain.headers["content-length"]), plain.bytes.length)
      const strong = plain.headers.etag!
      for (const [accepted, coding] of [
        ["gzip", "gzip"],
        ["br", "br"],
        ["gzip, deflate, br, zstd", "br"],
        ["br;q=0.5, gzip;q=0.8", "gzip"],
        ["*", "br"],
        ["GZIP", "gzip"],
        ["br;q=0, *", "gzip"],
      ] as const) {
        const { bytes, headers, status, text } = yield* ask(PAGE, { "accept-encoding": accepted })
        assert.deepInclude({ status, text }, { status: 200, text: plain.text }, accepted)
        assert.deepInclude(headers, { "content-encoding": coding, vary: "accept-encoding", etag: `W/${strong}` })
        assert.strictEqual(Number(headers["content-length"]), bytes.length)
        assert.isBelow(bytes.length, plain.bytes.length / 2)
        assert.strictEqual(headers["cache-control"], "no-cache")
        const again = yield* ask(PAGE, { "accept-encoding": accepted })
        assert.deepStrictEqual(again.bytes, bytes, accepted)
        const head = yield* ask(PAGE, { "accept-encoding": accepted }, "HEAD")
        for (const name of ["content-encoding", "content-length", "etag", "vary", "content-type", "cache-control"])
          for (const other of [head, again])
            assert.strictEqual(other.headers[name], headers[name], `${accepted} ${name}`)
      }
      for (const accepted of ["identity", "deflate", "gzip;q=0", "br;q=0.1, identity;q=0.5", "", "nonsense;;;"]) {
        const { headers, text } = yield* ask(PAGE, { "accept-encoding": accepted })
        assert.strictEqual(text, plain.text, accepted)
        assert.notProperty(headers, "content-encoding", accepted)
        assert.deepInclude(headers, { vary: "accept-encoding", etag: strong }, accepted)
      }
    }),
  )

  it.effect("is confirmed to whoever has it in any coding, without one", () =>
    Effect.gen(function* () {
      yield* fill(20)
      const strong = (yield* ask(PAGE)).headers.etag!
      for (const [accepted, etag] of [
        [undefined, strong],
        ["gzip", `W/${strong}`],
      ] as const) {
        for (const known of [strong, `W/${strong}`]) {
          const coding = accepted === undefined ? {} : { "accept-encoding": accepted }
          const { bytes, headers, status } = yield* ask(PAGE, { ...coding, "if-none-match": known })
          assert.deepInclude({ status, length: bytes.length }, { status: 304, length: 0 })
          assert.deepInclude(headers, { etag, vary: "accept-encoding", "cache-control": "no-cache" })
          assert.notProperty(headers, "content-encoding")
        }
      }
    }),
  )

  it.effect("is sent as it is when it is short, may not be kept, or has a coding or ranges of its own", () =>
    Effect.gen(function* () {
      const one = yield* fill(20)
      const accepting = { "accept-encoding": "br, gzip" }
      const short = yield* ask(one, accepting)
      assert.isBelow(short.bytes.length, 1_400)
      assert.notProperty(short.headers, "vary")
      assert.match(short.headers.etag!, /^"/)
      for (const path of ["/", "/metrics", "/api/system/indexer", one]) {
        const { bytes, headers } = yield* ask(path, { ...accepting, accept: "application/json" })
        assert.notProperty(headers, "content-encoding", path)
        if (path === "/metrics") assert.isAbove(bytes.length, 1_400)
      }
      const document = yield* ask("/openapi.json", accepting)
      assert.deepInclude(document.headers, { "content-encoding": "br", vary: "accept-encoding" })
      assert.match(document.headers.etag!, /^"/)
    }),
  )

  it.effect("is never compressed when it has a secret, or is a stream of events, or content under /ipfs", () =>
    Effect.gen(function* () {
      const { fetch, request } = yield* TestServer
      const accepting = { "accept-encoding": "br, gzip" }
      const secret = yield* fetch("/api/launch/dbc-config", {
        ...{ method: "POST", headers: { ...accepting, "content-type": "application/json" } },
        body: JSON.stringify({ metadata: { name: "Sample", symbol: "SMPL" }, signer: sampleWallet() }),
      })
      assert.strictEqual(secret.status, 200)
      assert.isAbove(Number(secret.headers.get("content-length")), 1_400)
      const events = yield* fetch("/api/stream", { headers: accepting })
      yield* Effect.promise(() => events.body!.cancel())
      const json = { name: "Sample", symbol: "SMPL", description: "word ".repeat(400) }
      const stored = yield* request("/api/ipfs/upload-metadata", { json })
      const content = yield* fetch(new URL(String(stored.body.data.imageUri)).pathname, { headers: accepting })
      assert.isAbove(Number(content.headers.get("content-length")), 1_400)
      for (const { headers, url } of [secret, events, content]) assert.isNull(headers.get("content-encoding"), url)
    }),
  )

  it.effect("of any length is compressed as it is streamed", () =>
    Effect.gen(function* () {
      yield* fill(3_000)
      const plain = yield* ask("/api/tokens")
      const gzip = yield* ask("/api/tokens", { "accept-encoding": "br, gzip" })
      assert.strictEqual(gzip.headers["content-encoding"], "gzip")
      assert.notProperty(gzip.headers, "content-length")
      assert.isTrue(gzip.text === plain.text)
      assert.isBelow(gzip.bytes.length, plain.bytes.length / 3)
      const brotliAlone = yield* ask("/api/tokens", { "accept-encoding": "br" })
      assert.notProperty(brotliAlone.headers, "content-encoding")
      assert.isTrue(brotliAlone.text === plain.text)
    }),
  )

  it.effect("is still whole when many are asked for at once, compressed or not", () =>
    Effect.gen(function* () {
      yield* fill(100)
      const path = "/api/tokens?limit=100"
      const plain = yield* ask(path)
      const answers = yield* Effect.forEach(
        Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? "br" : "gzip")),
        (coding) => ask(path, { "accept-encoding": coding }),
        { concurrency: "unbounded" },
      )
      for (const { headers, text } of answers) {
        assert.isTrue(text === plain.text)
        assert.include([undefined, "br", "gzip"], headers["content-encoding"])
      }
      assert.isTrue(answers.some(({ headers }) => headers["content-encoding"] !== undefined))
    }),
  )
})

layer(TestServer.layer())("Without compression, an answer", (it) => {
  it.effect("is the same for whatever its client accepts", () =>
    Effect.gen(function* () {
      yield* fill(120)
      for (const path of [PAGE, "/api/tokens"]) {
        const [plain, accepting] = [yield* ask(path), yield* ask(path, { "accept-encoding": "br, gzip" })]
        assert.isTrue(accepting.bytes.equals(plain.bytes), path)
        for (const name of ["content-encoding", "vary"]) assert.notProperty(accepting.headers, name, path)
        assert.strictEqual(accepting.headers.etag, plain.headers.etag)
      }
    }),
  )
})

/** Tokens whose list is more than the kernel buffers, compressed too. */
const manyTokens = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    insert into tokens
      (id, mint_address, name, symbol, tags, total_supply, decimals, owner, launchpad, created_at, updated_at)
    select gen_random_uuid(), translate(md5(n::text), '0', 'z') || lpad(translate(n::text, '0', 'z'), 12, 'y'), 'Large', 'LRG',
      (select array_agg(md5(n || ' ' || part)) from generate_series(1, 150) part), 1, 6, ${sampleWallet()},
      'launchpad_a', now(), now()
    from generate_series(1, 3000) n`
})

layer(TestServer.layer({ compression: true, limits: { addresses: { lists: 1 } } }), {
  excludeTestServices: true,
  timeout: "60 seconds",
})("A compressed list that its client leaves", (it) => {
  it.effect("is read no further, and leaves its place to another", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer
      yield* manyTokens
      for (let times = 0; times < 3; times++)
        yield* Effect.gen(function* () {
          const { socket, until } = yield* openRaw(
            url,
            requestText("GET", "/api/tokens", { "accept-encoding": "gzip" }),
          )
          const head = yield* until(/\r\n\r\n/)
          socket.pause()
          return head
        }).pipe(
          Effect.scoped,
          Effect.filterOrFail((head) => / 200 OK[^]*content-encoding: gzip/i.test(head)),
          Effect.retry(Schedule.spaced("20 millis")),
        )
    }),
  )
})
