import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { answerInOrder } from "../src/listener/PipelinedRequests.ts"
import { nodeListener } from "./NodeListener.ts"
import { answersIn, openRaw, requestText } from "./RawConnection.ts"

const paths = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`)

/** Answers with the path, a moment later. */
const echo = (pipelinedMax: number) => {
  const seen = { underWay: 0, atOnce: 0, begun: 0 }
  const listener = nodeListener(
    (server) => answerInOrder(server, { pipelinedMax }),
    (request, response) => {
      seen.begun++
      seen.atOnce = Math.max(seen.atOnce, ++seen.underWay)
      let body = ""
      request.on("data", (chunk) => (body += chunk))
      setImmediate(() => {
        seen.underWay--
        response.end(`${request.url}${body}`)
      })
    },
  )
  return Effect.map(listener, ({ url }) => ({ url, seen }))
}

describe("Pipelined requests", () => {
  it.live("are answered one at a time and in order, with and without a body", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* echo(100)
      const sent = paths(60).map((path, index) =>
        index % 3 === 0 ? requestText("POST", path, {}, `+${index}`) : requestText("GET", path, {}),
      )
      const { until } = yield* openRaw(url, sent.join(""))
      const answers = answersIn(yield* until(/\/59$/))
      assert.deepStrictEqual(
        answers.map(({ body }) => body),
        paths(60).map((path, index) => (index % 3 === 0 ? `${path}+${index}` : path)),
      )
      assert.strictEqual(seen.atOnce, 1)
    }),
  )

  it.live("close the connection beyond the maximum number that may wait", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* echo(5)
      const flood = paths(200).map((path) => requestText("GET", path, {}))
      const { closed } = yield* openRaw(url, flood.join(""))
      const answers = answersIn(yield* closed)
      assert.deepStrictEqual(
        answers.map(({ body }) => body),
        paths(6),
      )
      assert.include(answers.at(-1)!.headers, "connection: close")
      assert.strictEqual(seen.begun, 6)
    }),
  )

  it.live("stay in order behind one that asks for an upgrade", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* echo(100)
      const inner = requestText("GET", "/inner", {})
      const outer = requestText("POST", "/outer", {}, inner)
      const upgrade = requestText("GET", "/upgrade", { connection: "upgrade", upgrade: "websocket" })
      const { closed, socket } = yield* openRaw(url, upgrade + outer.slice(0, -inner.length))
      socket.write(inner)
      const answers = answersIn(yield* closed)
      assert.deepStrictEqual(
        answers.map(({ body }) => body),
        ["/upgrade"],
      )
      assert.include(answers[0]!.headers, "connection: close")
      assert.strictEqual(seen.begun, 1)
    }),
  )
})
