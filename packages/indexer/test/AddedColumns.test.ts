import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { coverageStatements } from "../src/finality/CoverageStatements.ts"
import { historyStatements } from "../src/history/HistoryStatements.ts"
import { jobStatements } from "../src/jobs/JobStatements.ts"

const TABLES = ["indexer_jobs", "indexer_progress", "trades", "coverage"]

describe("A process of the version before a migration", () => {
  it.effect("goes on within a transaction, with statements that it prepared before a column was added", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [history, jobs] = [historyStatements(sql), jobStatements(sql)]
      const draft = { kind: "backfill", fromSlot: 1n, toSlot: 2n, reason: "test" } as const
      const covered = { fromSlot: 1n, toSlot: 2n, provenBy: "test", logOffset: 0n }
      const now = new Date(0)
      const statements: Readonly<Record<string, Effect.Effect<unknown, SqlError>>> = {
        insert: jobs.insert(draft),
        same: jobs.same(draft),
        repairFrom: jobs.repairFrom(1n, undefined),
        list: jobs.list,
        next: jobs.next,
        byId: jobs.byId(1n),
        start: jobs.start(1n),
        progress: history.progress,
        tradesBetween: history.tradesBetween(0n, 1n),
        tokensAfter: history.tokensAfter({ changedAt: new Date(0), id: randomUUID() }),
        coverage: coverageStatements(sql).add(covered, now),
      }
      for (const [name, statement] of Object.entries(statements)) {
        const tried = Effect.gen(function* () {
          const before = sql`savepoint before`
          yield* before
          yield* statement
          yield* sql`rollback to savepoint before`
          for (const table of [...TABLES, "dbc_pools", "tokens"])
            yield* sql`alter table ${sql(table)} add column added_later text`
          yield* statement
          return yield* Effect.fail("rolled back" as const)
        })
        const outcome = yield* Effect.flip(sql.withTransaction(tried))
        assert.strictEqual(outcome, "rolled back", `${name}: ${JSON.stringify(outcome)}`)
      }
    }).pipe(Effect.provide(TestDatabase.layer)),
  )
})
