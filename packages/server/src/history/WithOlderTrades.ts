import type { NotConfigured, Unavailable } from "@launch-registry/domain/http/Unavailable"
import { LIFE } from "@launch-registry/domain/launch/StoredCandle"
import type { TradeFilter } from "@launch-registry/domain/launch/TradeList"
import { startInstant } from "@launch-registry/domain/time/Timestamp"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { TradePosition, TradesFound } from "./StoredTrade.ts"
import { type History, historyNotConfigured, inTime } from "./History.ts"
import { readKeptFrom } from "./KeptTrades.ts"
import { olderTrades } from "./OlderTrades.ts"
import { TRADE_DISORDER_MILLIS } from "./OrdinalsOfTimes.ts"

/** What PostgreSQL has of a page. */
export interface KeptTrades extends TradesFound {
  /** As the statement that read the rows saw it; `undefined` without a row. */
  readonly keptFrom: bigint | undefined
}

/** Which trades the page is of. */
interface TradesPage {
  readonly filter: TradeFilter
  readonly after: TradePosition | undefined
  readonly limit: number
}

/** Whether PostgreSQL knows that no trade of the filter is before the position. */
const hasNoOlder = Effect.fnUntraced(function* (
  sql: SqlClient,
  { from, mintAddress: mint }: TradeFilter,
  keptFrom: bigint,
  before: TradePosition,
) {
  if (mint !== undefined) {
    const [life] = yield* sql<{ readonly firstOrdinal: bigint }>`
      select first_ordinal from candles where base_mint = ${mint} and seconds = ${LIFE}::integer limit 1`
    if (life === undefined || life.firstOrdinal > before.ordinal) return true
    if (before.signature === "" && life.firstOrdinal === before.ordinal) return true
  }
  if (from === undefined) return false
  const [oldest] = yield* sql<{ readonly blockTime: Date }>`
    select block_time from trades where ordinal >= ${keptFrom} order by ordinal limit 1`
  return oldest !== undefined && oldest.blockTime.getTime() + TRADE_DISORDER_MILLIS < startInstant(from).getTime()
})

/**
 * A page of trades from what PostgreSQL has of it, and the rest from history. PostgreSQL has every trade from `kept_from` on, and below it some
 * that figures are read from: these are left out. Fails where the page needs history that cannot be read; one that PostgreSQL fills does not.
 */
export const withOlderTrades = Effect.fnUntraced(function* (
  sql: SqlClient,
  history: History["Service"],
  kept: KeptTrades,
  { after, filter, limit }: TradesPage,
): Effect.fn.Return<TradesFound, NotConfigured | Unavailable> {
  const keptFrom = kept.keptFrom ?? (yield* Effect.orDie(readKeptFrom(sql)))
  if (keptFrom === 0n || (kept.end !== undefined && kept.end.ordinal >= keptFrom)) return kept
  const rows = kept.rows.filter(({ ordinal }) => ordinal >= keptFrom)
  const before = after !== undefined && after.ordinal < keptFrom ? after : { ordinal: keptFrom, signature: "" }
  if (yield* Effect.orDie(hasNoOlder(sql, filter, keptFrom, before))) return { rows, end: undefined }
  // The next page says whether there is more.
  if (rows.length === limit) return { rows, end: rows.at(-1) }
  if (!history.isConfigured) return yield* historyNotConfigured()
  const older = yield* inTime(olderTrades(sql, history, filter, before, limit - rows.length))
  return { rows: [...rows, ...older.rows], end: older.end }
})
