import { WINDOW_LENGTHS } from "@launch-registry/domain/tokens/TradingWindow"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Places of each interval. */
export const RANKED = 2_000
/** Mints of an interval that are looked up for them: most that are traded may not be registered. */
const TRADED_MAX = 20_000

/** Joins what a token `t` is ranked by over an interval: counts of indexed trades as `seen`, those of records as `recorded`. */
export const rankedBy = (sql: SqlClient, span: Fragment) => sql`
  left join trading_windows seen on seen.span = ${span} and seen.base_mint = t.mint_address and seen.traders > 0
  left join recorded_windows recorded on recorded.span = ${span} and recorded.base_mint = t.mint_address and recorded.traders > 0`

export const PLACES = `seen.traders desc nulls last, seen.quote_volume desc nulls last, recorded.traders desc nulls last,
  recorded.quote_volume desc nulls last, t.created_at desc, t.id desc`

/** Writes the best registered tokens of each interval, in order, to `popular_ranks`. */
export const rankPopular = (sql: SqlClient, places = RANKED) => {
  const best = (table: string) => sql`
    select base_mint from (
      select w.base_mint, w.traders, w.quote_volume from ${sql(table)} w where w.span = s.span and w.traders > 0
      order by w.traders desc, w.quote_volume desc limit ${TRADED_MAX}
    ) w
    where exists (select from tokens t where t.mint_address = w.base_mint and t.deleted_at is null)
    order by traders desc, quote_volume desc fetch first (${places}::int) rows with ties`
  return sql`
    with best as (
      select s.span, b.base_mint from unnest(${Object.keys(WINDOW_LENGTHS)}::text[]) s (span)
      cross join lateral ((${best("trading_windows")}) union (${best("recorded_windows")})) b
    ), ranked as (
      select b.span, t.id, row_number() over (partition by b.span order by ${sql.literal(PLACES)}) as place
      from best b join tokens t on t.mint_address = b.base_mint and t.deleted_at is null ${rankedBy(sql, sql`b.span`)}
    ), gone as (
      delete from popular_ranks p where not exists (select from ranked r where r.span = p.span and r.place = p.place)
    )
    insert into popular_ranks as p (span, place, token_id)
    select span, place, id from ranked where place <= ${places}
    on conflict (span, place) do update set token_id = excluded.token_id where p.token_id <> excluded.token_id`
}
