import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { historyStatements } from "../../src/history/HistoryStatements.ts"
import { historyRounds } from "../../src/history/KeepHistory.ts"
import { lead } from "../TestIndex.ts"
import type { ClickHouseServer } from "../../../clickhouse/test/ClickHouseServer.ts"
import { comparedHistory, historyIndex } from "./HistoryIndex.ts"
import { atSlot, DAYS, filled, finalizedCluster, LAST } from "./MovedTrades.ts"

/** As a new server, or a new volume, behind the same address. */
const emptied = (server: ClickHouseServer) =>
  Effect.forEach(["trades", "trades_by_trader", "tokens", "history_identity"], (table) =>
    server.run(`truncate table history.${table}`),
  )

describe("The history of an index", () => {
  it.live("is sent again to a database that is empty, as long as PostgreSQL has all trades", () =>
    Effect.gen(function* () {
      yield* historyIndex(yield* finalizedCluster, (clickhouse, server) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const fence = yield* lead
          yield* filled(fence)
          const round = yield* historyRounds({ retryMillis: 0 }, fence)
          yield* round
          const sent = yield* comparedHistory(clickhouse)
          assert.isAbove(Number(sent.clickhouse.rows), 0)
          const { historyId } = yield* historyStatements(sql).progress
          yield* emptied(server)
          // Also what was dropped is there again.
          yield* server.run("drop table history.history_identity")
          yield* round
          assert.deepStrictEqual(yield* comparedHistory(clickhouse), sent)
          assert.strictEqual((yield* historyStatements(sql).progress).historyId, historyId)
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("is missed where old trades went to it, and nothing more leaves PostgreSQL", () =>
    Effect.gen(function* () {
      yield* historyIndex(yield* finalizedCluster, (_, server) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { progress } = historyStatements(sql)
          const fence = yield* lead
          yield* filled(fence)
          const round = yield* historyRounds(
            { tradesDays: DAYS, releaseMillis: 0, releaseSlots: 5n, retryMillis: 0 },
            fence,
          )
          yield* atSlot(LAST - 15, round)
          const before = yield* progress
          assert.isAbove(Number(before.keptFrom), 0)
          yield* emptied(server)
          const error = yield* Effect.flip(atSlot(LAST, round))
          assert.include((error as Error).message, "a replay derives all trades from the log again")
          assert.deepStrictEqual(yield* progress, before)
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("is not that of another index", () =>
    Effect.gen(function* () {
      yield* historyIndex(yield* finalizedCluster, (clickhouse) =>
        Effect.gen(function* () {
          const fence = yield* lead
          yield* filled(fence)
          yield* clickhouse.insert("history_identity", ["id"], [["another"]])
          const round = yield* historyRounds({ retryMillis: 0 }, fence)
          const error = yield* Effect.flip(round)
          assert.include((error as Error).message, "the history of another index")
          assert.deepStrictEqual(yield* clickhouse.select("select count() as rows from trades"), [{ rows: "0" }])
        }),
      )
    }).pipe(Effect.scoped),
  )
})
