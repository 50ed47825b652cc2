import { createServer, type RequestListener } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { WholeResponse } from "../src/listener/WholeResponse.ts"
import { nodeListener } from "./NodeListener.ts"
import { openRaw, requestText } from "./RawConnection.ts"

const TEXT = "hello, wörld"
const LENGTH = Buffer.byteLength(TEXT)

/** What a client receives, and how often the server wrote to its socket. */
const answerOf = (method: string, listener: RequestListener) =>
  Effect.gen(function* () {
    let writes = 0
    const { url } = yield* nodeListener(
      () =>
        createServer({ ServerResponse: WholeResponse }, listener).on("connection", (socket) => {
          const write = socket.write.bind(socket) as (...sent: ReadonlyArray<unknown>) => boolean
          socket.write = (...sent: ReadonlyArray<unknown>) => {
            writes++
            return write(...sent)
          }
        }),
      () => {},
    )
    const { closed } = yield* openRaw(url, requestText(method, "/", { connection: "close" }))
    return { received: Buffer.from(yield* closed, "latin1").toString(), writes }
  })

describe("An answer", () => {
  it.live("of one text is written once, headers and body", () =>
    Effect.gen(function* () {
      const { received, writes } = yield* answerOf("GET", (_, response) => {
        response.strictContentLength = true
        response.writeHead(200, { "content-length": LENGTH }).end(TEXT)
      })
      assert.isTrue(received.endsWith(`\r\n\r\n${TEXT}`))
      assert.strictEqual(writes, 1)
    }),
  )

  it.live("to HEAD has the length and no body", () =>
    Effect.gen(function* () {
      const { received } = yield* answerOf("HEAD", (_, response) => {
        response.strictContentLength = true
        response.writeHead(200, { "content-length": LENGTH }).end()
      })
      assert.include(received.toLowerCase(), `content-length: ${LENGTH}`)
      assert.isTrue(received.endsWith("\r\n\r\n"))
    }),
  )

  it.live("in parts that are more than was declared is an error, as Node has it", () =>
    Effect.gen(function* () {
      let code: unknown
      yield* answerOf("GET", (_, response) => {
        response.strictContentLength = true
        response.writeHead(200, { "content-length": 3 })
        try {
          response.write("four")
        } catch (error) {
          code = (error as NodeJS.ErrnoException).code
        }
        response.destroy()
      })
      assert.strictEqual(code, "ERR_HTTP_CONTENT_LENGTH_MISMATCH")
    }),
  )
})
