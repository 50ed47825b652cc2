/** Tables of facts, which stand as long as their transaction does, with the tables that are folded of each. */
const FOLDED_OF = {
  trades: ["candles"],
  dbc_events: ["dbc_configs", "dbc_pools"],
  fee_claims: ["fee_totals"],
} as const

export type FactTable = keyof typeof FOLDED_OF

export const FACT_TABLES = Object.keys(FOLDED_OF) as ReadonlyArray<FactTable>

/** Tables derived from the log alone: facts, and folds of them. */
export const DERIVED_TABLES = [...FACT_TABLES, ...Object.values(FOLDED_OF).flat()]
