import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Candles that are no fold of the trades of both venues, and those that are missing. */
export const wrongCandles = Effect.flatMap(
  SqlClient,
  (sql) => sql`
    with wanted as (
      select base_mint, s.seconds, to_timestamp(case when s.seconds = 0 then 0 else floor(extract(epoch from block_time) / s.seconds) * s.seconds end) as bucket,
        min(ordinal) as first_ordinal, max(ordinal) as last_ordinal,
        (array_agg(next_sqrt_price order by ordinal))[1] as open, max(next_sqrt_price) as high, min(next_sqrt_price) as low,
        (array_agg(next_sqrt_price order by ordinal desc))[1] as close,
        sum(base_amount) as base_volume, sum(quote_amount) as quote_volume, count(*) as trades
      from trades, (values (0), (60), (3600)) as s(seconds) group by 1, 2, 3
    )
    (select * from wanted except select * from candles) union all (select * from candles except select * from wanted)`,
)
