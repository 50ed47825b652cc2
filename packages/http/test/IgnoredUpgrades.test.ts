import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { ignoreUpgrades } from "../src/listener/IgnoredUpgrades.ts"
import { nodeListener } from "./NodeListener.ts"
import { answersIn, openRaw, requestText } from "./RawConnection.ts"

it.live("passes no request to listeners of upgrades, in any version of Node", () =>
  Effect.gen(function* () {
    const { url } = yield* nodeListener(
      // As Effect's adapter does once the server listens.
      (server) => ignoreUpgrades(server).on("upgrade", (_, socket) => socket.destroy()),
      (request, response) => {
        let body = ""
        request.on("data", (chunk) => (body += chunk)).on("end", () => response.end(`${request.method} ${body}.`))
      },
    )
    for (const upgrade of ["websocket", "h2c"]) {
      const { socket, until } = yield* openRaw(url, "")
      for (const [count, [method, body]] of [
        ["GET", ""],
        ["POST", "sent"],
        ["GET", ""],
      ].entries()) {
        socket.write(requestText(method!, "/", { connection: "upgrade", upgrade }, body))
        yield* until(new RegExp(`^([^.]*\\.[^.]*\\.){${count + 1}}$`))
      }
      const bodies = answersIn(yield* until(/$/)).map(({ body }) => body)
      assert.deepStrictEqual(bodies, ["GET .", "POST sent.", "GET ."])
    }
  }),
)
