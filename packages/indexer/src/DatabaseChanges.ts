import type { ConfigCreated, DbcEvent, PoolCreated } from "@launch-registry/chain/launch/events/DbcEvent"
import { decodeTransaction } from "@launch-registry/chain/launch/events/DecodeTransaction"
import type { Block } from "./Block.ts"
import { makeManifest, type Module } from "./Manifest.ts"

/** A row of `trades`. */
export type TradeRow = {
  readonly signature: string
  readonly instruction: number
  readonly innerInstruction: number
  readonly pool: string
  readonly baseMint: string
  readonly quoteMint: string
  readonly trader: string
  readonly side: "BUY" | "SELL"
  readonly baseAmount: string
  readonly quoteAmount: string
  readonly fee: string
  readonly nextSqrtPrice: string
  readonly slot: bigint
  readonly blockTime: Date
}

/** A stage in the life of a pool. */
export type PoolStage =
  | { readonly stage: "completed"; readonly pool: string }
  | { readonly stage: "migrated"; readonly pool: string; readonly migratedPool: string }

/** What a block changes: the output of the last module, written by the sink. */
export interface DatabaseChanges {
  readonly configs: ReadonlyArray<ConfigCreated>
  readonly pools: ReadonlyArray<PoolCreated>
  readonly trades: ReadonlyArray<TradeRow>
  readonly stages: ReadonlyArray<PoolStage>
}

const events: Module = {
  name: "map_dbc_events",
  kind: "map",
  inputs: ["block"],
  version: 1,
  run: (block: Block): ReadonlyArray<DbcEvent> =>
    block.transactions.flatMap((transaction) => decodeTransaction(transaction)),
}

const trades: Module = {
  name: "map_trades",
  kind: "map",
  inputs: ["map_dbc_events"],
  version: 1,
  run: (all: ReadonlyArray<DbcEvent>): ReadonlyArray<TradeRow> =>
    all.flatMap((event) => {
      if (event.type !== "Swapped") return []
      const { amountIn, amountOut, at, baseMint, fee, nextSqrtPrice, pool, quoteMint, side, trader } = event
      const [base, quote] = side === "BUY" ? [amountOut, amountIn] : [amountIn, amountOut]
      return [
        {
          signature: at.signature,
          instruction: at.instruction,
          innerInstruction: at.innerInstruction,
          pool,
          baseMint,
          quoteMint,
          trader,
          side,
          baseAmount: String(base),
          quoteAmount: String(quote),
          fee: String(fee),
          nextSqrtPrice: String(nextSqrtPrice),
          slot: at.slot,
          blockTime: new Date(at.blockTimeSeconds * 1000),
        },
      ]
    }),
}

const stages: Module = {
  name: "store_pool_stages",
  kind: "store",
  inputs: ["map_dbc_events"],
  version: 1,
  run: (all: ReadonlyArray<DbcEvent>): ReadonlyArray<PoolStage> =>
    all.flatMap((event): ReadonlyArray<PoolStage> => {
      if (event.type === "CurveComplete") return [{ stage: "completed", pool: event.pool }]
      if (event.type === "PoolMigrated")
        return [{ stage: "migrated", pool: event.pool, migratedPool: event.migratedPool }]
      return []
    }),
}

const output: Module = {
  name: "db_out",
  kind: "map",
  inputs: ["map_dbc_events", "map_trades", "store_pool_stages"],
  version: 1,
  run: (
    all: ReadonlyArray<DbcEvent>,
    tradeRows: ReadonlyArray<TradeRow>,
    poolStages: ReadonlyArray<PoolStage>,
  ): DatabaseChanges => ({
    configs: all.filter((event) => event.type === "ConfigCreated"),
    pools: all.filter((event) => event.type === "PoolCreated"),
    trades: tradeRows,
    stages: poolStages,
  }),
}

/** From blocks to the derived tables. */
export const MANIFEST = makeManifest([events, trades, stages, output], "db_out")
