import { Effect } from "effect"
import type { ClickHouse } from "./ClickHouse.ts"
import type { ClickHouseFailed } from "./ClickHouseFailed.ts"

/** Slots of a partition of trades, however long they take. `ordinal >> 32` is the slot (`SLOT_SHIFT` in packages/solana). */
export const PARTITION_SLOTS = 6_480_000

/** Columns of `trades` in the order of their definition. */
export const TRADE_COLUMNS = [
  ...["ordinal", "signature", "pool", "base_mint", "quote_mint", "trader", "side", "base_amount", "quote_amount"],
  ...["fee", "next_sqrt_price", "quote_reserve", "block_time", "venue", "config"],
] as const

/** Of `tokens`: `launchpad` is empty for a token that is not registered any more. */
export const TOKEN_COLUMNS = ["base_mint", "launchpad"] as const

/** Those that hold trades. */
export const TRADE_TABLES = ["trades", "trades_by_trader"] as const

/**
 * Amounts are in smallest units; `block_time` is written in seconds since 1970; `config` is that of the curve, empty where it is not known. Keys
 * and signatures are texts of random bytes: ZSTD makes a row a quarter smaller than the server's own LZ4.
 */
const COLUMNS_OF_TRADES = `
  ordinal UInt64 codec(Delta, ZSTD(1)), signature String codec(ZSTD(1)), pool String codec(ZSTD(1)),
  base_mint String codec(ZSTD(1)), quote_mint LowCardinality(String), trader String codec(ZSTD(1)),
  side Enum8('BUY' = 1, 'SELL' = 2), base_amount UInt64 codec(ZSTD(1)), quote_amount UInt64 codec(ZSTD(1)),
  fee UInt64 codec(ZSTD(1)), next_sqrt_price UInt128 codec(ZSTD(1)), quote_reserve Nullable(UInt64) codec(ZSTD(1)),
  block_time DateTime('UTC') codec(Delta, ZSTD(1)), venue LowCardinality(String)`

/** A function of the key: rows that were sent twice are in one partition. */
const PARTITION = `intDiv(bitShiftRight(ordinal, 32), ${PARTITION_SLOTS})`

/** Rows that are read at least: pages are of 100. */
const GRANULARITY = 2_048

/** A partition that has been left alone for a day becomes one part: until then `final` takes two to four times the time of a read without it. */
const MERGED_WHOLE = "min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1"

const tradesOrderedBy = (table: string, first: string, more: string) => `
create table if not exists ${table} (${COLUMNS_OF_TRADES}${more}
) engine = ReplacingMergeTree
partition by ${PARTITION}
primary key (${first}, ordinal)
order by (${first}, ordinal, signature)
settings index_granularity = ${GRANULARITY}, ${MERGED_WHOLE}`

/** The tables by their names, in the order they are made in. Trades are only ever added; those that were sent twice are one row. */
export const HISTORY_TABLES: Readonly<Record<string, string>> = {
  trades: tradesOrderedBy("trades", "base_mint", ", config String codec(ZSTD(1))"),
  trades_by_trader: tradesOrderedBy("trades_by_trader", "trader", ""),
  // Every insert into the one is an insert into the other.
  trades_to_trades_by_trader: `
create materialized view if not exists trades_to_trades_by_trader to trades_by_trader as
select * except (config) from trades`,
  // What analytics group by, besides the configuration. The row that was inserted last counts.
  tokens: `
create table if not exists tokens (base_mint String, launchpad LowCardinality(String)) engine = ReplacingMergeTree
order by base_mint`,
  // One row: which index this is the history of.
  history_identity: `
create table if not exists history_identity (id String) engine = ReplacingMergeTree order by id`,
}

/** Creates the tables that are missing. A user without the right to create them suffices where all are there. */
export const createTables = (clickhouse: ClickHouse): Effect.Effect<void, ClickHouseFailed> =>
  Effect.gen(function* () {
    const present = yield* clickhouse.select<{ name: string }>(
      "select name from system.tables where database = currentDatabase()",
    )
    const names = new Set(present.map(({ name }) => name))
    for (const [name, statement] of Object.entries(HISTORY_TABLES))
      if (!names.has(name)) yield* clickhouse.command(statement)
  }).pipe(Effect.withSpan("ClickHouse.createTables"))
