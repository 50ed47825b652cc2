import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Windows that end now, and how often they are computed again: the longer one is, the less a minute changes it. */
export const TRADING_WINDOWS = [
  { span: "5m", interval: "5 minutes", everySeconds: 5 },
  { span: "1h", interval: "1 hour", everySeconds: 10 },
  { span: "6h", interval: "6 hours", everySeconds: 30 },
  { span: "24h", interval: "24 hours", everySeconds: 60 },
  { span: "7d", interval: "7 days", everySeconds: 300 },
] as const

const STATEMENT_TIMEOUT = "5min"
const WORK_MEM = "128MB"

export type TradingWindow = (typeof TRADING_WINDOWS)[number]

/** SQL of `trading_windows`. Distinct traders cannot be summed from shorter windows, so each is counted anew. */
export const tradingWindowStatements = (sql: SqlClient) => ({
  refresh: ({ interval, span }: TradingWindow) =>
    Effect.gen(function* () {
      // Counting a week of trades takes longer than any request may, and sorts more than fits into a request's memory.
      yield* sql`select set_config('statement_timeout', ${STATEMENT_TIMEOUT}, true), set_config('work_mem', ${WORK_MEM}, true)`
      yield* sql`delete from trading_windows where span = ${span}`
      yield* sql`
        insert into trading_windows (span, base_mint, traders, trades, quote_volume)
        select ${span}::text, base_mint, count(distinct trader), count(*), sum(quote_amount)
        from trades where block_time > now() - ${interval}::interval group by base_mint`
    }).pipe(sql.withTransaction),
})
