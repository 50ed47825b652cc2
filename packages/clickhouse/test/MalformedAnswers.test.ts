import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { clickHouseClient } from "../src/ClickHouseClient.ts"

type Answering = (response: ServerResponse, request: IncomingMessage) => void

/** A client of a server that answers what it likes, with at most two connections. */
const clientOf = Effect.fnUntraced(function* (answering: Answering) {
  const server = createServer((request, response) => {
    request.resume()
    request.on("end", () => answering(response, request))
  })
  yield* Effect.acquireRelease(
    Effect.promise(async () => {
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  const clickhouse = yield* clickHouseClient(
    { origin: `http://127.0.0.1:${port}`, user: "writer", password: Redacted.make("se'cret"), database: "history" },
    { bytesMax: 100_000, connectionsMax: 2 },
  )
  return { clickhouse, server }
})

/** `true` for a client that reads rows; another one writes. */
const failedOf = Effect.fnUntraced(function* (answering: Answering, isRead = true) {
  const { clickhouse } = yield* clientOf(answering)
  return yield* Effect.flip(isRead ? clickhouse.select("select 1") : clickhouse.insert("trades", ["a"], [[1]]))
})

const sending =
  (text: string, status = 200, headers: Readonly<Record<string, string>> = {}): Answering =>
  (response) => {
    response.writeHead(status, headers)
    response.end(text)
  }

const NO_ROWS = /^The answer of ClickHouse is cut short or holds no rows of JSON$/
const PAGE = "<!DOCTYPE html><title>Sign in</title>"
const EXCEPTION =
  "Code: 159. DB::Exception: Timeout exceeded: elapsed 10.1 seconds. (TIMEOUT_EXCEEDED) (version 25.8.1.1)"

const CONNECTION = /^The connection to ClickHouse failed/

const READS: ReadonlyArray<readonly [what: string, Answering, sentence: RegExp]> = [
  ["half a row", sending('{"a":1}\n{"a":'), NO_ROWS],
  ["a row without its end", sending('{"a":1}\n{"a":2}'), NO_ROWS],
  ["rows that are no objects", sending("1\n2\n"), NO_ROWS],
  ["lists", sending("[1]\n"), NO_ROWS],
  ["an empty line", sending('{"a":1}\n\n'), NO_ROWS],
  ["an error after rows", sending(`{"a":1}\n${EXCEPTION}\n`), /^ClickHouse cannot do this now: TIMEOUT_EXCEEDED/],
  ["an error with status 200", sending(EXCEPTION, 200, { "x-clickhouse-exception-code": "159" }), /TIMEOUT_EXCEEDED/],
  ["a page", sending(PAGE, 200, { "content-type": "text/html" }), /^Not ClickHouse but a page/],
  ["a page without a type", sending(PAGE), /^Not ClickHouse but a page/],
  ["a page of a gateway", sending(PAGE, 502), /^ClickHouse is in trouble: 502 with a page instead of an answer/],
  ["429", sending("no", 429), /^ClickHouse is in trouble: status 429$/],
  ["503", sending("no", 503), /^ClickHouse is in trouble: status 503$/],
  ["an unknown encoding", sending("x", 200, { "content-encoding": "snappy" }), CONNECTION],
  ["no gzip as gzip", sending("not gzip", 200, { "content-encoding": "gzip" }), CONNECTION],
  ["no HTTP", (response) => response.socket!.end("Code: 60\r\n\r\n"), CONNECTION],
  [
    "a body that ends with the connection",
    (response) => response.socket!.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"a":1}\n'),
    /^The answer of ClickHouse does not say where it ends$/,
  ],
]

/** That no retry mends. */
const PERMANENT: typeof READS = [
  [
    "an error code alone",
    sending("", 500, { "x-clickhouse-exception-code": "60" }),
    /^ClickHouse does not have .*: code 60$/,
  ],
  [
    "a redirect",
    sending("", 302, { location: "http://elsewhere.example/" }),
    /redirects, which is not followed: status 302$/,
  ],
  ["401 of a proxy", sending("no", 401), /^The user or the password of HISTORY_URL is refused: status 401$/],
  ["404", sending("no", 404), /^There is no ClickHouse at HISTORY_URL: status 404$/],
]

const endless = (response: ServerResponse, status: number) => {
  response.writeHead(status)
  const more = () => {
    while (!response.destroyed && response.write("x".repeat(10_000)));
  }
  response.on("drain", more)
  more()
}

describe("An answer that is malformed is a failure:", () => {
  it.effect.each([...READS, ...PERMANENT])("%s", ([what, answering, sentence]) =>
    Effect.gen(function* () {
      const failed = yield* failedOf(answering)
      assert.match(failed.reason, sentence)
      assert.strictEqual(
        failed.isPermanent,
        PERMANENT.some(([name]) => name === what),
      )
    }),
  )

  it.effect("a page, or text, to an insert", () =>
    Effect.gen(function* () {
      assert.match((yield* failedOf(sending(PAGE), false)).reason, /^Not ClickHouse but a page/)
      assert.match((yield* failedOf(sending("OK"), false)).reason, /^ClickHouse answered something/)
    }),
  )

  it.effect("what quotes credentials is passed on without them", () =>
    Effect.gen(function* () {
      const answering: Answering = (response, { headers }) => {
        const text = `Code: 516. DB::Exception: writer: rewriter se'cret se%27cret ${headers.authorization} ${headers.host} failed. (AUTHENTICATION_FAILED)`
        sending(text, 403)(response, {} as IncomingMessage)
      }
      const { reason } = yield* failedOf(answering)
      assert.match(reason, /\[user\]: rewriter \[password\] \S+ Basic \[credentials\] \[host\] failed\.$/)
      assert.notMatch(reason, /se.{1,3}cret/)
    }),
  )

  it.effect("a statement that is quoted at length is cut", () =>
    Effect.gen(function* () {
      const { reason } = yield* failedOf(sending(`Code: 62. DB::Exception: ${"x".repeat(100_000)} (SYNTAX_ERROR)`, 400))
      assert.isBelow(reason.length, 500)
    }),
  )
})

describe("Connections", () => {
  for (const status of [200, 500]) {
    it.effect(`are given back when an answer of status ${status} has no end`, () =>
      Effect.gen(function* () {
        let isEndless = true
        const { clickhouse } = yield* clientOf((response, request) => {
          if (isEndless) endless(response, status)
          else sending('{"a":1}\n')(response, request)
        })
        for (let times = 0; times < 10; times++) yield* Effect.flip(clickhouse.select("select 1"))
        isEndless = false
        assert.deepStrictEqual(yield* clickhouse.select("select 1"), [{ a: 1 }])
      }),
    )
  }

  it.effect("are closed when the fiber that waits is interrupted, before an answer and within one", () =>
    Effect.gen(function* () {
      for (const isBegun of [false, true]) {
        const asked = Promise.withResolvers<ServerResponse>()
        const { clickhouse } = yield* clientOf((response) => {
          if (isBegun) response.write('{"a":1}\n')
          asked.resolve(response)
        })
        const running = yield* Effect.forkChild(clickhouse.select("select 1"))
        const response = yield* Effect.promise(() => asked.promise)
        const closed = once(response, "close")
        yield* Fiber.interrupt(running)
        yield* Effect.promise(() => closed)
      }
    }),
  )

  it.effect("are used again", () =>
    Effect.gen(function* () {
      const sockets = new Set<unknown>()
      const { clickhouse } = yield* clientOf((response, request) => {
        sockets.add(request.socket)
        sending(request.url!.includes("insert") ? "" : '{"a":1}\n')(response, request)
      })
      for (let times = 0; times < 5; times++) {
        yield* clickhouse.select("select 1")
        yield* clickhouse.insert("trades", ["a"], [[1]])
      }
      assert.strictEqual(sockets.size, 1)
    }),
  )
})
