import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { PrimaryState } from "@launch-registry/postgres/PrimaryState"
import { Effect, Layer } from "effect"
import { TestServer } from "../../../service/test/TestServer.ts"

const state = { isWaiting: false }
const database = Layer.merge(TestDatabase.layer, Layer.succeed(PrimaryState, state)) as typeof TestDatabase.layer

layer(TestServer.layer({ database }))("Commits that wait for a synchronous standby", (it) => {
  it.effect("are said in the state of the service, which goes on answering reads", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const look = Effect.gen(function* () {
        const { body } = yield* request("/")
        return [body.data.database, (yield* request("/readyz")).status]
      })
      assert.deepStrictEqual(yield* look, [{ status: "up", detail: "PostgreSQL answers" }, 200])
      state.isWaiting = true
      const detail = "PostgreSQL answers; writes are refused: no synchronous standby confirms commits"
      assert.deepStrictEqual(yield* look, [{ status: "degraded", detail }, 200])
    }),
  )
})
