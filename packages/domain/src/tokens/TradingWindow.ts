import { Schema } from "effect"

/** Time windows, up to now, of the ranking by popularity. */
export const PopularInterval = Schema.Literals(["5m", "1h", "6h", "24h", "7d"])
export type PopularInterval = typeof PopularInterval.Type

/** Lengths as PostgreSQL intervals. The indexer keeps a count per window (`trading_windows.span`). */
export const WINDOW_LENGTHS: Readonly<Record<PopularInterval, string>> = {
  "5m": "5 minutes",
  "1h": "1 hour",
  "6h": "6 hours",
  "24h": "24 hours",
  "7d": "7 days",
}
