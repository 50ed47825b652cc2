import type { NotConfigured, Unavailable } from "@launch-registry/domain/http/Unavailable"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import {
  alignedRange,
  type CandleRange,
  type CandleRow,
  isOfHours,
  isOfTrades,
  type MergeCandles,
  storedCandles,
} from "./CandleRows.ts"
import { candlesOfTrades } from "./CandlesOfTrades.ts"
import { type History, historyNotConfigured, inTime } from "./History.ts"
import { readMinutesFrom } from "./KeptTrades.ts"
import { derivedCandles, olderMinutes, tradedHours } from "./OlderMinutes.ts"

/** From when on all trades are in PostgreSQL: the newest that left is no later than this after `minutes_from`. */
const TRADES_LATER_MILLIS = 2 * 3_600_000

/**
 * Candles of a range, newest first, of what `merge` makes of stored ones. Those before `minutes_from` are made of minutes that history derives from
 * its trades: it is a whole hour, so no candle is made of both. Fails where such candles are asked for, the mint has any, and history cannot be read.
 */
export const withOlderCandles = Effect.fnUntraced(function* (
  sql: SqlClient,
  history: History["Service"],
  baseMint: string,
  range: CandleRange,
  merge: MergeCandles,
): Effect.fn.Return<ReadonlyArray<CandleRow>, NotConfigured | Unavailable | SqlError> {
  const { isCut, rows } = isOfTrades(range)
    ? yield* candlesOfTrades(sql, baseMint, range, merge)
    : { isCut: false, rows: yield* merge(range, storedCandles(sql, baseMint, range)) }
  if (isOfHours(range)) return rows
  const minutes = rows.length === 0 ? yield* readMinutesFrom(sql) : rows[0]!.minutesFrom
  if (minutes === null || minutes === undefined) return rows
  const minutesFrom = isOfTrades(range) ? new Date(minutes.getTime() + TRADES_LATER_MILLIS) : minutes
  const kept = rows.filter(({ start }) => start >= minutesFrom)
  const limit = range.limit - kept.length
  const { first } = alignedRange(range)
  if (limit === 0 || (isCut && kept.length === rows.length) || (first !== undefined && first >= minutesFrom))
    return kept
  const older = { ...range, limit }
  const hours = yield* tradedHours(sql, baseMint, older, minutesFrom)
  if (hours.length === 0) return kept
  if (!history.isConfigured) return yield* historyNotConfigured()
  const derived = yield* inTime(olderMinutes(history, baseMint, hours, older))
  if (derived.length === 0) return kept
  return [...kept, ...(yield* merge(older, derivedCandles(sql, derived)))]
})
