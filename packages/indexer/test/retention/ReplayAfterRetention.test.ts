import { assert, describe, it } from "@effect/vitest"
import { describeSchema } from "@launch-registry/migrations/DescribeSchema"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isSameDigest } from "../../src/replay/Digest.ts"
import { LogTooShort } from "../../src/replay/LogTooShort.ts"
import { catchUpOwn, rebuild, replay } from "../../src/replay/Rebuild.ts"
import { reportStatements } from "../../src/leader/ReportStatements.ts"
import { reopenLog } from "../../src/retention/ReopenLog.ts"
import { blocks, LAST, ORIGIN, reconciledIndex, round, transactions } from "../finality/ReconciledIndex.ts"
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
        const { rebuilt } = yield* replay(fence)
        assert.isTrue(isSameDigest(rebuilt, before))
        assert.deepStrictEqual(yield* digest, before)
        assert.strictEqual(yield* describeSchema, schema)
        const [cursor] = yield* sql<{ slot: bigint }>`select slot from cursors`
        assert.isAtLeast(Number(cursor!.slot), lastBefore(LAST))
        yield* receiveTransactions(transactions)
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, before)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("happens by itself where only folds are computed again", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        yield* wholeLog(fence)
        const before = yield* digest
        yield* sweptAt(MIDDLE, DAY, fence)
        yield* sql`update cursors set id = 'modules of an earlier version'`
        yield* sql`delete from candles`
        yield* rebuild(fence)
        assert.deepStrictEqual(yield* digest, before)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("is refused where its facts are of other modules, unless they are accepted", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        yield* wholeLog(fence)
        yield* sweptAt(MIDDLE, DAY, fence)
        const before = yield* digest
        yield* sql`update cursors set id = 'modules of an earlier version'`
        yield* sql`update inbox_head set pruned_facts = 'modules of an earlier version'`
        for (const refused of [replay(fence), rebuild(fence)]) {
          const error = yield* Effect.flip(refused)
          assert.instanceOf(error, LogTooShort)
          assert.include(error.message, `Slots ${ORIGIN} to ${lastBefore(MIDDLE)} were deleted from the log`)
        }
        assert.deepStrictEqual(yield* digest, before)
        assert.deepStrictEqual(yield* sql`select id from cursors`, [{ id: "modules of an earlier version" }])
        // Nor is the log folded into tables of other modules, or more of it deleted.
        yield* catchUpOwn(fence)
        yield* sweptAt(MIDDLE + 10, DAY, fence)
        assert.deepStrictEqual(yield* digest, before)
        assert.deepStrictEqual(yield* sql`select id from cursors`, [{ id: "modules of an earlier version" }])
        assert.strictEqual((yield* pruned)!.factsHash, "modules of an earlier version")
        yield* replay(fence, undefined, { keepsFacts: true })
        assert.deepStrictEqual(yield* digest, before)
        assert.notStrictEqual((yield* pruned)!.factsHash, "modules of an earlier version")
        yield* rebuild(fence)
        yield* replay(fence)
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
