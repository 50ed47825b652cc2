import type { NotConfigured, Unavailable } from "@launch-registry/domain/http/Unavailable"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { alignedRange, type CandleRange, type CandleRow, isOfMinutes, storedCandles } from "./CandleRows.ts"
import { type History, historyNotConfigured, inTime } from "./History.ts"
import { readMinutesFrom } from "./KeptTrades.ts"
import { derivedCandles, olderMinutes, tradedHours } from "./OlderMinutes.ts"

/**
 * Candles of a range, newest first, of what `merge` makes of stored ones. Those before `minutes_from` are made of minutes that history derives from
 * its trades: it is a whole hour, so no candle is made of both. Fails where such candles are asked for, the mint has any, and history cannot be read.
 */
export const withOlderCandles = Effect.fnUntraced(function* (
  sql: SqlClient,
  history: History["Service"],
  baseMint: string,
  range: CandleRange,
  merge: (range: CandleRange, stored: Fragment) => Effect.Effect<ReadonlyArray<CandleRow>, SqlError>,
): Effect.fn.Return<ReadonlyArray<CandleRow>, NotConfigured | Unavailable | SqlError> {
  const rows = yield* merge(range, storedCandles(sql, baseMint, range))
  if (!isOfMinutes(range)) return rows
  const minutesFrom = rows.length === 0 ? yield* readMinutesFrom(sql) : rows[0]!.minutesFrom
  if (minutesFrom === null || minutesFrom === undefined) return rows
  const kept = rows.filter(({ start }) => start >= minutesFrom)
  const limit = range.limit - kept.length
  const { first } = alignedRange(range)
  if (limit === 0 || (first !== undefined && first >= minutesFrom)) return kept
  const older = { ...range, limit }
  const hours = yield* tradedHours(sql, baseMint, older, minutesFrom)
  if (hours.length === 0) return kept
  if (!history.isConfigured) return yield* historyNotConfigured()
  const minutes = yield* inTime(olderMinutes(history, baseMint, hours, older))
  if (minutes.length === 0) return kept
  return [...kept, ...(yield* merge(older, derivedCandles(sql, minutes)))]
})
