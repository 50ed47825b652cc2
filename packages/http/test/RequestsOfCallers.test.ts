import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql/SqlClient"
import { IdempotentRequests, type SentKey } from "../src/idempotency/IdempotentRequests.ts"

const sent = (fields: Partial<SentKey> = {}): SentKey => ({
  ...{ key: "key", caller: "", operation: "POST /x", url: "/x" },
  ...fields,
})

let written = 0

/** Work that counts how often it was done, and writes that with its answer. */
const counted = Effect.gen(function* () {
  const { claim, commit } = yield* IdempotentRequests
  yield* claim(() => ({ a: 1 }))
  return yield* commit(Effect.sync(() => HttpServerResponse.jsonUnsafe({ time: ++written })))
}).pipe(Effect.catchTag("AnsweredBefore", ({ response }) => Effect.succeed(response)))

const textOf = ({ body }: HttpServerResponse.HttpServerResponse): string =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : body._tag

const tables = Layer.provideMerge(IdempotentRequests.layer, TestDatabase.layer)

layer(tables)("Idempotent requests", (it) => {
  it.effect("belong to their caller: the same key of another caller is another request", () =>
    Effect.gen(function* () {
      const { once } = yield* IdempotentRequests
      const answers = yield* Effect.forEach(["a", "b", "a", "", "b", ""], (caller) =>
        Effect.map(once(sent({ caller }), counted), textOf),
      )
      assert.deepStrictEqual(
        answers,
        [1, 2, 1, 3, 2, 3].map((time) => `{"time":${time}}`),
      )
    }),
  )

  it.effect("store successful answers only, and nothing that was rolled back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { claim, commit, once } = yield* IdempotentRequests
      const rows = sql`select from idempotent_requests where caller = 'c'`
      const doing = (write: Effect.Effect<HttpServerResponse.HttpServerResponse, string>) =>
        Effect.exit(once(sent({ caller: "c" }), Effect.andThen(Effect.orDie(claim(() => 1)), commit(write))))
      const insert = sql`insert into token_whitelist (mint_address, whitelisted, updated_at) values ('c', true, now())`
      yield* doing(Effect.succeed(HttpServerResponse.empty({ status: 503 })))
      assert.lengthOf(yield* rows, 0)
      const failed = yield* doing(Effect.andThen(Effect.orDie(insert), Effect.fail("refused")))
      assert.isTrue(Exit.isFailure(failed))
      assert.lengthOf(yield* rows, 0)
      assert.lengthOf(yield* sql`select from token_whitelist where mint_address = 'c'`, 0)
      yield* doing(Effect.as(Effect.orDie(insert), HttpServerResponse.empty({ status: 204 })))
      assert.lengthOf(yield* rows, 1)
      assert.lengthOf(yield* sql`select from token_whitelist where mint_address = 'c'`, 1)
    }),
  )

  it.effect("fail when a handler forgets to claim the key", () =>
    Effect.gen(function* () {
      const { once } = yield* IdempotentRequests
      const exit = yield* Effect.exit(once(sent({ caller: "d" }), Effect.succeed(HttpServerResponse.empty())))
      assert.isTrue(Exit.isFailure(exit) && /never claimed its key/.test(Cause.pretty(exit.cause)))
    }),
  )

  it.effect("are deleted in batches after their retention", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { once, sweep } = yield* IdempotentRequests
      yield* sql`delete from idempotent_requests`
      for (const key of ["1", "2", "3", "4"]) yield* once(sent({ key, caller: "e" }), counted)
      const hash = (key: string) => sql`sha256(${key}::bytea)`
      yield* sql`update idempotent_requests set created_at = now() - interval '25 hours' where key_hash <> ${hash("4")}`
      const removed = [yield* sweep(2), yield* sweep(2), yield* sweep(2)]
      assert.deepStrictEqual(removed, [2, 1, 0])
      assert.lengthOf(yield* sql`select from idempotent_requests where key_hash = ${hash("4")}`, 1)
    }),
  )
})
