import { assert, describe, it } from "@effect/vitest"
import { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { historyStatements } from "../../src/history/HistoryStatements.ts"
import { historyRounds } from "../../src/history/KeepHistory.ts"
import { prunedSlots } from "../../src/retention/PrunedSlots.ts"
import { leadIndexing } from "../../src/LeadIndexing.ts"
import { blocks, LAST, ORIGIN } from "../finality/ReconciledIndex.ts"
import { until } from "../leader/Until.ts"
import { wholeLog } from "../retention/SweptIndex.ts"
import { standInCluster } from "../StandInCluster.ts"
import { lead, receiveTransactions } from "../TestIndex.ts"
import { FIRST } from "../retention/TwoHours.ts"
import { comparedHistory, historyIndex } from "./HistoryIndex.ts"
import { atSlot, DAYS, filled, finalizedCluster, LAST as TRADED_TO, placesOfBoth } from "./MovedTrades.ts"

const proven = Effect.map(standInCluster(blocks), (cluster) => {
  cluster.finalizedSlot = LAST
  return cluster
})

interface Report {
  readonly problem: string | null
  readonly failingSince: string | null
}

const reported = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ readonly report: Report }>`select report from indexer_reports where name = 'history'`
  return row?.report
})

describe("A leader with history", () => {
  it.live("says why and since when sending fails, and that it does no longer", () =>
    Effect.gen(function* () {
      yield* historyIndex(yield* proven, (clickhouse, server) =>
        Effect.gen(function* () {
          const fence = yield* lead
          yield* wholeLog(fence)
          const round = yield* historyRounds({ retryMillis: 0 }, fence)
          yield* server.fail("error")
          yield* Effect.flip(round)
          const first = (yield* reported)!
          assert.isString(first.problem)
          assert.notInclude(first.problem!, new URL(server.url).password)
          yield* Effect.flip(round)
          assert.deepStrictEqual(yield* reported, first)
          yield* server.heal
          yield* round
          assert.deepStrictEqual(yield* reported, { problem: null, failingSince: null })
          const found = yield* comparedHistory(clickhouse)
          assert.deepStrictEqual(found.clickhouse, found.postgres)
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("moves what is old, and goes on sending where that cannot leave", () =>
    Effect.gen(function* () {
      yield* historyIndex(yield* finalizedCluster, (clickhouse) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { progress } = historyStatements(sql)
          const fence = yield* lead
          yield* filled(fence)
          const all = yield* placesOfBoth(clickhouse)
          const pruned = prunedSlots(sql)
          yield* pruned.write({ fromSlot: BigInt(FIRST), toSlot: BigInt(FIRST + 2) })
          const round = yield* historyRounds({ tradesDays: DAYS, releaseMillis: 0, releaseSlots: 5n }, fence)
          yield* atSlot(TRADED_TO, round)
          assert.include((yield* reported)!.problem, "was deleted")
          assert.strictEqual((yield* progress).keptFrom, 0n)
          assert.isAbove(Number((yield* progress).sentBelow), 0)
          yield* pruned.forget
          yield* atSlot(TRADED_TO, round)
          assert.deepStrictEqual(yield* reported, { problem: null, failingSince: null })
          assert.isAbove(Number((yield* progress).keptFrom), 0)
          assert.deepStrictEqual(yield* placesOfBoth(clickhouse), all)
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("says so where old trades are in ClickHouse and the setting is gone", () =>
    Effect.gen(function* () {
      yield* historyIndex(yield* proven, () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const fence = yield* lead
          yield* wholeLog(fence)
          const round = yield* historyRounds({ retryMillis: 0 }, fence)
          yield* round
          assert.isUndefined(yield* reported)
          yield* sql`update history_progress set kept_from = 1`
          yield* Effect.flip(round)
          assert.include((yield* reported)!.problem, "HISTORY_URL")
        }).pipe(Effect.provideService(ClickHouse, undefined)),
      )
    }).pipe(Effect.scoped),
  )

  it.live("sends what it has proven by itself, also after ClickHouse was away", () =>
    Effect.gen(function* () {
      yield* historyIndex(yield* proven, (clickhouse, server) =>
        Effect.gen(function* () {
          yield* server.fail("refuse")
          const leader = yield* Effect.forkScoped(
            leadIndexing({
              ...{ holder: "first", network: "localnet", source: "webhook", leaseMillis: 3_000, reconcileMillis: 40 },
              ...{ originSlot: BigInt(ORIGIN), retryMillis: 50, lookMillis: 20 },
              history: { everyMillis: 20, retryMillis: 20 },
            }),
          )
          for (const { transactions } of blocks) yield* receiveTransactions(transactions)
          yield* until(Effect.map(reported, (report) => typeof report?.problem === "string"))
          yield* server.heal
          const isSent = Effect.map(comparedHistory(clickhouse), ({ sentBelow }) => sentBelow >> 32n >= BigInt(LAST))
          yield* until(isSent)
          yield* Fiber.interrupt(leader)
          const found = yield* comparedHistory(clickhouse)
          assert.deepStrictEqual(found.clickhouse, found.postgres)
          assert.isAbove(Number(found.postgres.rows), 100)
        }).pipe(Effect.scoped),
      )
    }).pipe(Effect.scoped),
  )
})
