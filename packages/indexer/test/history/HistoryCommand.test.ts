import { assert, describe, it } from "@effect/vitest"
import { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { CommandFailed } from "../../src/command/CommandFailed.ts"
import { resendHistory, verifyHistory } from "../../src/command/HistoryCommand.ts"
import { historyRound } from "../../src/history/HistoryRound.ts"
import { historyStatements } from "../../src/history/HistoryStatements.ts"
import { leaseStatements } from "../../src/leader/Lease.ts"
import { lead } from "../TestIndex.ts"
import { comparedHistory, historyIndex } from "./HistoryIndex.ts"
import { filled, finalizedCluster, LAST, movedAt } from "./MovedTrades.ts"

describe("The commands of history", () => {
  it.live("name the slots in which the stores differ, and have them sent again", () =>
    Effect.gen(function* () {
      yield* historyIndex(yield* finalizedCluster, (clickhouse, server) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const fence = yield* lead
          yield* verifyHistory
          yield* filled(fence)
          yield* historyRound(clickhouse, fence)
          yield* verifyHistory
          // Old trades are in one store alone, and are no difference.
          assert.isAbove(yield* movedAt(LAST, clickhouse, fence), 0)
          yield* verifyHistory

          const [newest] = yield* server.run<{ readonly ordinal: string }>(
            "select max(ordinal) as ordinal from history.trades",
          )
          yield* server.run(
            `insert into history.trades select * replace (1 as is_deleted, version + 1 as version) from history.trades where ordinal = ${newest!.ordinal}`,
          )
          const error = yield* Effect.flip(verifyHistory)
          assert.instanceOf(error, CommandFailed)
          assert.match(
            error.message,
            /^slots \d+ to \d+: \d+ rows in PostgreSQL, \d+ in ClickHouse\nresend-history --yes/,
          )

          yield* leaseStatements(sql).release(fence)
          assert.instanceOf(yield* Effect.flip(resendHistory(false)), CommandFailed)
          yield* resendHistory(true)
          const again = yield* lead
          const { keptFrom } = yield* historyStatements(sql).progress
          yield* historyRound(clickhouse, again)
          yield* verifyHistory
          assert.strictEqual((yield* historyStatements(sql).progress).keptFrom, keptFrom)
          // What has left PostgreSQL is still there.
          const found = yield* comparedHistory(clickhouse)
          assert.isAbove(Number(found.clickhouse.rows), Number(found.postgres.rows))
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("need the setting", () =>
    Effect.gen(function* () {
      yield* historyIndex(yield* finalizedCluster, () =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(Effect.provideService(verifyHistory, ClickHouse, undefined))
          assert.include(error.message, "HISTORY_URL")
        }),
      )
    }).pipe(Effect.scoped),
  )
})
