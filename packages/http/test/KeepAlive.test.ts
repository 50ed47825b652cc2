import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeAddressCaps, AddressCapsOfServer } from "../src/listener/AddressCaps.ts"
import { HTTP_LIMITS, HttpLimitsOfServer } from "../src/listener/HttpLimits.ts"
import { httpListener } from "../src/listener/HttpListener.ts"
import { nodeListener } from "./NodeListener.ts"
import { openRaw, requestText } from "./RawConnection.ts"

const serving = Effect.gen(function* () {
  const listener = yield* httpListener
  return yield* nodeListener(
    () => listener().on("request", (_, response) => void response.end("kept")),
    () => {},
  )
})

describe("An idle connection", () => {
  it.live("is kept for longer than balancers keep it, which is 600 s at most", () =>
    Effect.gen(function* () {
      const { connections, url } = yield* serving
      const { until } = yield* openRaw(url, requestText("GET", "/", {}))
      const [, seconds] = /Keep-Alive: timeout=(\d+)\r\n/.exec(yield* until(/kept/))!
      assert.isAbove(Number(seconds), 600)
      assert.strictEqual(connections.size, 1)
    }),
  )

  // Node's own timer closes it: it goes by real time, a second after what was announced.
  it.live("is closed after that time, and counts as one of its address until then", () =>
    Effect.gen(function* () {
      const { connections, url } = yield* serving
      const idle = yield* openRaw(url, requestText("GET", "/", {}))
      yield* idle.until(/kept/)
      const second = yield* openRaw(url, requestText("GET", "/", {}))
      assert.match(yield* second.closed, /^HTTP\/1\.1 429 /)
      yield* idle.closed
      const third = yield* openRaw(url, requestText("GET", "/", {}))
      assert.match(yield* third.until(/kept/), /^HTTP\/1\.1 200 /)
      assert.isAtMost(connections.size, 1)
    }).pipe(
      Effect.provideService(HttpLimitsOfServer, { ...HTTP_LIMITS, keepAliveMillis: 1 }),
      Effect.provideService(AddressCapsOfServer, makeAddressCaps({ connections: 1 })),
    ),
  )
})
