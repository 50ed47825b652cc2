import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { tokenDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"

const METADATA = { name: "Name", symbol: "SYM" }

for (const takesLoopbackLinks of [true, false])
  layer(TestServer.layer({ takesLoopbackLinks }), { excludeTestServices: true })(
    takesLoopbackLinks ? "In local mode" : "Outside local mode",
    (it) => {
      it.effect(`links ${takesLoopbackLinks ? "may" : "must not"} be http URLs of this machine`, () =>
        Effect.gen(function* () {
          const { request } = yield* TestServer
          const link = "http://localhost:3001/ipfs/x"
          const { data } = (yield* request("/api/tokens", { json: tokenDraft() })).body
          for (const [path, json, method] of [
            ["/api/tokens", { ...tokenDraft(), website: link }, "POST"],
            [`/api/tokens/${data.id}`, { bannerUri: link }, "PATCH"],
            ["/api/ipfs/upload-metadata", { ...METADATA, imageUri: link }, "POST"],
          ] as const) {
            const { body, status } = yield* request(path, { json, method })
            assert.strictEqual(status < 300, takesLoopbackLinks, JSON.stringify(body))
            if (!takesLoopbackLinks) assert.match(body.issues[0].path, /^body\.\w+$/)
          }
        }),
      )
    },
  )
