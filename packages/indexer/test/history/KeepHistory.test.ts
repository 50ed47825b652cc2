import { assert, describe, it } from "@effect/vitest"
import { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { ClickHouseServer } from "../../../clickhouse/test/ClickHouseServer.ts"
import { CommandFailed } from "../../src/command/CommandFailed.ts"
import { resendHistory, verifyHistory } from "../../src/command/HistoryCommand.ts"
import { leaseStatements } from "../../src/leader/Lease.ts"
import { leadIndexing } from "../../src/LeadIndexing.ts"
import { beginRebuild, dropAbandoned } from "../../src/replay/BeginRebuild.ts"
import { replay } from "../../src/replay/Rebuild.ts"
import { prunedSlots } from "../../src/retention/PrunedSlots.ts"
import { forged, randomSignature } from "../finality/ReconciledIndex.ts"
import { until } from "../leader/Until.ts"
import { blocks, FIRST } from "../retention/TwoHours.ts"
import { lead, receiveTransactions } from "../TestIndex.ts"
import {
  comparedHistory,
  filled,
  finalizedCluster,
  historyIndex,
  keptFrom,
  LAST,
  placesOfBoth,
  reported,
  roundAt,
  settled,
} from "./HistoryIndex.ts"

const keptFromSlot = Effect.map(keptFrom, (ordinal) => Number(ordinal >> 32n) - FIRST)

/** As a new server, or a new volume, behind the same address. */
const emptied = (server: ClickHouseServer) =>
  Effect.forEach(["trades", "trades_by_trader", "tokens", "history_identity"], (table) =>
    server.run(`truncate table history.${table}`),
  )

describe("Old trades", () => {
  it.live("leave PostgreSQL in the order of their slots, stay in history, and close the log to their slots", () =>
    Effect.gen(function* () {
      yield* historyIndex(yield* finalizedCluster, (clickhouse) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const fence = yield* lead
          yield* filled(fence)
          const all = yield* placesOfBoth(clickhouse)
          const reached = new Set<number>()
          for (let slot = FIRST; slot <= LAST; slot += 3) {
            yield* roundAt(slot, fence)
            reached.add(yield* keptFromSlot)
            assert.deepStrictEqual(yield* placesOfBoth(clickhouse), all)
            assert.isAtMost(yield* keptFromSlot, slot - FIRST)
          }
          assert.isAbove(reached.size, 2)
          const [rows] = yield* sql<{ readonly rows: number }>`select count(*)::integer as rows from trades`
          assert.isBelow(rows!.rows, all.length)

          const kept = FIRST + (yield* keptFromSlot)
          const some = blocks.at(-1)!.transactions[0]!
          const before = yield* sql`select from inbox_transactions`
          yield* receiveTransactions([forged(some, { signature: randomSignature(1), slot: kept - 1 })])
          assert.lengthOf(yield* sql`select from inbox_transactions`, before.length)
          yield* receiveTransactions([forged(some, { signature: randomSignature(2), slot: kept })])
          assert.lengthOf(yield* sql`select from inbox_transactions`, before.length + 1)
          yield* settled(fence)
          assert.deepStrictEqual(yield* placesOfBoth(clickhouse), all)

          // A replay has all of them again, and they can leave again.
          yield* replay(fence)
          assert.strictEqual(yield* keptFrom, 0n)
          assert.deepStrictEqual(yield* placesOfBoth(clickhouse), all)
          yield* settled(fence)
          yield* roundAt(LAST, fence)
          assert.isAbove(yield* keptFromSlot, 0)
          assert.deepStrictEqual(yield* placesOfBoth(clickhouse), all)
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("stay while anything about them is open, and a leader that was replaced moves none", () =>
    Effect.gen(function* () {
      yield* historyIndex(yield* finalizedCluster, (_, server) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const fence = yield* lead
          yield* filled(fence)
          yield* roundAt(LAST, fence, { tradesDays: undefined })
          const stays = Effect.fnUntraced(function* (why: string) {
            yield* roundAt(LAST, fence)
            assert.strictEqual(yield* keptFrom, 0n, why)
            return (yield* reported)!.problem
          })

          yield* sql`create table kept_coverage as select * from coverage`
          yield* sql`delete from coverage`
          assert.isNull(yield* stays("nothing is proven"))
          yield* sql`insert into coverage select * from kept_coverage`

          yield* beginRebuild(fence)
          assert.isNull(yield* stays("tables are derived again"))
          yield* dropAbandoned(fence)

          const some = blocks[0]!.transactions[0]!
          yield* receiveTransactions([forged(some, { signature: randomSignature(3), slot: FIRST })])
          assert.isNull(yield* stays("something of these slots is not compared"))
          yield* settled(fence)

          yield* prunedSlots(sql).write({ fromSlot: BigInt(FIRST), toSlot: BigInt(FIRST + 2) })
          assert.include(yield* stays("a replay takes them from PostgreSQL"), "was deleted")
          yield* prunedSlots(sql).forget

          const [fault] = yield* server.run<{ readonly ordinal: string }>(
            "select ordinal from history.trades order by ordinal limit 1",
          )
          yield* server.run(
            `insert into history.trades select * replace (fee + 1 as fee) from history.trades where ordinal = ${fault!.ordinal}`,
          )
          assert.include(yield* stays("the stores differ"), "verify-history")

          const stalled = { ...fence, token: fence.token - 1n }
          assert.strictEqual((yield* Effect.flip(roundAt(LAST, stalled)))._tag, "LeaseLost")
        }),
      )
    }).pipe(Effect.scoped),
  )
})

describe("The history of an index", () => {
  it.live(
    "is sent again to an empty database as long as PostgreSQL has all trades; where they have left it is missed",
    () =>
      Effect.gen(function* () {
        yield* historyIndex(yield* finalizedCluster, (clickhouse, server) =>
          Effect.gen(function* () {
            const fence = yield* lead
            yield* filled(fence)
            yield* roundAt(LAST, fence, { tradesDays: undefined })
            const sent = yield* comparedHistory(clickhouse)
            assert.isAbove(Number(sent.clickhouse.rows), 0)
            yield* emptied(server)
            // Also what was dropped is there again.
            yield* server.run("drop table history.history_identity")
            yield* roundAt(LAST - 15, fence)
            const left = yield* keptFrom
            assert.isAbove(Number(left), 0)
            assert.strictEqual((yield* comparedHistory(clickhouse)).clickhouse.rows, sent.clickhouse.rows)
            yield* emptied(server)
            const error = yield* Effect.flip(roundAt(LAST, fence))
            assert.include((error as Error).message, "a replay derives all trades from the log again")
            assert.strictEqual(yield* keptFrom, left)
            // Without the setting it is said as well.
            const unset = Effect.provideService(roundAt(LAST, fence), ClickHouse, undefined)
            assert.include(((yield* Effect.flip(unset)) as Error).message, "HISTORY_URL")
            yield* replay(fence)
            yield* roundAt(LAST, fence, { tradesDays: undefined })
            assert.deepStrictEqual(yield* comparedHistory(clickhouse), sent)
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
          assert.include(((yield* Effect.flip(roundAt(LAST, fence))) as Error).message, "the history of another index")
          assert.deepStrictEqual(yield* clickhouse.select("select count() as rows from trades"), [{ rows: "0" }])
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("is compared and replaced by commands; what has left PostgreSQL stays", () =>
    Effect.gen(function* () {
      yield* historyIndex(yield* finalizedCluster, (clickhouse, server) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const fence = yield* lead
          assert.include(
            (yield* Effect.flip(Effect.provideService(verifyHistory, ClickHouse, undefined))).message,
            "HISTORY_URL",
          )
          yield* verifyHistory
          yield* filled(fence)
          yield* roundAt(LAST, fence)
          const all = yield* placesOfBoth(clickhouse)
          const from = yield* keptFrom
          assert.isAbove(Number(from), 0)
          yield* verifyHistory

          // As a derivation by other modules: one trade more, one less, one with another fee.
          const [newest] = yield* server.run<{ readonly ordinal: string }>(
            "select max(ordinal) as ordinal from history.trades",
          )
          const of = `from history.trades where ordinal = ${newest!.ordinal}`
          yield* server.run(`insert into history.trades select * replace ('others' as signature) ${of}`)
          yield* server.run(`insert into history.trades select * replace (fee + 1 as fee) ${of}`)
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
          yield* roundAt(FIRST, again, { tradesDays: undefined })
          yield* verifyHistory
          assert.strictEqual(yield* keptFrom, from)
          assert.deepStrictEqual(yield* placesOfBoth(clickhouse), all)
          for (const table of ["trades", "trades_by_trader"])
            assert.deepStrictEqual(yield* clickhouse.select(`select count() as rows from ${table} final`), [
              { rows: String(all.length) },
            ])
        }),
      )
    }).pipe(Effect.scoped),
  )
})

describe("A leader with history", () => {
  it.live("sends what it has proven by itself, and says why and since when that fails", () =>
    Effect.gen(function* () {
      yield* historyIndex(yield* finalizedCluster, (clickhouse, server) =>
        Effect.gen(function* () {
          yield* server.fail("error")
          const leader = yield* Effect.forkScoped(
            leadIndexing({
              ...{ holder: "first", network: "localnet", source: "webhook", leaseMillis: 3_000, reconcileMillis: 40 },
              ...{ originSlot: BigInt(FIRST), retryMillis: 50, lookMillis: 20 },
              history: { everyMillis: 20, retryMillis: 20 },
            }),
          )
          for (const { transactions } of blocks) yield* receiveTransactions(transactions)
          yield* until(Effect.map(reported, (report) => typeof report?.problem === "string"))
          const { failingSince, problem } = (yield* reported)!
          assert.isString(failingSince)
          assert.notInclude(problem!, new URL(server.url).password)
          yield* server.heal
          yield* until(Effect.map(comparedHistory(clickhouse), ({ sentBelow }) => sentBelow >> 32n >= BigInt(LAST)))
          yield* until(Effect.map(reported, (report) => report?.problem === null && report.failingSince === null))
          yield* Fiber.interrupt(leader)
          const found = yield* comparedHistory(clickhouse)
          assert.deepStrictEqual(found.clickhouse, found.postgres)
          assert.isAbove(Number(found.postgres.rows), 100)
        }).pipe(Effect.scoped),
      )
    }).pipe(Effect.scoped),
  )
})
