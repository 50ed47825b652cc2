/** What stands as long as its transaction does. */
export const FACT_TABLES = ["trades", "dbc_events", "fee_claims"] as const

/** Tables derived from the log alone: facts, and folds of them. */
export const DERIVED_TABLES = [...FACT_TABLES, "dbc_configs", "dbc_pools", "candles", "fee_totals"] as const
