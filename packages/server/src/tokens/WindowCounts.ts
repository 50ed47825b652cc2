import type { PopularInterval } from "@launch-registry/domain/tokens/TradingWindow"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Counts of trades of an interval: those of the indexer, or those of records. */
export type WindowTable = "trading_windows" | "recorded_windows"

/**
 * Lookups of what mints are ranked by. Many are looked up `inOnePass` over an index since PostgreSQL 17. Earlier versions could read all of
 * the index instead, and compare each row with each mint.
 */
export const windowCounts = (sql: SqlClient, interval: PopularInterval, inOnePass: boolean) => ({
  /** Joins the counts of one mint, as `seen` or `recorded`. */
  // Those without traders are left out afterwards, because the index of the ranking has none of them: so it will not do.
  countsOf: (table: WindowTable, mint: Fragment) => sql`
    left join lateral (
      select * from (
        select traders, trades, quote_volume from ${sql(table)} w where w.span = ${interval} and w.base_mint = ${mint} limit 1
      ) w where w.traders > 0
    ) ${sql.literal(table === "trading_windows" ? "seen" : "recorded")} on true`,

  /** Counts of each of many mints, which a query gives by what is in a column. Of each column there is one index that has it with the span. */
  countsOfAll: (table: WindowTable, column: "base_mint" | "mint_number", mints: Fragment) => {
    const inSpan = sql`${sql.literal(column === "base_mint" ? "w.span" : "lower(w.span)")} = ${interval}`
    return inOnePass
      ? sql`
        select * from (
          select base_mint, traders, quote_volume from ${sql(table)} w
          where ${inSpan} and w.${sql(column)} = any(array(${mints})) offset 0
        ) w where w.traders > 0`
      : sql`
        select w.base_mint, w.traders, w.quote_volume from (${mints}) m (key) cross join lateral (
          select base_mint, traders, quote_volume from ${sql(table)} w
          where ${inSpan} and w.${sql(column)} = m.key limit 1
        ) w where w.traders > 0`
  },
})
