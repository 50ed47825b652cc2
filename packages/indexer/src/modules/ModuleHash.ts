import { createHash } from "node:crypto"

/** Interfaces of the programs that the decoders were written for. */
const INTERFACE = "dbc 0.2.1, cp-amm 0.2.5, dynamic-amm 0.5.2"

/**
 * What the derived tables are computed by, in order, as `name kind version inputs policies` in Substreams' terms. Raise a version with
 * every change of what it computes: another hash rebuilds all tables from the log.
 */
const MODULES = [
  "map_dbc_events map 6 blocks {}",
  "map_trades map 3 map_dbc_events {}",
  "map_pool_events map 3 map_dbc_events {}",
  'store_pools store 1 map_pool_events {"created":"first","creator":"last","completed":"first","migrated":"first","metadata":"first"}',
  'store_candles store 1 map_trades {"open":"first","high":"max","low":"min","close":"last","baseVolume":"add","quoteVolume":"add","trades":"add"}',
  "map_fee_claims map 2 map_dbc_events {}",
  "db_out map 3 map_dbc_events,map_trades,map_fee_claims,store_pools,store_candles {}",
] as const

/** What a cursor and the derived tables belong to. */
export const MODULE_HASH = createHash("sha256")
  .update([INTERFACE, ...MODULES].join("\n"))
  .digest("hex")
  .slice(0, 32)
