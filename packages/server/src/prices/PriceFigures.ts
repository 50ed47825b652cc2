import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Seconds since prices in US dollars were last stored; null if none ever were. */
export const readPriceAge = (sql: SqlClient) =>
  Effect.map(
    sql<{ readonly seconds: number | null }>`
      select extract(epoch from greatest(now() - stored_at, '0'))::float8 as seconds from quote_price_refreshes`,
    ([row]) => row?.seconds ?? null,
  )
