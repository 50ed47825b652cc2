import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { formOf, UPLOAD_PATH } from "../../../ipfs/test/images/UploadForms.ts"
import { noisePng } from "../NoisePng.ts"
import { TestServer } from "../TestServer.ts"
import { answersIn, openRaw, requestText } from "../../../http/test/RawConnection.ts"

const NO_OTHERS = { connection: "close" }

const answerTo = Effect.fnUntraced(function* (text: string) {
  const { url } = yield* TestServer
  const connection = yield* openRaw(url, text)
  const [answer] = answersIn(yield* connection.closed)
  return { status: answer?.status ?? 0, headers: answer?.headers ?? "", body: answer?.body ?? "" }
}, Effect.scoped)

/** Waits until a request has this status. */
const untilStatus = (text: string, status: number) =>
  answerTo(text).pipe(
    Effect.filterOrFail((answer) => answer.status === status),
    Effect.retry(Schedule.spaced("10 millis")),
  )

const expectRefusal = (
  answer: { readonly headers: string; readonly body: string },
  resource: string,
  limit: number,
) => {
  assert.match(answer.headers, /^retry-after: \d+$/m)
  const { message, ...envelope } = JSON.parse(answer.body) as Readonly<Record<string, unknown>>
  assert.deepInclude(envelope, { success: false, code: "limit_reached", details: { resource, limit } })
  assert.include(message, String(limit))
}

const LIVE = requestText("GET", "/livez", NO_OTHERS)

layer(TestServer.layer({ limits: { addresses: { connections: 3 } } }), { excludeTestServices: true })(
  "The connections of an address",
  (it) => {
    it.effect("are limited; one more is 429 until one is closed", () =>
      Effect.gen(function* () {
        const { url } = yield* TestServer
        const open = yield* Effect.forEach([1, 2, 3], () => openRaw(url, requestText("GET", "/api/stream", {})))
        for (const { until } of open) yield* until(/ 200 OK/)
        const refused = yield* untilStatus(LIVE, 429)
        expectRefusal(refused, "connections", 3)
        open[0]!.socket.destroy()
        yield* untilStatus(LIVE, 200)
      }),
    )
  },
)

layer(TestServer.layer({ limits: { addresses: { connections: 2, trustedProxies: ["127.0.0.0/8"] } } }), {
  excludeTestServices: true,
})("Behind a trusted proxy", (it) => {
  it.effect("requests in flight are counted for each forwarded address, and connections are not", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer
      const of = (address: string) => ({ "x-forwarded-for": address })
      const streams = yield* Effect.forEach(["1.1.1.1", "1.1.1.1", "2.2.2.2", "3.3.3.3"], (address) =>
        openRaw(url, requestText("GET", "/api/stream", of(address))),
      )
      for (const { until } of streams) yield* until(/ 200 OK/)
      const liveFor = (address: string) => requestText("GET", "/livez", { ...of(address), ...NO_OTHERS })
      expectRefusal(yield* untilStatus(liveFor("1.1.1.1"), 429), "connections", 2)
      assert.strictEqual((yield* answerTo(liveFor("2.2.2.2"))).status, 200)
      streams[0]!.socket.destroy()
      yield* untilStatus(liveFor("1.1.1.1"), 200)
    }),
  )
})

const concurrencyLimits = { addresses: { streams: 2, uploads: 1 } }

layer(TestServer.layer({ limits: concurrencyLimits }), { excludeTestServices: true })(
  "Concurrent requests of an address",
  (it) => {
    it.effect("are limited for uploads that are stored; those that are being received take no place of theirs", () =>
      Effect.gen(function* () {
        const { request, url } = yield* TestServer
        const sql = yield* SqlClient
        const headers = { "content-type": "multipart/form-data; boundary=b", "content-length": "5000" }
        for (let slow = 0; slow < 5; slow++) yield* openRaw(url, requestText("POST", UPLOAD_PATH, headers))
        const png = noisePng(1, 16)
        const send = request(UPLOAD_PATH, { raw: formOf(png) })
        const stored = yield* Effect.gen(function* () {
          yield* sql`lock table ipfs_uploads in exclusive mode`
          const fiber = yield* Effect.forkDetach(send)
          yield* sql`select from pg_locks where not granted and relation = 'ipfs_uploads'::regclass`.pipe(
            Effect.filterOrFail((waiting) => waiting.length > 0 || fiber.pollUnsafe() !== undefined),
            Effect.retry(Schedule.spaced("10 millis")),
          )
          const { body, status } = yield* send
          assert.deepStrictEqual(
            [status, body.code, body.details],
            [429, "limit_reached", { resource: "uploads", limit: 1 }],
          )
          return fiber
        }).pipe(sql.withTransaction)
        assert.strictEqual((yield* Fiber.join(stored)).status, 200)
        assert.strictEqual((yield* send).status, 200)
      }),
    )

    for (const [what, resource, limit, text] of [
      ["streams", "streams", 2, requestText("GET", "/api/stream", {})],
      [
        "uploads that are received",
        "uploads",
        10,
        requestText("POST", "/api/ipfs/upload-image", {
          "content-type": "multipart/form-data; boundary=b",
          "content-length": "5000",
        }),
      ],
    ] as const)
      it.effect(`are limited for ${what}; one more is 429 until one has ended`, () =>
        Effect.gen(function* () {
          const { url } = yield* TestServer
          const open = yield* Effect.forEach(Array.from({ length: limit }), () => openRaw(url, text))
          const once = text.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n")
          const refused = Effect.gen(function* () {
            const { socket, until } = yield* openRaw(url, once)
            const received = yield* until(/\}$|^retry: /m)
            socket.destroy()
            return answersIn(received)[0]
          }).pipe(Effect.scoped)
          const answer = yield* refused.pipe(
            Effect.filterOrFail((answer) => answer?.status === 429),
            Effect.retry(Schedule.spaced("10 millis")),
          )
          expectRefusal(answer!, resource, limit)
          // Other requests are still answered.
          assert.strictEqual((yield* answerTo(LIVE)).status, 200)
          for (const { socket } of open) socket.destroy()
          if (what === "streams")
            yield* refused.pipe(
              Effect.filterOrFail((answer) => answer?.status === 200),
              Effect.retry(Schedule.spaced("10 millis")),
            )
        }),
      )
  },
)
