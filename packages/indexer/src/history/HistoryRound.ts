import type { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { TRADE_COLUMNS } from "@launch-registry/clickhouse/HistoryTables"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { firstOrdinalOf } from "@launch-registry/solana/Ordinal"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Fence, transactionsUnder } from "../leader/Lease.ts"
import { closedLog } from "../retention/ClosedLog.ts"
import { deletedRow, historyRow } from "./HistoryRow.ts"
import { historyStatements } from "./HistoryStatements.ts"
import { deleteOutdated } from "./OutdatedHistory.ts"
import { tokenSender } from "./SendTokens.ts"

/** What a round sent. */
export interface HistoryRound {
  readonly trades: number
  /** Trades that were changed after they were sent. */
  readonly changes: number
  /** There is more to send. */
  readonly isBehind: boolean
}

/** So many trades at most: the next round goes on. */
const BATCHES_MAX = 50

/**
 * Sends what is proven to ClickHouse. A batch is claimed, read, sent, and noted as sent; from the claim on, whatever is inserted or reverted
 * among its ordinals is noted by the transaction that does so, and sent afterwards with a higher version. A round that ends in between
 * is repeated by the next one, or by the next leader: the same rows again, of which ClickHouse keeps one each.
 */
export const historyRound = Effect.fn("historyRound", { kind: "consumer", root: true })(function* (
  clickhouse: ClickHouse,
  fence: Fence,
) {
  const sql = yield* SqlClient
  const statements = historyStatements(sql)
  const clock = yield* sharedClock

  const held = transactionsUnder(sql, fence)
  const tokens = tokenSender(sql, clickhouse, held)
  const send = (rows: ReadonlyArray<ReadonlyArray<unknown>>) => clickhouse.insert("trades", TRADE_COLUMNS, rows)

  const proven = yield* closedLog(sql).proven
  const progress = yield* statements.progress

  /** The proven trades from `from` on, as many as one insert takes; returns how many and where they end. */
  const sendBatch = Effect.fnUntraced(function* (from: bigint, beyond: bigint) {
    const end = yield* statements.endOfBatch(from, beyond)
    const version = yield* held(statements.claim(end))
    const trades = yield* statements.tradesBetween(from, end)
    if (trades.length > 0) yield* send(trades.map((trade) => historyRow(trade, version)))
    yield* tokens.created(from, end)
    const counts = yield* held(Effect.flatMap(clock, (moment) => statements.sent(end, progress.resendVersion, moment)))
    return { counts, end, trades: trades.length }
  })

  /** What was changed after it was claimed. */
  const sendChanges = Effect.gen(function* () {
    let changes = 0
    for (;;) {
      const noted = yield* statements.changes
      if (noted.length === 0) return changes
      const gone = yield* held(statements.claim(0n))
      // A trade that is gone, and the one that took its place, may have the same key.
      const there = yield* held(statements.claim(0n))
      // Read after the versions were taken: what changes from here on is noted again, and gets a higher one.
      const now = yield* statements.changes
      if (now.length === 0) return changes
      yield* send(now.map((change) => (change.row === null ? deletedRow(change, gone) : historyRow(change.row, there))))
      yield* held(statements.forget(now))
      changes += now.length
    }
  })

  const beyond = proven === undefined ? 0n : firstOrdinalOf(proven.toSlot + 1n)
  let sentBelow = progress.sentBelow
  let trades = 0
  for (let batches = 0; batches < BATCHES_MAX && sentBelow < beyond; batches++) {
    const sent = yield* sendBatch(sentBelow, beyond)
    // The tables were switched meanwhile: the next round begins again.
    if (!sent.counts) return { trades, changes: 0, isBehind: true } satisfies HistoryRound
    sentBelow = sent.end
    trades += sent.trades
  }
  const changes = yield* sendChanges
  yield* tokens.next(progress)
  // Nothing is proven of a chain that has taken the place of another one.
  if (progress.resendBelow > 0n && (sentBelow >= progress.resendBelow || proven === undefined)) {
    const version = yield* held(statements.claim(0n))
    yield* deleteOutdated(clickhouse, progress, version)
    yield* held(statements.resent(progress.resendVersion))
  }
  return { trades, changes, isBehind: sentBelow < beyond } satisfies HistoryRound
})
