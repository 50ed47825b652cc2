import { PopularInterval, WINDOW_LENGTHS } from "@launch-registry/domain/tokens/TradingWindow"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** How often each window is recounted, in seconds: the longer it is, the less a minute changes it. */
const EVERY_SECONDS: Readonly<Record<PopularInterval, number>> = { "5m": 5, "1h": 10, "6h": 30, "24h": 60, "7d": 300 }

/** The counted windows, and how often they are counted. */
export const TRADING_WINDOWS = PopularInterval.literals.map((span) => ({ span, everySeconds: EVERY_SECONDS[span] }))

const STATEMENT_TIMEOUT = "5min"
const WORK_MEM = "128MB"

/** SQL of `trading_windows`. Distinct traders cannot be summed from shorter windows, so each is recounted. */
export const tradingWindowStatements = (sql: SqlClient) => ({
  refresh: (span: PopularInterval) =>
    Effect.gen(function* () {
      // A week of trades exceeds the timeout and the sort memory of requests.
      yield* sql`select set_config('statement_timeout', ${STATEMENT_TIMEOUT}, true), set_config('work_mem', ${WORK_MEM}, true)`
      yield* sql`delete from trading_windows where span = ${span}`
      yield* sql`
        insert into trading_windows (span, base_mint, traders, trades, quote_volume)
        select ${span}::text, base_mint, count(distinct trader), count(*), sum(quote_amount)
        from trades where block_time > now() - ${WINDOW_LENGTHS[span]}::interval group by base_mint`
    }).pipe(sql.withTransaction),
})
