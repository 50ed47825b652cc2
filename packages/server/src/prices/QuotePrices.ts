import { USD_SCALE } from "@launch-registry/chain/venues/Prices"
import { Context } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Whether this service has a source of prices in US dollars. */
export const HasUsdPrices = Context.Reference("@launch-registry/server/prices/HasUsdPrices", {
  defaultValue: (): boolean => false,
})

/** A price is stale when it was read so long ago, and not shown at all any more after a day. */
const [STALE_AFTER, SHOWN_FOR] = ["2 minutes", "24 hours"] as const
/** A candle is converted at the last price that was read before its end, and no longer than this before its start. */
const CANDLE_SPAN = "2 hours"

/** What a whole quote token is worth. */
export interface QuotePrice {
  /** In US dollars times {@link USD_SCALE}. */
  readonly quoteUsd: string | null
  readonly usdAsOf: Date | null
  readonly usdStale: boolean | null
}

/** The last price of the quote token of `p`, for a lateral join; the index of the primary key ends with it. */
export const lastQuotePrice = (sql: SqlClient) => sql`
  select trunc(usd * ${sql.literal(String(USD_SCALE))})::text as quote_usd, read_at as usd_as_of,
    read_at < now() - ${STALE_AFTER}::interval as usd_stale
  from quote_prices where quote_mint = p.quote_mint and minute > now() - ${SHOWN_FOR}::interval
  order by minute desc limit 1`

/** The price of a quote token in a stored candle `c` of this length, for a lateral join; as a whole number. */
export const quotePriceInCandle = (sql: SqlClient, quoteMint: string | Fragment, seconds: number) => sql`
  select trunc(usd * ${sql.literal(String(USD_SCALE))}) as usd from quote_prices
  where quote_mint = ${quoteMint} and minute < c.bucket + make_interval(secs => ${seconds}::integer)
    and minute > c.bucket - ${CANDLE_SPAN}::interval
  order by minute desc limit 1`
