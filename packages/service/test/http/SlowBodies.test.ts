import { assert, layer } from "@effect/vitest"
import { WebhookInbox } from "@launch-registry/domain/webhooks/WebhookInbox"
import type { HttpLimits } from "@launch-registry/http/listener/HttpLimits"
import { Effect, Layer, Redacted } from "effect"
import { TestServer } from "../TestServer.ts"
import { answersIn, openRaw, requestText } from "../../../http/test/RawConnection.ts"

const SECRET = "the-secret-of-the-webhook"
const DELIVERY = ["/api/webhooks/helius", { authorization: SECRET, "content-type": "application/json" }] as const
const DRAFT = ["/api/tokens", { "content-type": "application/json" }] as const

const delivered: Array<number> = []
const inbox = Layer.succeed(WebhookInbox, {
  receive: (body) => {
    delivered.push(body.length)
    return Effect.succeed({ accepted: body.length, unreadable: 0 })
  },
})

const server = (http: Partial<HttpLimits> = {}) =>
  TestServer.layer({ webhookSecrets: [Redacted.make(SECRET)], limits: { http } }).pipe(Layer.provide(inbox))

interface Fault {
  readonly success?: boolean
  readonly code?: string
  readonly issues?: ReadonlyArray<unknown>
}

const codeOf = (received: string): Fault & { readonly status: number | undefined } => {
  const [answer] = answersIn(received)
  return { status: answer?.status, ...(JSON.parse(answer?.body ?? "{}") as Fault) }
}

layer(server({ headersMillis: 300, requestMillis: 300 }), { excludeTestServices: true })("A slow request", (it) => {
  for (const [kind, [path, headers]] of [
    ["JSON", DRAFT],
    ["webhook", DELIVERY],
  ] as const) {
    for (const framing of [{ "content-length": "60000" }, { "transfer-encoding": "chunked" }]) {
      const [name] = Object.keys(framing)
      const head = requestText("POST", path, { ...headers, ...framing })

      it.effect(`gets 408 and its connection is closed when its body stalls (${kind}, ${name})`, () =>
        Effect.gen(function* () {
          const { url } = yield* TestServer
          for (const begun of ["", "1\r\n["]) {
            const received = yield* (yield* openRaw(url, head + begun)).closed
            assert.deepInclude(codeOf(received), { status: 408, success: false, code: "request_timeout" })
            assert.match(received, /^connection: close\r$/im)
          }
        }),
      )

      it.effect(`gets 408 when its body drips (${kind}, ${name})`, () =>
        Effect.gen(function* () {
          const { url } = yield* TestServer
          const { closed, socket } = yield* openRaw(url, head)
          const dripping = setInterval(() => socket.write("1\r\n \r\n"), 20)
          yield* Effect.addFinalizer(() => Effect.sync(() => clearInterval(dripping)))
          assert.deepInclude(codeOf(yield* closed), { status: 408, code: "request_timeout" })
        }),
      )
    }
  }
})

layer(server({ headersMillis: 300 }), { excludeTestServices: true })("A request whose headers are incomplete", (it) => {
  it.effect("gets 408 and its connection is closed when they drip", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer
      const { closed, socket } = yield* openRaw(url, "GET /livez HTTP/1.1\r\nhost: localhost\r\n")
      let sent = 0
      const dripping = setInterval(() => socket.write(`x-${sent++}: y\r\n`), 20)
      yield* Effect.addFinalizer(() => Effect.sync(() => clearInterval(dripping)))
      assert.deepInclude(codeOf(yield* closed), { status: 408, code: "request_timeout" })
    }),
  )
})

layer(server(), { excludeTestServices: true })("A chunked body", (it) => {
  it.effect("is read entirely, and counts towards its limit", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer
      const piece = Buffer.alloc(50_000, " ")
      const send = (path: string, headers: Readonly<Record<string, string>>, framing: "chunked" | "length") =>
        Effect.gen(function* () {
          const isChunked = framing === "chunked"
          const length = isChunked ? { "transfer-encoding": framing } : { "content-length": String(2 * piece.length) }
          const { socket, until } = yield* openRaw(url, requestText("POST", path, { ...headers, ...length }))
          for (let sent = 0; sent < 2; sent++) {
            if (isChunked) socket.write(`${piece.length.toString(16)}\r\n`)
            yield* Effect.callback<void>((resume) => void socket.write(piece, () => resume(Effect.void)))
            if (isChunked) socket.write("\r\n")
          }
          if (isChunked) socket.write("0\r\n\r\n")
          return codeOf(yield* until(/\}$/))
        })
      for (const framing of ["chunked", "length"] as const) {
        assert.deepInclude(yield* send(...DELIVERY, framing), { status: 200, success: true })
        const { issues, status } = yield* send(...DRAFT, framing)
        assert.deepStrictEqual([status, issues], [400, [{ path: "body", message: "expected a JSON body" }]])
      }
      assert.deepStrictEqual(delivered, [100_000, 100_000])
      const [path, headers] = DRAFT
      for (const framing of [{ "content-length": "200000" }, { "transfer-encoding": "chunked" }]) {
        const { socket, until } = yield* openRaw(url, requestText("POST", path, { ...headers, ...framing }))
        for (let sent = 0; sent < 5; sent++)
          socket.write(Buffer.concat([Buffer.from("c350\r\n"), piece, Buffer.from("\r\n")]))
        assert.deepInclude(codeOf(yield* until(/\}$/)), { status: 413, code: "body_too_large" })
      }
    }),
  )
})
