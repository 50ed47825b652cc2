import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { connecting } from "../src/Database.ts"

it.effect(
  "A pooler in transaction mode, named by ?pgbouncer=true, gets neither statement_timeout nor prepared statements",
  () =>
    Effect.gen(function* () {
      for (const [query, hasPooler] of [
        ["", false],
        ["?pgbouncer=false", false],
        ["?pgbouncer=true", true],
        ["?sslmode=disable&pgbouncer=true", true],
      ] as const) {
        const url = Redacted.make(`postgres://somebody@127.0.0.1/registry${query}`)
        const { pool } = yield* connecting({ url })
        assert.strictEqual(pool.prepare, !hasPooler, query)
        assert.strictEqual("statement_timeout" in pool.startupParameters, !hasPooler, query)
      }
    }).pipe(Effect.scoped),
)
