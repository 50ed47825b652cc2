import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { DatabaseDurability, PrimaryState } from "@launch-registry/postgres/durability/DatabaseDurability"
import { Effect, Layer } from "effect"
import { TestServer } from "../../../service/test/TestServer.ts"

const state = new PrimaryState("replicated")
const REPLICATED = { level: "replicated", standbys: 2, because: "synchronous_commit = on" } as const
const LOCAL = { level: "local", standbys: 0, because: "no synchronous_standby_names" } as const

const database = Layer.merge(TestDatabase.layer, Layer.succeed(DatabaseDurability, state)) as typeof TestDatabase.layer

const said = Effect.gen(function* () {
  const { request } = yield* TestServer
  const { body } = yield* request("/")
  const ready = yield* request("/readyz")
  return { ...body.data.database, ready: ready.status, text: JSON.stringify(ready.body) }
})

layer(TestServer.layer({ database }))("What writes survive", (it) => {
  it.effect("is said in the state of the service", () =>
    Effect.gen(function* () {
      state.durability = REPLICATED
      const { detail, ready, status } = yield* said
      assert.deepStrictEqual([status, ready], ["up", 200])
      assert.strictEqual(
        detail,
        "PostgreSQL answers; acknowledged writes survive its loss (on 2 synchronous standbys, synchronous_commit = on)",
      )
    }),
  )

  it.effect("makes a process unready where it is less than is demanded", () =>
    Effect.gen(function* () {
      state.durability = LOCAL
      const { detail, ready, status, text } = yield* said
      assert.deepStrictEqual([status, ready], ["degraded", 503])
      assert.match(detail, /not its loss \(no synchronous_standby_names\); DATABASE_DURABILITY demands replicated$/)
      assert.match(text, /DATABASE_DURABILITY demands replicated/)
    }),
  )

  it.effect("is not put at risk by commits that wait: writes are refused, and reads go on", () =>
    Effect.gen(function* () {
      state.durability = REPLICATED
      state.isWaiting = true
      const { detail, ready, status } = yield* said
      state.isWaiting = false
      assert.deepStrictEqual([status, ready], ["degraded", 200])
      assert.match(detail, /writes are refused: no synchronous standby confirms commits$/)
    }),
  )
})
