import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { migrate } from "../src/Migrate.ts"
import { firstMigrations, MIGRATION_FILES } from "../src/Migrations.ts"
import * as TestDatabase from "../src/TestDatabase.ts"

const EVM_USER = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e"
const BEFORE = MIGRATION_FILES.indexOf("0061_lower_users_of_swaps.ts")

describe("Users of BRIDGE records", () => {
  it.live("are in lower case after the migration where they are EVM addresses, and all others as they were", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* migrate(firstMigrations(BEFORE))
      const insert = (user: string, action: string) => sql`
        insert into transactions (id, user_address, tx_hash, action, base_token, quote_token, amount_in, amount_out,
          price_per_token, slippage_bps, fee, fee_token, status, chain, pool_address, created_at, updated_at)
        values (gen_random_uuid(), ${user}, '', ${action}, 'b', 'q', 1, 1, 1, 0, 0, 'q', 'pending', 'arb', 'p', now(), now())`
      for (const user of [EVM_USER, `${EVM_USER}00`, "Maria.near"]) yield* insert(user, "BRIDGE")
      yield* insert(EVM_USER, "BUY")
      yield* migrate(firstMigrations(BEFORE + 1))
      const rows = yield* sql<{ readonly action: string; readonly user: string }>`
        select action, user_address as user from transactions`
      const named = rows.map(({ action, user }) => `${action} ${user}`).toSorted()
      const expected = [
        ...[`BRIDGE ${EVM_USER.toLowerCase()}`, `BRIDGE ${EVM_USER}00`],
        ...["BRIDGE Maria.near", `BUY ${EVM_USER}`],
      ]
      assert.deepStrictEqual(named, expected.toSorted())
    }).pipe(Effect.provide(TestDatabase.layerEmpty)),
  )
})
