import type { TradeRow } from "@launch-registry/indexer/modules/TradeRow"

/** Columns of `trades`; each loader turns the last one, seconds since 1970, into a time. */
export const COLUMNS =
  "ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee, next_sqrt_price, " +
  "quote_reserve, block_time"

/** A row in the order of the columns. */
export const valuesOf = (row: TradeRow): ReadonlyArray<bigint | string | number | null> => [
  row.ordinal,
  row.signature,
  row.pool,
  row.baseMint,
  row.quoteMint,
  row.trader,
  row.side,
  row.baseAmount,
  row.quoteAmount,
  row.fee,
  row.nextSqrtPrice,
  row.quoteReserve,
  row.blockTime,
]
