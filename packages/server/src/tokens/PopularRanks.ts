import { WINDOW_LENGTHS } from "@launch-registry/domain/tokens/TradingWindow"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Places of each interval. */
export const RANKED = 1_000
/** Mints of an interval that are looked up for them: most that are traded may not be registered. */
const TRADED_MAX = 20_000

/** Joins what a token `t` is ranked by over an interval: counts of indexed trades as `seen`, those of records as `recorded`. */
export const rankedBy = (sql: SqlClient, span: Fragment) => {
  // One by one: in a join the planner could read all counts.
  const counts = (table: string) => sql`
    left join lateral (
      select * from ${sql(table)} w where w.span = ${span} and w.base_mint = t.mint_address and w.traders > 0 limit 1
    )`
  return sql`${counts("trading_windows")} seen on true ${counts("recorded_windows")} recorded on true`
}

export const PLACES = `seen.traders desc nulls last, seen.quote_volume desc nulls last, recorded.traders desc nulls last,
  recorded.quote_volume desc nulls last, t.created_at desc, t.id desc`

/** Writes the best registered tokens of each interval, in order, to `popular_ranks`: those with trades, then those with records. */
export const rankPopular = (sql: SqlClient, places = RANKED) => {
  const best = (table: string, condition: Fragment, limit: Fragment) => sql`
    select s.span, t.id, t.mint_address, t.created_at from unnest(${Object.keys(WINDOW_LENGTHS)}::text[]) s (span) cross join lateral (
      select t.id, t.mint_address, t.created_at from (
        select w.base_mint, w.traders, w.quote_volume from ${sql(table)} w where w.span = s.span and w.traders > 0
        order by w.traders desc, w.quote_volume desc limit ${TRADED_MAX}
      ) w join tokens t on t.mint_address = w.base_mint and t.deleted_at is null
      where ${condition} order by w.traders desc, w.quote_volume desc fetch first (${limit}) rows with ties
    ) t`
  const isTraded = sql`exists (select from traded d where d.span = s.span and d.id = t.id)`
  const left = sql`greatest(0, ${places}::int - (select count(*) from traded d where d.span = s.span))`
  return sql`
    with traded as materialized (${best("trading_windows", sql`true`, sql`${places}::int`)}),
    recorded_only as materialized (${best("recorded_windows", sql`not ${isTraded}`, left)}),
    ranked as materialized (
      select t.span, t.id, row_number() over (partition by t.span order by ${sql.literal(PLACES)}) as place
      from (table traded union all table recorded_only) t ${rankedBy(sql, sql`t.span`)}
    ), gone as (
      delete from popular_ranks p where not exists (select from ranked r where r.span = p.span and r.place = p.place)
    )
    insert into popular_ranks as p (span, place, token_id)
    select span, place, id from ranked where place <= ${places}
    on conflict (span, place) do update set token_id = excluded.token_id where p.token_id <> excluded.token_id`
}
