import type { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { TOKEN_COLUMNS, TRADE_COLUMNS, TRADE_TABLES } from "@launch-registry/clickhouse/HistoryTables"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { firstOrdinalOf } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Fence, transactionsUnder } from "../leader/Lease.ts"
import { closedLog } from "../retention/ClosedLog.ts"
import { type ChangedToken, historyStatements, type SentTrade, type TokenPlace } from "./HistoryStatements.ts"

const DELETE_MILLIS = 1_800_000
const MILLIS_PER_SECOND = 1_000
/** Registrations that were committed late have times before others that were sent. */
const OVERLAP_MILLIS = 600_000
const NO_ID = "00000000-0000-0000-0000-000000000000"

/** In the order of `TRADE_COLUMNS`. */
const rowOf = (trade: SentTrade): ReadonlyArray<unknown> => [
  ...[trade.ordinal, trade.signature, trade.pool, trade.baseMint, trade.quoteMint, trade.trader, trade.side],
  ...[trade.baseAmount, trade.quoteAmount, trade.fee, trade.nextSqrtPrice, trade.quoteReserve],
  ...[trade.blockTime.getTime() / MILLIS_PER_SECOND, trade.venue, trade.config],
]

/** Deletes what ClickHouse has above the watermark where trades are sent again. */
const deleteFrom = (clickhouse: ClickHouse, ordinal: bigint) =>
  Effect.forEach(TRADE_TABLES, (table) =>
    clickhouse.command(
      `delete from ${table} where ordinal >= {ordinal:UInt64}`,
      { ordinal: String(ordinal) },
      { timeoutMillis: DELETE_MILLIS },
    ),
  )

/** Launchpads of tokens that were registered, corrected or deleted since. Of a mint the last row counts. */
const sendTokens = Effect.fnUntraced(function* (
  sql: SqlClient,
  clickhouse: ClickHouse,
  held: ReturnType<typeof transactionsUnder>,
  to: Date | null,
) {
  const statements = historyStatements(sql)
  let after: TokenPlace | undefined = { changedAt: new Date((to?.getTime() ?? 0) - OVERLAP_MILLIS), id: NO_ID }
  while (after !== undefined) {
    const page: ReadonlyArray<ChangedToken> = yield* statements.tokensAfter(after)
    const rows = page.map(({ launchpad, mint }) => [mint, launchpad])
    yield* clickhouse.insert("tokens", TOKEN_COLUMNS, rows)
    after = page.at(-1)
    if (after !== undefined) yield* held(statements.tokensSent(after.changedAt))
  }
})

/**
 * Sends trades that never change again, batch by batch in the order of their ordinals, and moves the watermark after each. They are of slots that are
 * proven, and nothing that the log has received of these slots waits to be compared with the chain. Returns how many were sent.
 */
export const historyRound = Effect.fn("historyRound", { kind: "consumer", root: true })(function* (
  clickhouse: ClickHouse,
  fence: Fence,
) {
  const sql = yield* SqlClient
  const statements = historyStatements(sql)
  const log = closedLog(sql)
  const clock = yield* sharedClock
  const held = transactionsUnder(sql, fence)

  // First: what is received from here on may be forged, and is not compared yet.
  const compared = yield* log.compared
  const proven = yield* log.proven
  const { isSentAgain, tokensTo, ...progress } = yield* held(statements.progress)
  let { sentBelow } = progress
  if (isSentAgain) {
    yield* deleteFrom(clickhouse, sentBelow)
    yield* held(statements.emptied)
  }
  yield* sendTokens(sql, clickhouse, held, tokensTo)
  const beyond = proven === undefined ? 0n : firstOrdinalOf(proven.toSlot + 1n)
  let sent = 0
  while (sentBelow < beyond) {
    const end = yield* statements.endOfBatch(sentBelow, beyond)
    const trades = yield* statements.tradesBetween(sentBelow, end)
    if (yield* log.hasUncomparedBelow(end, compared)) break
    yield* clickhouse.insert("trades", TRADE_COLUMNS, trades.map(rowOf))
    yield* held(Effect.flatMap(clock, (moment) => statements.sent(end, moment)))
    sentBelow = end
    sent += trades.length
  }
  return sent
})
