import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { listings } from "../../src/markets/Listings.ts"

/** Of which launches are made: every 3rd has another configuration, every 7th another creator, every 11th another quote token. */
export const MADE_OF = {
  configs: [sampleAddress(), sampleAddress()],
  creators: [sampleAddress(), sampleAddress()],
  quotes: [sampleAddress(), sampleAddress()],
} as const

/** Pools as the indexer writes them: several in a second, some complete, some migrated; every 4th is registered; all traded. */
export const manyLaunches = Effect.fn(function* (count: number) {
  const sql = yield* SqlClient
  const stem = sampleAddress().slice(0, -6)
  const { configs, creators, quotes } = MADE_OF
  const either = ([usual, other]: readonly [string, string], every: number) =>
    sql`case when n % ${sql.literal(String(every))} = 0 then ${other} else ${usual} end`
  yield* sql`
    insert into dbc_pools (pool, base_mint, quote_mint, config, creator, name, symbol, uri, pool_type, decimals, created_slot, created_at, completed_slot, migrated_slot, migrated_at)
    select ${stem} || 'P' || replace((10000 + n)::text, '0', 'z'), ${stem} || 'M' || replace((10000 + n)::text, '0', 'z'),
      ${either(quotes, 11)}, ${either(configs, 3)}, ${either(creators, 7)}, 'Name ' || n, 'S' || n, '', 0, 6, n,
      timestamptz '2026-11-01 00:00Z' + make_interval(secs => (n * 7 % ${count}::int) / 3),
      case when n % 10 < 3 then n + 1 end, case when n % 10 < 2 then n + 2 end,
      case when n % 10 < 2 then timestamptz '2026-11-03 00:00Z' + make_interval(secs => n % 50) end
    from generate_series(1, ${count}::int) n`
  yield* sql`
    insert into launch_configs (config_address, base_decimals, quote_decimals, supply, migration_quote_threshold, start_sqrt_price)
    select config, 6, 9, 1000000000000000, 85000000000, 58333726687135 from unnest(${[...configs]}::text[]) config
    on conflict do nothing`
  yield* sql`
    insert into trades (ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
      next_sqrt_price, quote_reserve, block_time)
    select created_slot << 34, base_mint, pool, base_mint, quote_mint, creator, 'BUY', 1, 1, 0, 98362933813224380,
      (created_slot * 7919 % 1000) * 85000000, created_at
    from dbc_pools where pool like ${`${stem}P%`}`
  yield* sql`
    insert into tokens (id, mint_address, name, symbol, description, total_supply, decimals, owner, launchpad, created_at,
      updated_at)
    select gen_random_uuid(), base_mint, name, symbol, '', 1, 6, creator, 'launchpad_a', now(), now()
    from dbc_pools where created_slot % 4 = 0 and pool like ${`${stem}P%`}`
})

/** Compares all launches with their listings. */
export const compareAll = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { startOver, step } = listings(sql)
  yield* startOver
  yield* Effect.repeat(step, { until: ({ isListed }) => isListed })
})
