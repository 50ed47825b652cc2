import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * The ordinal from which on PostgreSQL has every trade; 0: it has all of them. In the statement that reads the trades, so that both are of one
 * moment: they may leave the next.
 */
export const KEPT_FROM = "(select kept_from from indexer_progress) as kept_from"

/** The time from which on PostgreSQL has every minute candle, a whole hour; null: it has all of them. Likewise. */
export const MINUTES_FROM = "(select minutes_from from indexer_progress) as minutes_from"

/** {@link KEPT_FROM}, for a read that found no trade. */
export const readKeptFrom = (sql: SqlClient) =>
  Effect.map(sql<{ readonly keptFrom: bigint }>`select kept_from from indexer_progress`, ([row]) => row?.keptFrom ?? 0n)

/** {@link MINUTES_FROM}, for a read that found no candle. */
export const readMinutesFrom = (sql: SqlClient) =>
  Effect.map(
    sql<{ readonly minutesFrom: Date | null }>`select minutes_from from indexer_progress`,
    ([row]) => row?.minutesFrom ?? null,
  )
