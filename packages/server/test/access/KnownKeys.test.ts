import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql/SqlClient"
import { apiKeyStatements } from "../../src/access/ApiKeys.ts"
import { FRESH_MILLIS, knownKeys } from "../../src/access/KnownKeys.ts"

const draft = { name: "k", scopes: ["write"] as const, days: undefined }

layer(TestDatabase.layer)("Known keys", (it) => {
  it.effect(
    "are read once in a while, whatever is sent: a new key works, and a revoked one ends, with the next read",
    () =>
      Effect.gen(function* () {
        const keys = apiKeyStatements(yield* SqlClient)
        const verify = yield* knownKeys()
        const one = yield* keys.create(draft)
        const isKnown = (text: Redacted.Redacted) =>
          Effect.map(verify(Redacted.value(text)), (key) => key !== undefined)
        assert.isTrue(yield* isKnown(one.text))
        const two = yield* keys.create(draft)
        yield* keys.revoke(one.id)
        // Neither is looked up by itself.
        assert.deepStrictEqual([yield* isKnown(one.text), yield* isKnown(two.text)], [true, false])
        yield* TestClock.adjust(FRESH_MILLIS)
        assert.deepStrictEqual([yield* isKnown(one.text), yield* isKnown(two.text)], [false, true])
      }),
  )

  it.effect("are rotated with an overlap, and keep name, scopes and lifetime", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const keys = apiKeyStatements(sql)
      const old = yield* keys.create({ name: "rotated", scopes: ["read", "write"], days: 90 })
      const made = (yield* keys.rotate(old.id, 24))!
      const rows = yield* sql<{
        readonly id: string
        readonly name: string
        readonly scopes: ReadonlyArray<string>
        readonly hours: number
      }>`
        select id, name, scopes, round(extract(epoch from expires_at - now()) / 3600)::int as hours
        from api_keys where name = 'rotated' order by hours`
      const [scopes, name] = [["read", "write"], "rotated"]
      assert.deepStrictEqual(rows, [
        { id: old.id, name, scopes, hours: 24 },
        { id: made.id, name, scopes, hours: 90 * 24 },
      ])
      const verify = yield* knownKeys()
      for (const { text } of [old, made]) assert.isDefined(yield* verify(Redacted.value(text)))
      yield* keys.rotate(made.id, 0)
      yield* TestClock.adjust(FRESH_MILLIS)
      assert.isUndefined(yield* verify(Redacted.value(made.text)))
      assert.isUndefined(yield* keys.rotate("nothing", 1))
      assert.isFalse(yield* keys.revoke("nothing"))
    }),
  )
})
