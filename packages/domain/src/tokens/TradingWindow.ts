import { Schema } from "effect"

/** Windows over which tokens are ranked as popular. They end now. */
export const PopularInterval = Schema.Literals(["5m", "1h", "6h", "24h", "7d"])
export type PopularInterval = typeof PopularInterval.Type

/** How long they are, as PostgreSQL writes it. The indexer counts the trades in each (`trading_windows.span` is its name). */
export const WINDOW_LENGTHS: Readonly<Record<PopularInterval, string>> = {
  "5m": "5 minutes",
  "1h": "1 hour",
  "6h": "6 hours",
  "24h": "24 hours",
  "7d": "7 days",
}
