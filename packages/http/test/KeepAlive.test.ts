import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { HTTP_LIMITS, HttpLimitsOfServer } from "../src/listener/HttpLimits.ts"
import { httpListener } from "../src/listener/HttpListener.ts"
import { nodeListener } from "./NodeListener.ts"
import { openRaw, requestText } from "./RawConnection.ts"

it.live("An idle connection is kept for as long as the setting says, as its client is informed", () =>
  Effect.gen(function* () {
    const listener = yield* httpListener
    const { connections, url } = yield* nodeListener(
      () => listener().on("request", (_, response) => void response.end("kept")),
      () => {},
    )
    const { until } = yield* openRaw(url, requestText("GET", "/", {}))
    assert.match(yield* until(/kept/), /Keep-Alive: timeout=65\r\n/)
    assert.strictEqual(connections.size, 1)
  }).pipe(Effect.provideService(HttpLimitsOfServer, { ...HTTP_LIMITS, keepAliveMillis: 65_000 })),
)
