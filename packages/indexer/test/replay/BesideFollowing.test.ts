import { assert, describe, it } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Fiber, Latch } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { forgetChain } from "../../src/identity/ForgetChain.ts"
import { beginDue, isRebuildDue } from "../../src/replay/BeginRebuild.ts"
import { isSameDigest } from "../../src/replay/Digest.ts"
import { rebuild, replay } from "../../src/replay/Rebuild.ts"
import type { ReplayProgress } from "../../src/replay/ReplayProgress.ts"
import { DERIVED_TABLES } from "../../src/sink/FactTables.ts"
import { REBUILD_SCHEMA } from "../../src/sink/RebuildSchema.ts"
import { capturedTransactions } from "../../src/sources/CapturedTransactions.ts"
import { blocks as chain, LAST, reconciledIndex } from "../finality/ReconciledIndex.ts"
import { until } from "../leader/Until.ts"
import { sweptAt, wholeLog } from "../retention/SweptIndex.ts"
import { standInCluster } from "../StandInCluster.ts"
import { digest, fold, forget, lead, receiveTransactions, testIndex } from "../TestIndex.ts"
import { derivedByOthers, lettersOf, rebuildProgress, stopAfter } from "./StoppedReplay.ts"

/** The last captured swap that is not among the first twenty transactions. */
const SWAP = capturedTransactions.slice(20).findLast(({ step }) => step.startsWith("swap"))!.transaction.signatures[0]!

/** A segment each. */
const receiveOneByOne = Effect.forEach(capturedTransactions, (transaction) => receiveTransactions([transaction]))

describe("A rebuild, or a replay, beside following", () => {
  it.live("goes on where it stopped, and the live tables are followed from where they were", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      for (const transaction of capturedTransactions.slice(0, 20)) yield* receiveTransactions([transaction])
      yield* fold(fence)
      yield* derivedByOthers
      assert.isTrue(yield* isRebuildDue)
      yield* Effect.flip(rebuild(fence, stopAfter(3), { batchTransactions: 4 }))
      assert.isTrue(yield* isRebuildDue)
      const { logOffset, transactions } = (yield* rebuildProgress)!
      assert.deepStrictEqual([logOffset, transactions], [12n, 12n])
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      const [live] = yield* sql<{ count: number }>`select count(*)::integer as count from trades where fee is not null`
      const told: Array<ReplayProgress> = []
      yield* rebuild(fence, (progress) => Effect.sync(() => told.push(progress)), { batchTransactions: 4 })
      assert.strictEqual(told[0]!.logOffset, 12n)
      assert.deepInclude(told.at(-1), { state: "done", transactions: capturedTransactions.length })
      const found = yield* digest
      assert.deepStrictEqual(yield* sql`select count(*)::integer as count from trades`, [live!])
      yield* forget
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      assert.deepStrictEqual(found, yield* digest)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("starts over when a migration changed the tables, also at its very end", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      let migrations = 0
      const migrate = Effect.gen(function* () {
        migrations++
        yield* sql`alter table trades add column ${sql(`note_${migrations}`)} text`
        yield* sql`insert into schema_migrations (migration_id, name) values (${9_000 + migrations}, 'add_note')`
      })
      const states: Array<string> = []
      const { rebuilt } = yield* replay(fence, ({ state }) =>
        Effect.gen(function* () {
          states.push(state)
          if (state === "comparing" && migrations < 2) yield* migrate
        }),
      )
      assert.strictEqual(states.filter((state) => state === "comparing").length, 3)
      assert.strictEqual(states.at(-1), "done")
      yield* sql`select note_1, note_2 from trades`
      assert.isTrue(isSameDigest(rebuilt, yield* digest))
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("goes on from where its tables are after a failover of the database that lost batches, or all of them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      yield* receiveOneByOne
      yield* fold(fence)
      const whole = yield* digest
      const tables = [...DERIVED_TABLES, "dead_letters", "rebuild_progress"]
      const kept = (table: string) => sql(`stored_${table}`)
      const keep = Effect.forEach(
        tables,
        (table) => sql`create table ${kept(table)} as select * from ${sql(REBUILD_SCHEMA)}.${sql(table)}`,
      )
      const lose = Effect.forEach(tables, (table) =>
        Effect.andThen(
          sql`delete from ${sql(REBUILD_SCHEMA)}.${sql(table)}`,
          sql`insert into ${sql(REBUILD_SCHEMA)}.${sql(table)} select * from ${kept(table)}`,
        ),
      )
      let batches = 0
      const failover = Effect.suspend((): Effect.Effect<unknown, SqlError> => {
        batches++
        if (batches === 3) return keep
        if (batches === 5) return lose
        return batches === 9 ? sql`drop schema ${sql(REBUILD_SCHEMA)} cascade` : Effect.void
      })
      const { live, rebuilt } = yield* replay(fence, () => Effect.asVoid(failover), { batchTransactions: 4 })
      assert.isAbove(batches, 12)
      assert.deepStrictEqual([live, rebuilt], [whole, whole])
      assert.deepStrictEqual(yield* digest, whole)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("does not hold following up while a replay compares", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      yield* receiveTransactions(capturedTransactions.slice(0, 20))
      yield* fold(fence)
      const waiting = sql`select from pg_locks where not granted and relation = 'public.fee_claims'::regclass`
      const session = yield* sql.reserve
      const ask = (statement: string) => session.executeRaw(statement, [])
      const isComparing = yield* Latch.make(false)
      // A table that is digested, and that no swap changes.
      const hold = Effect.all([
        ask("begin"),
        ask("lock table public.fee_claims in access exclusive mode"),
        isComparing.open,
      ])
      const replaying = yield* Effect.forkChild(
        replay(fence, ({ state }) => (state === "comparing" ? Effect.asVoid(hold) : Effect.void)),
      )
      yield* isComparing.await
      yield* until(Effect.map(waiting, (rows) => rows.length > 0))
      yield* receiveTransactions(capturedTransactions.filter((one) => one.transaction.signatures[0] === SWAP))
      yield* fold(fence)
      yield* ask("rollback")
      const { live, rebuilt } = yield* Fiber.join(replaying)
      assert.isTrue(isSameDigest(live, rebuilt))
      assert.isFalse(isSameDigest(live, yield* digest))
      assert.lengthOf(yield* sql`select from trades where signature = ${SWAP}`, 1)
    }).pipe(Effect.scoped, Effect.provide(testIndex)),
  )

  it.live("has its own dead letters: those of transactions that it can decode go", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      yield* derivedByOthers
      yield* sql`
        insert into dead_letters (log_offset, position, slot, signature, reason, module_hash)
        select log_offset, position, slot, signature, 'the database refuses it', 'any' from inbox_transactions limit 1`
      yield* rebuild(fence)
      assert.deepStrictEqual(yield* lettersOf, [])
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("keeps the log whole until it has ended", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(chain)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        yield* wholeLog(fence)
        const segments = Effect.map(
          sql<{ count: number }>`select count(*)::integer as count from inbox_segments`,
          ([row]) => row!.count,
        )
        const whole = yield* segments
        yield* Effect.flip(replay(fence, stopAfter(1)))
        yield* sweptAt(LAST, { inboxDays: 1 }, fence)
        assert.strictEqual(yield* segments, whole)
        yield* replay(fence)
        yield* sweptAt(LAST, { inboxDays: 1 }, fence)
        assert.isBelow(yield* segments, whole)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("keeps the log whole where a deletion had already begun", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(chain)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        yield* wholeLog(fence)
        const segments = sql`select log_offset from inbox_segments order by log_offset`
        const [tables, log] = [yield* digest, yield* segments]
        const waiting = sql`select from pg_locks where not granted and relation = 'coverage'::regclass`
        const [{ name }] = (yield* sql<{ name: string }>`select current_database() as name`) as [{ name: string }]
        const session = yield* sql.reserve
        const ask = (statement: string) => session.executeRaw(statement, [])
        yield* ask("begin")
        yield* ask("lock table coverage in access exclusive mode")
        // On connections of its own: statements share one, and queue there.
        const sweeping = yield* Effect.forkChild(
          Effect.provide(sweptAt(LAST, { inboxDays: 1 }, fence), TestDatabase.connectionsTo(name)),
        )
        yield* until(Effect.map(waiting, (rows) => rows.length > 0))
        let isSwept = false
        const sweep = Effect.suspend(() => {
          if (isSwept) return Effect.void
          isSwept = true
          return Effect.asVoid(Effect.andThen(ask("rollback"), Fiber.join(sweeping)))
        })
        const { live, rebuilt } = yield* replay(fence, () => sweep)
        assert.deepStrictEqual([live, rebuilt], [tables, tables])
        assert.deepStrictEqual(yield* segments, log)
      }).pipe(Effect.scoped, Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("leaves nothing behind: a replay that nobody goes on with, another chain, an earlier version's tables", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      const schemas = sql`select nspname from pg_namespace where nspname like 'derived%'`
      yield* receiveOneByOne
      yield* fold(fence)
      const stopped = Effect.suspend(() => Effect.flip(replay(fence, stopAfter(1), { batchTransactions: 4 })))
      yield* stopped
      yield* beginDue(fence, true)
      assert.lengthOf(yield* schemas, 1)
      yield* beginDue(fence, false)
      assert.lengthOf(yield* schemas, 0)
      yield* stopped
      yield* forgetChain(fence)
      assert.lengthOf(yield* schemas, 0)
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      yield* sql`create schema derived_0123456789ab`
      yield* replay(fence)
      assert.lengthOf(yield* schemas, 0)
    }).pipe(Effect.provide(testIndex)),
  )
})
