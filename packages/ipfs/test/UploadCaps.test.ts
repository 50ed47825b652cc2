import { WriteCapsOfServer } from "@launch-registry/http/limits/WriteCaps"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { placedOn, storeText, withDatabase } from "./PlacedOn.ts"
import { scriptedBackend } from "./ScriptedBackend.ts"

const filebase = scriptedBackend("filebase")
const caps = Layer.succeed(WriteCapsOfServer, { uploadsPerDay: 5, uploadBytesPerDay: 8 })

layer(placedOn(["filebase"], [filebase]).pipe(Layer.provide(caps), withDatabase))(
  "Uploads that only a remote backend stores",
  (it) => {
    it.effect("count before they are sent, and add no bytes once the backend has confirmed their content", () =>
      Effect.gen(function* () {
        yield* storeText("12345")
        yield* storeText("12345")
        const refused = yield* Effect.flip(storeText("6789"))
        assert.deepInclude(refused, { _tag: "LimitReached", resource: "upload_bytes_today" })
        yield* storeText("678")
        yield* storeText("678")
        yield* storeText("12345")
        assert.deepInclude(yield* Effect.flip(storeText("12345")), { _tag: "LimitReached", resource: "uploads_today" })
        assert.lengthOf(filebase.asked, 5)
      }),
    )
  },
)
