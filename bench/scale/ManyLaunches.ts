import * as Database from "@launch-registry/postgres/Database"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { listings } from "../../packages/server/src/launch/Listings.ts"
import { type BenchAddress, clientOf } from "../ingest/BenchDatabase.ts"
import { ownerOf, unregistered } from "./ManyTokens.ts"

const SOL = "So11111111111111111111111111111111111111112"
const CONFIGS = 10
/** Traders with an address; the first has one trade in a thousand, others as many as any trader. */
const TRADERS = 20

export const configOf = (n: number): string => ownerOf(1_000_000_000 + (n % CONFIGS))
export const traderOf = (n: number): string => ownerOf(2_000_000_000 + (n % TRADERS))

/**
 * Adds to a registry and an index with tokens and trades (`ManyTrades.ts`) a launch for each token, and one that nobody registered: 5 % have
 * completed their curves, of these two in five have migrated. Traded ones have candles of the hours and minutes before the last day.
 */
export const fillLaunches = async (address: BenchAddress): Promise<void> => {
  const client = clientOf(address)
  await client.connect()
  const { rows: indexes } = await client.query(
    "select indexname as name, indexdef as definition from pg_indexes where tablename = 'dbc_pools' and indexname <> 'dbc_pools_pkey'",
  )
  await client.query("set maintenance_work_mem = '1GB'")
  await client.query("truncate dbc_pools, dbc_configs, launch_curves, launch_listings, candles")
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  const configs = Array.from({ length: CONFIGS }, (_, n) => configOf(n))
  await client.query(
    `insert into launch_curves (config, base_decimals, quote_decimals, supply, migration_quote_threshold, start_sqrt_price)
     select config, 6, 9, 1000000000000000, 85000000000, 58333726687135 from unnest($1::text[]) config`,
    [configs],
  )
  await client.query(
    `insert into dbc_configs (config, quote_mint, fee_claimer, leftover_receiver, token_decimal, created_slot)
     select config, $2, config, config, 6, 1 from unnest($1::text[]) config`,
    [configs, SOL],
  )
  await client.query(
    `insert into dbc_pools (pool, base_mint, quote_mint, config, creator, name, symbol, uri, pool_type, activation_point,
       decimals, created_slot, created_at, completed_slot, completed_at, migrated_slot, migrated_at)
     select 'E' || substr(mint, 1, 1) || substr(mint, 3), mint, $2, ($1::text[])[1 + n % ${CONFIGS}], owner, name, symbol, '', 0, 0, 6, n,
       created_at, case when n % 20 = 0 then n + 1 end, case when n % 20 = 0 then created_at end,
       case when n % 50 = 0 and n % 20 = 0 then n + 2 end, case when n % 50 = 0 and n % 20 = 0 then created_at end
     from (select t.*, (row_number() over (order by created_at))::int as n from tokens t) t,
       unnest(array[t.mint_address, ${unregistered("t.mint_address")}]) mint`,
    [configs, SOL],
  )
  for (const { definition } of indexes) await client.query(definition)
  for (const unit of ["minute", "hour"])
    await client.query(
      `insert into candles (base_mint, seconds, bucket, first_ordinal, last_ordinal, open, high, low, close, base_volume, quote_volume, trades)
       select base_mint, extract(epoch from interval '1 ${unit}')::int, date_trunc('${unit}', block_time) as bucket, min(ordinal), max(ordinal),
         min(next_sqrt_price), max(next_sqrt_price), min(next_sqrt_price), max(next_sqrt_price), sum(base_amount), sum(quote_amount), count(*)
       from trades where block_time between now() - interval '50 hours' and now() - interval '22 hours' group by base_mint, bucket`,
    )
  await client.query("update trades set trader = $1 where (ordinal >> 14) % 1000 = 0", [traderOf(0)])
  for (let n = 1; n < TRADERS; n++)
    await client.query("update trades set trader = $1 where hashtextextended(trader, 0) = hashtextextended($2, 0)", [
      traderOf(n),
      `T${n}`,
    ])
  await client.query("vacuum (analyze) dbc_pools, dbc_configs, launch_curves, candles, trades")
  const listed = Effect.gen(function* () {
    const { startOver, step } = listings(yield* SqlClient)
    yield* startOver
    yield* Effect.repeat(step, { until: ({ isListed }) => isListed })
  })
  await Effect.runPromise(Effect.provide(listed, Database.layer(address)))
  await client.query("vacuum (analyze) launch_listings")
  await client.query("checkpoint")
  await client.end()
}
