-- The tables of history on a cluster, for clickhouse-client as a user that may create them. Each server has the macros {cluster},
-- {shard} and {replica}, and Keeper. The service then finds its tables under the names that a single server has, and creates none.
-- Trades are on the shard of their mint, those by trader on the shard of their trader: a page reads one of them.

create database if not exists launch_registry on cluster '{cluster}';

create table if not exists launch_registry.trades_local on cluster '{cluster}' (
  ordinal UInt64 codec(Delta, ZSTD(1)), signature String codec(ZSTD(1)), pool String codec(ZSTD(1)),
  base_mint String codec(ZSTD(1)), quote_mint LowCardinality(String), trader String codec(ZSTD(1)),
  side Enum8('BUY' = 1, 'SELL' = 2), base_amount UInt64 codec(ZSTD(1)), quote_amount UInt64 codec(ZSTD(1)),
  fee UInt64 codec(ZSTD(1)), next_sqrt_price UInt128 codec(ZSTD(1)), quote_reserve Nullable(UInt64) codec(ZSTD(1)),
  block_time DateTime('UTC') codec(Delta, ZSTD(1)), venue LowCardinality(String), version UInt64 codec(ZSTD(1)),
  is_deleted UInt8 default 0
) engine = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/launch_registry/trades_local', '{replica}', version, is_deleted)
partition by intDiv(bitShiftRight(ordinal, 32), 6480000)
primary key (base_mint, ordinal)
order by (base_mint, ordinal, signature)
settings index_granularity = 2048, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1;

create table if not exists launch_registry.trades_by_trader_local on cluster '{cluster}' (
  ordinal UInt64 codec(Delta, ZSTD(1)), signature String codec(ZSTD(1)), pool String codec(ZSTD(1)),
  base_mint String codec(ZSTD(1)), quote_mint LowCardinality(String), trader String codec(ZSTD(1)),
  side Enum8('BUY' = 1, 'SELL' = 2), base_amount UInt64 codec(ZSTD(1)), quote_amount UInt64 codec(ZSTD(1)),
  fee UInt64 codec(ZSTD(1)), next_sqrt_price UInt128 codec(ZSTD(1)), quote_reserve Nullable(UInt64) codec(ZSTD(1)),
  block_time DateTime('UTC') codec(Delta, ZSTD(1)), venue LowCardinality(String), version UInt64 codec(ZSTD(1)),
  is_deleted UInt8 default 0
) engine = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/launch_registry/trades_by_trader_local', '{replica}', version, is_deleted)
partition by intDiv(bitShiftRight(ordinal, 32), 6480000)
primary key (trader, ordinal)
order by (trader, ordinal, signature)
settings index_granularity = 2048, min_age_to_force_merge_seconds = 86400, min_age_to_force_merge_on_partition_only = 1;

create table if not exists launch_registry.tokens_local on cluster '{cluster}' (
  base_mint String, pool String, config String, creator String, quote_mint LowCardinality(String),
  launchpad LowCardinality(String), version UInt64
) engine = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/launch_registry/tokens_local', '{replica}', version)
order by base_mint;

create table if not exists launch_registry.history_identity_local on cluster '{cluster}' (
  id String, created_at DateTime('UTC') default now()
) engine = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/launch_registry/history_identity_local', '{replica}', created_at)
order by id;

create table if not exists launch_registry.history_identity on cluster '{cluster}' as launch_registry.history_identity_local
engine = Distributed('{cluster}', 'launch_registry', 'history_identity_local', cityHash64(id));

create table if not exists launch_registry.trades on cluster '{cluster}' as launch_registry.trades_local
engine = Distributed('{cluster}', 'launch_registry', 'trades_local', cityHash64(base_mint));

create table if not exists launch_registry.trades_by_trader on cluster '{cluster}' as launch_registry.trades_by_trader_local
engine = Distributed('{cluster}', 'launch_registry', 'trades_by_trader_local', cityHash64(trader));

create table if not exists launch_registry.tokens on cluster '{cluster}' as launch_registry.tokens_local
engine = Distributed('{cluster}', 'launch_registry', 'tokens_local', cityHash64(base_mint));

create materialized view if not exists launch_registry.trades_to_trades_by_trader on cluster '{cluster}'
to launch_registry.trades_by_trader as
select ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee, next_sqrt_price,
  quote_reserve, block_time, venue, version, is_deleted
from launch_registry.trades_local;
