import { assert, describe, it } from "@effect/vitest"
import { describeSchema } from "@launch-registry/migrations/DescribeSchema"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isSameDigest } from "../../src/replay/Digest.ts"
import { catchUpOwn, rebuild, replay } from "../../src/replay/Rebuild.ts"
import { reportStatements } from "../../src/leader/ReportStatements.ts"
import { reopenLog } from "../../src/retention/ReopenLog.ts"
import { blocks, LAST, ORIGIN, reconciledIndex, round, transactions } from "../finality/ReconciledIndex.ts"
import { stopAfter } from "../replay/StoppedReplay.ts"
import { standInCluster } from "../StandInCluster.ts"
import { digest, fold, lead, receiveTransactions } from "../TestIndex.ts"
import { lastBefore, pruned, sweptAt, wholeLog } from "./SweptIndex.ts"

const MIDDLE = ORIGIN + 25
const DAY = { inboxDays: 1 }

describe("A replay of a log that was cut off", () => {
  it.live.each([MIDDLE, LAST])("keeps what is older than the log, and derives the rest (cut at %s)", (slot) =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        yield* wholeLog(fence)
        const before = yield* digest
        const schema = yield* describeSchema
        yield* sweptAt(slot, DAY, fence)
        // Folds are derived from the facts, so nothing of them is needed.
        yield* sql`truncate candles, dbc_pools, dbc_configs`
        yield* Effect.flip(replay(fence, stopAfter(9), { batchTransactions: 7 }))
        const { rebuilt } = yield* replay(fence, undefined, { batchTransactions: 7 })
        assert.isTrue(isSameDigest(rebuilt, before))
        assert.deepStrictEqual(yield* digest, before)
        assert.strictEqual(yield* describeSchema, schema)
        const [cursor] = yield* sql<{ slot: bigint }>`select slot from indexer_progress`
        assert.isAtLeast(Number(cursor!.slot), lastBefore(LAST))
        yield* receiveTransactions(transactions)
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, before)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live(
    "happens by itself when modules change: facts of deleted slots stay as they were derived, all else is derived again",
    () =>
      Effect.gen(function* () {
        const cluster = yield* standInCluster(blocks)
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          const fence = yield* lead
          yield* wholeLog(fence)
          const before = yield* digest
          yield* sweptAt(MIDDLE, DAY, fence)
          yield* sql`create table every_trade as select * from trades`
          yield* sql`update indexer_progress set module_hash = 'modules of an earlier version'`
          yield* sql`update trades set fee = fee + 1`
          yield* sql`delete from candles`
          // Nothing is folded into tables of other modules, or deleted from the log, before they are derived again.
          yield* catchUpOwn(fence)
          assert.deepStrictEqual(yield* sql`select module_hash from indexer_progress`, [
            { moduleHash: "modules of an earlier version" },
          ])
          yield* rebuild(fence)
          const differing = yield* sql<{ readonly isDeleted: boolean }>`
          select distinct t.ordinal >> 32 <= ${(yield* pruned)!.toSlot} as is_deleted, t.fee <> e.fee as differs
          from trades t full join every_trade e using (ordinal, signature) order by 1`
          assert.deepStrictEqual(differing as ReadonlyArray<unknown>, [
            { isDeleted: false, differs: false },
            { isDeleted: true, differs: true },
          ])
          yield* sql`update trades set fee = fee - 1 where ordinal >> 32 <= ${(yield* pruned)!.toSlot}`
          assert.deepStrictEqual(yield* digest, before)
        }).pipe(Effect.provide(reconciledIndex(cluster)))
      }),
  )

  it.live("has everything once the deleted slots were fetched again, also those from before the origin", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const reports = reportStatements(sql)
        const fence = yield* lead
        yield* wholeLog(fence)
        const before = yield* digest
        const report = (yield* reports.leader)!
        yield* reports.write("leader", { ...report, originSlot: String(ORIGIN + 10) }, new Date(0))
        yield* sweptAt(MIDDLE, DAY, fence)
        yield* reopenLog(fence)
        const origin = Number((yield* reports.leader)!.originSlot)
        assert.strictEqual(origin, ORIGIN)
        yield* round(fence, origin)
        yield* fold(fence)
        yield* round(fence, origin)
        yield* replay(fence)
        assert.deepStrictEqual(yield* digest, before)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )
})
