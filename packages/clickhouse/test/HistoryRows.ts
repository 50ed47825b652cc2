import type { TRADE_COLUMNS } from "../src/HistoryTables.ts"

export type HistoryRow = { readonly [Column in (typeof TRADE_COLUMNS)[number]]: string | number | bigint | null }

/** A trade, with some of its columns; in the order of `TRADE_COLUMNS`. */
export const historyRow = (some: Partial<HistoryRow>): HistoryRow => ({
  ...{
    ordinal: 1n << 32n,
    signature: "signature",
    pool: "pool",
    base_mint: "mint",
    quote_mint: "quote",
    trader: "trader",
  },
  ...{ side: "BUY", base_amount: 1n, quote_amount: 1n, fee: 0n, next_sqrt_price: 1n, quote_reserve: null },
  ...{ block_time: 1_700_000_000, venue: "dbc", config: "config" },
  ...some,
})

export const valuesOf = (row: HistoryRow): ReadonlyArray<unknown> => Object.values(row)
