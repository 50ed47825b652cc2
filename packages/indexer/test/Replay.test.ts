import { assert, describe, it } from "@effect/vitest"
import { describeSchema } from "@launch-registry/migrations/DescribeSchema"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isSameDigest } from "../src/replay/Digest.ts"
import { rebuild, replay } from "../src/replay/Rebuild.ts"
import { Sink } from "../src/sink/Sink.ts"
import { capturedTransactions } from "../src/sources/CapturedTransactions.ts"
import { digest, fold, lead, receiveTransactions, testIndex } from "./TestIndex.ts"

describe("A replay", () => {
  it.live("gives what the live tables have, in tables of the same schema, and goes on from there", () =>
    Effect.gen(function* () {
      const fence = yield* lead
      const schema = yield* describeSchema
      yield* receiveTransactions(capturedTransactions.slice(0, 20))
      yield* fold(fence)
      const before = yield* digest
      const { live, rebuilt, transactions } = yield* replay(fence)
      assert.strictEqual(transactions, 20)
      assert.isTrue(isSameDigest(live, rebuilt))
      assert.deepStrictEqual(yield* digest, before)
      assert.strictEqual(yield* describeSchema, schema)
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      assert.notDeepEqual(yield* digest, before)
      yield* replay(fence)
      assert.strictEqual(yield* describeSchema, schema)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("mends tables that were tampered with, and says so", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      const before = yield* digest
      yield* sql`update trades set fee = fee + 1 where ordinal = (select max(ordinal) from trades)`
      const { live, rebuilt } = yield* replay(fence)
      assert.isFalse(isSameDigest(live, rebuilt))
      assert.deepStrictEqual(yield* digest, before)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("leaves out what was taken back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const sink = yield* Sink
      const fence = yield* lead
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      const [entry] = yield* sql<{ logOffset: bigint; position: number; slot: bigint; signature: string }>`
        select log_offset, position, slot, signature from inbox_transactions
        where signature = (select signature from trades order by ordinal limit 1)`
      yield* sink.drop([entry!], "test", fence)
      const before = yield* digest
      yield* replay(fence)
      assert.deepStrictEqual(yield* digest, before)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("happens by itself when the tables were derived by other modules", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      yield* receiveTransactions(capturedTransactions)
      yield* fold(fence)
      const before = yield* digest
      yield* sql`update cursors set id = 'modules of an earlier version'`
      yield* sql`delete from candles`
      yield* rebuild(fence)
      assert.deepStrictEqual(yield* digest, before)
      const cursors = yield* sql`select id from cursors`
      assert.lengthOf(cursors, 1)
      yield* fold(fence)
      assert.deepStrictEqual(yield* digest, before)
    }).pipe(Effect.provide(testIndex)),
  )
})
