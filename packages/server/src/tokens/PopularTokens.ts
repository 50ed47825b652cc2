import type { TokenFilter } from "@launch-registry/domain/tokens/TokensApi"
import { type PopularInterval, WINDOW_LENGTHS } from "@launch-registry/domain/tokens/TradingWindow"
import type { SqlClient } from "effect/sql/SqlClient"
import { scopeConditions } from "./ListTokens.ts"
import { TOKEN_COLUMNS, type TokenRow } from "./TokenRow.ts"

/** An amount of a record in whole tokens. */
const wholeTokens = (sql: SqlClient, amount: "amount_in" | "amount_out") =>
  sql.literal(
    `case ${amount}_decimals when 0 then ${amount} else ${amount} / power(10::numeric, ${amount}_decimals::integer) end`,
  )

/**
 * Tokens by distinct traders, then quote volume, over the interval: first by indexed trades, then by recorded
 * transactions (anyone can write those, so they could be inflated), then newest first.
 */
export const popularTokens = (sql: SqlClient, interval: PopularInterval, limit: number, filter: TokenFilter) => {
  const source = filter.tag === undefined ? sql`tokens t` : sql`token_tags tt join tokens t on t.id = tt.token_id`
  return sql<TokenRow>`
    with recorded as (
      select base_token as mint, count(distinct user_address) as traders,
        sum(case when action = 'BUY' then ${wholeTokens(sql, "amount_in")} else ${wholeTokens(sql, "amount_out")} end)
          as volume
      from transactions
      where created_at >= now() - ${WINDOW_LENGTHS[interval]}::interval
        and deleted_at is null and status <> 'failed' and action in ('BUY', 'SELL')
      group by base_token
    )
    select ${sql.literal(TOKEN_COLUMNS)} from ${source}
    left join trading_windows seen on seen.span = ${interval} and seen.base_mint = t.mint_address and seen.traders > 0
    left join recorded on recorded.mint = t.mint_address
    where ${sql.and([sql`t.deleted_at is null`, ...scopeConditions(sql, filter)])}
    order by seen.traders desc nulls last, seen.quote_volume desc nulls last,
      recorded.traders desc nulls last, recorded.volume desc nulls last, t.created_at desc, t.id desc
    limit ${limit}`
}
