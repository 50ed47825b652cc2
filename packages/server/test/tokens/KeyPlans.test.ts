import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { anyKey } from "@launch-registry/postgres/AnyKey"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Executions after which PostgreSQL chooses a plan for all parameters. */
const CUSTOM_PLANS = 5

layer(TestDatabase.layer)("Tokens by key", (it) => {
  it.effect("are read with one plan, however few there are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`
        insert into tokens (id, mint_address, name, symbol, total_supply, decimals, owner, launchpad, created_at, updated_at)
        select gen_random_uuid(), 'M' || n, 'Token', 'T', 1, 6, 'somebody', 'launchpad_a', now(), now() from generate_series(1, 5000) n`
      yield* sql`analyze tokens`
      const plansOf = (marked: string, select: (keys: ReadonlyArray<string>) => Fragment) =>
        Effect.gen(function* () {
          for (let count = 0; count < 20; count++)
            yield* sql`
              select t.id, ${sql.literal(`'${marked}' as marked`)} from tokens t where t.id = ${select([crypto.randomUUID()])}`
          const [plans] = yield* sql<{ readonly custom: number; readonly generic: number }>`
            select custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements
            where statement like ${`%'${marked}' as marked%`}`
          return plans
        }).pipe(sql.withTransaction)
      assert.deepStrictEqual(yield* plansOf("hidden", (keys) => anyKey(sql, keys, "uuid")), {
        custom: CUSTOM_PLANS,
        generic: 20 - CUSTOM_PLANS,
      })
      // What it is for: PostgreSQL plans the plain form each time.
      assert.deepStrictEqual(yield* plansOf("plain", (keys) => sql`any(${keys}::uuid[])`), { custom: 20, generic: 0 })
    }),
  )
})
