import { assert, describe, it } from "@effect/vitest"
import { firstOrdinalOf } from "@launch-registry/solana/Ordinal"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { historyRound } from "../../src/history/HistoryRound.ts"
import { historyStatements } from "../../src/history/HistoryStatements.ts"
import { beginRebuild, dropAbandoned } from "../../src/replay/BeginRebuild.ts"
import { replay } from "../../src/replay/Rebuild.ts"
import { prunedSlots } from "../../src/retention/PrunedSlots.ts"
import { forged, randomSignature } from "../finality/ReconciledIndex.ts"
import { blocks, FIRST } from "../retention/TwoHours.ts"
import { fold, lead, receiveTransactions } from "../TestIndex.ts"
import { historyIndex } from "./HistoryIndex.ts"
import { filled, finalizedCluster, LAST, movedAt, placesOfBoth, sentAndMovedAt, settled } from "./MovedTrades.ts"

/** The slots of the chain have times in one hour but for the first ones; by then all are old. */
const AT_LAST = LAST

const keptFromSlot = Effect.gen(function* () {
  const { keptFrom } = yield* historyStatements(yield* SqlClient).progress
  return Number(keptFrom >> 32n) - FIRST
})

describe("Old trades", () => {
  it.live("leave PostgreSQL in the order of their slots, and stay in history", () =>
    Effect.gen(function* () {
      yield* historyIndex(yield* finalizedCluster, (clickhouse) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const fence = yield* lead
          yield* filled(fence)
          const all = yield* placesOfBoth(clickhouse)
          // Not before they are sent.
          assert.strictEqual(yield* movedAt(AT_LAST, clickhouse, fence), 0)
          yield* historyRound(clickhouse, fence)
          let moved = 0
          const reached: Array<number> = []
          for (let slot = FIRST; slot <= AT_LAST; slot++) {
            moved += yield* movedAt(slot, clickhouse, fence)
            if (moved > reached.length) reached.push(yield* keptFromSlot)
            assert.deepStrictEqual(yield* placesOfBoth(clickhouse), all)
            assert.isAtMost(yield* keptFromSlot, slot - FIRST)
          }
          assert.isAbove(reached.length, 2)
          const [rows] = yield* sql<{ readonly rows: number }>`select count(*)::integer as rows from trades`
          assert.isBelow(rows!.rows, all.length)
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("close the log to their slots", () =>
    Effect.gen(function* () {
      yield* historyIndex(yield* finalizedCluster, (clickhouse) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const fence = yield* lead
          yield* filled(fence)
          const all = yield* placesOfBoth(clickhouse)
          assert.isAbove(yield* sentAndMovedAt(AT_LAST, clickhouse, fence), 0)
          const kept = FIRST + (yield* keptFromSlot)
          const some = blocks.at(-1)!.transactions[0]!
          const before = yield* sql`select from inbox_transactions`
          yield* receiveTransactions([forged(some, { signature: randomSignature(1), slot: kept - 1 })])
          assert.lengthOf(yield* sql`select from inbox_transactions`, before.length)
          yield* receiveTransactions([forged(some, { signature: randomSignature(2), slot: kept })])
          assert.lengthOf(yield* sql`select from inbox_transactions`, before.length + 1)
          // It is dropped again, and history follows.
          yield* settled(fence)
          yield* historyRound(clickhouse, fence)
          assert.deepStrictEqual(yield* placesOfBoth(clickhouse), all)
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("stay while anything about them is open", () =>
    Effect.gen(function* () {
      yield* historyIndex(yield* finalizedCluster, (clickhouse, server) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const statements = historyStatements(sql)
          const fence = yield* lead
          yield* filled(fence)
          yield* historyRound(clickhouse, fence)
          const attempt = Effect.result(movedAt(AT_LAST, clickhouse, fence))
          const stays = Effect.fnUntraced(function* (why: string) {
            const result = yield* attempt
            if (result._tag === "Success") assert.strictEqual(result.success, 0, why)
            assert.strictEqual((yield* statements.progress).keptFrom, 0n, why)
            return result._tag === "Failure" ? result.failure._tag : undefined
          })

          yield* sql`insert into history_changes values (${firstOrdinalOf(BigInt(FIRST))}, 'signature', 'mint', 'trader')`
          assert.isUndefined(yield* stays("a change is not sent"))
          yield* sql`delete from history_changes`

          yield* sql`update history_progress set resend_below = 1`
          assert.isUndefined(yield* stays("trades are sent again"))
          yield* sql`update history_progress set resend_below = 0`

          yield* sql`create table kept_coverage as select * from coverage`
          yield* sql`delete from coverage`
          assert.isUndefined(yield* stays("nothing is proven"))
          yield* sql`insert into coverage select * from kept_coverage`

          yield* beginRebuild(fence)
          assert.isUndefined(yield* stays("tables are derived again"))
          yield* dropAbandoned(fence)

          const slots = { fromSlot: BigInt(FIRST), toSlot: BigInt(FIRST + 2) }
          yield* prunedSlots(sql).write(slots)
          assert.strictEqual(yield* stays("a replay takes them from PostgreSQL"), "TradesNeeded")
          yield* prunedSlots(sql).forget

          const [fault] = yield* server.run<{ readonly ordinal: string }>(
            "select ordinal from history.trades order by ordinal limit 1",
          )
          yield* server.run(
            `insert into history.trades select * replace (fee + 1 as fee, version + 1 as version) from history.trades where ordinal = ${fault!.ordinal}`,
          )
          assert.strictEqual(yield* stays("the stores differ"), "StoresDiffer")

          yield* statements.sendAgain
          yield* historyRound(clickhouse, fence)
          assert.isAbove(yield* movedAt(AT_LAST, clickhouse, fence), 0)
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("are there again after a replay, and can leave again", () =>
    Effect.gen(function* () {
      yield* historyIndex(yield* finalizedCluster, (clickhouse) =>
        Effect.gen(function* () {
          const fence = yield* lead
          yield* filled(fence)
          const all = yield* placesOfBoth(clickhouse)
          yield* sentAndMovedAt(AT_LAST, clickhouse, fence)
          yield* replay(fence)
          assert.strictEqual(yield* keptFromSlot, -FIRST)
          assert.deepStrictEqual(yield* placesOfBoth(clickhouse), all)
          yield* settled(fence)
          assert.isAbove(yield* sentAndMovedAt(AT_LAST, clickhouse, fence), 0)
          assert.deepStrictEqual(yield* placesOfBoth(clickhouse), all)
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("are not moved twice by a leader that was replaced", () =>
    Effect.gen(function* () {
      yield* historyIndex(yield* finalizedCluster, (clickhouse) =>
        Effect.gen(function* () {
          const fence = yield* lead
          yield* filled(fence)
          yield* historyRound(clickhouse, fence)
          yield* fold(fence)
          const stalled = { ...fence, token: fence.token - 1n }
          assert.strictEqual((yield* Effect.flip(movedAt(AT_LAST, clickhouse, stalled)))._tag, "LeaseLost")
          assert.strictEqual(yield* keptFromSlot, -FIRST)
        }),
      )
    }).pipe(Effect.scoped),
  )
})
