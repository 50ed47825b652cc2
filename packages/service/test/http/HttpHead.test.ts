import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { assert, describe, it as itAlone, layer } from "@effect/vitest"
import { Effect } from "effect"
import { answerMalformedHttp, MALFORMED_HTTP_OPTIONS } from "@launch-registry/http/listener/MalformedHttp"
import { tokenDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"
import { wireAnswer } from "./WireRequest.ts"

const refused = Effect.fn(function* (sent: string, status: number, code: string) {
  const { url } = yield* TestServer
  const answer = yield* wireAnswer(url, sent)
  const shown = `${JSON.stringify(sent.slice(0, 100))} ${JSON.stringify(answer)}`
  assert.strictEqual(answer.status, status, shown)
  assert.deepInclude(answer.body, { success: false, code, requestId: "" }, shown)
  assert.strictEqual(answer.headers.connection, "close", shown)
  assert.strictEqual(answer.headers["content-type"], "application/json", shown)
  return answer
})

describe("The connection of a malformed request", () => {
  itAlone("is closed even if the client stays idle", async () => {
    const server = answerMalformedHttp(createServer(MALFORMED_HTTP_OPTIONS))
    const closed = new Promise((resolve) => server.on("connection", (socket) => socket.on("close", resolve)))
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => client.write("NOT HTTP\r\n\r\n"))
    client.on("error", () => {}).resume()
    await closed
    client.destroy()
    server.close()
  })
})

layer(TestServer.layer())("The HTTP edge", (it) => {
  it.effect("answers malformed requests in the envelope, and closes the connection", () =>
    Effect.gen(function* () {
      for (const [line, ...lines] of [
        ["GET /livez HTTP/1.1"],
        ["GET livez HTTP/1.1", "host: a"],
        ["GET * HTTP/1.1", "host: a"],
        ["FOO /livez HTTP/1.1", "host: a"],
        ["POST /api/tokens HTTP/1.1", "host: a", "content-length: 1", "transfer-encoding: chunked"],
        ["POST /api/tokens HTTP/1.1", "host: a", "content-length: 1", "content-length: 2"],
        ["POST /api/tokens HTTP/1.1", "host: a", "content-length: x"],
        ["GET /livez HTTP/1.1", "host: a", "bad header: x"],
        ["GET /livez HTTP/1.1", "host: a", "a: b\0c"],
        ["POST /api/tokens HTTP/1.1", "expect: 100-continue", "content-length: 2"],
        ["GET /api/stream HTTP/1.1", "connection: upgrade", "upgrade: websocket"],
      ])
        yield* refused(`${[line, ...lines].join("\r\n")}\r\n\r\n`, 400, "malformed_http")
      const raw = yield* refused(
        "GET /api/tokens/search?query=\u00e9 HTTP/1.1\r\nhost: a\r\n\r\n",
        400,
        "malformed_http",
      )
      assert.include(raw.body.message, "has to be percent-encoded")
      const long = "x".repeat(20_000)
      yield* refused(`GET /${long} HTTP/1.1\r\nhost: a\r\n\r\n`, 431, "malformed_http")
      yield* refused(`GET / HTTP/1.1\r\nhost: a\r\nx: ${long}\r\n\r\n`, 431, "malformed_http")
    }),
  )

  it.effect("refuses what it does not support: CONNECT, expectations, and transfer codings", () =>
    Effect.gen(function* () {
      yield* refused("CONNECT a.example:443 HTTP/1.1\r\nhost: a.example:443\r\n\r\n", 501, "malformed_http")
      yield* refused("CONNECT /livez HTTP/1.1\r\nhost: a\r\n\r\n", 501, "malformed_http")
      for (const expected of ["200-ok", "x", "100-continued"])
        yield* refused(`GET /livez HTTP/1.1\r\nhost: a\r\nexpect: ${expected}\r\n\r\n`, 417, "malformed_http")
      for (const coding of ["gzip", "identity", "x"])
        yield* refused(
          `POST /api/tokens HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
          400,
          "malformed_http",
        )
    }),
  )

  it.effect("accepts HTTP/1.0, and clients that wait for 100 Continue", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer
      for (const head of ["GET /livez HTTP/1.0", "GET /livez HTTP/1.1\r\nhost:\r\nconnection: close"])
        assert.strictEqual((yield* wireAnswer(url, `${head}\r\n\r\n`)).status, 200, head)
      const body = JSON.stringify(tokenDraft())
      const head = `POST /api/tokens HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
      const answers = yield* Effect.promise(
        () =>
          new Promise<string>((resolve, reject) => {
            const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(head))
            let text = ""
            socket.on("data", (chunk) => {
              text += chunk.toString()
              if (text === "HTTP/1.1 100 Continue\r\n\r\n") socket.write(body)
            })
            socket.on("end", () => resolve(text))
            socket.on("error", reject)
          }),
      )
      assert.match(answers, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/)
    }),
  )

  it.effect("does not answer malformed bytes in the middle of a response", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer
      const text = yield* Effect.promise(
        () =>
          new Promise<string>((resolve) => {
            const socket = connect(Number(new URL(url).port), "127.0.0.1", () =>
              socket.write("GET /api/stream HTTP/1.1\r\nhost: a\r\n\r\n"),
            )
            let text = ""
            socket.on("data", (chunk) => {
              // The stream has begun, and is endless.
              if (text === "") socket.write("NOT HTTP\r\n\r\n")
              text += chunk.toString()
            })
            socket.on("error", () => {}).on("close", () => resolve(text))
          }),
      )
      assert.match(text, /^HTTP\/1\.1 200 OK\r\n/)
      assert.notInclude(text, "malformed_http")
    }),
  )
})
