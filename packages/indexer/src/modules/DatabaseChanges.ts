import { isAddressList } from "@launch-registry/chain/launch/events/AccountTable"
import { ADDRESS_FIELDS, type DbcEvent } from "@launch-registry/chain/launch/events/DbcEvent"
import { decodeTransaction } from "@launch-registry/chain/launch/events/DecodeTransaction"
import type { DecodableTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import type { Batch } from "./Batch.ts"
import { type Candle, CANDLE_POLICIES, foldCandles } from "./CandleFold.ts"
import type { EventRow } from "./EventRow.ts"
import { makeManifest, type Module } from "./Manifest.ts"
import { TIME_MAX } from "@launch-registry/chain/rpc/results/Scalars"
import { ordinalOf, placeWithoutIndex } from "@launch-registry/solana/Ordinal"
import type { TradeRow } from "./TradeRow.ts"

/** Interface of the program that the decoders were written for: another one is another module hash. */
const INTERFACE = "dbc 0.2.1"

/** A transaction that could not be decoded, by its index in the batch. */
export interface Undecodable {
  readonly index: number
  readonly reason: string
}

/** What blocks change: the output of the last module, written by the sink. */
export interface DatabaseChanges {
  readonly trades: ReadonlyArray<TradeRow>
  readonly events: ReadonlyArray<EventRow>
  readonly candles: ReadonlyArray<Candle>
  readonly undecodable: ReadonlyArray<Undecodable>
}

interface Decoded {
  readonly events: ReadonlyArray<DbcEvent>
  readonly undecodable: ReadonlyArray<Undecodable>
}

const events: Module = {
  name: "map_dbc_events",
  kind: "map",
  inputs: ["blocks"],
  version: 2,
  run: ({ transactions }: Batch): Decoded => {
    const found: Array<DbcEvent> = []
    const undecodable: Array<Undecodable> = []
    let index = -1
    for (const transaction of transactions) {
      index++
      // What is received is not checked beyond slot and signature: a transaction of another shape fails here, and alone.
      try {
        for (const event of eventsOf(transaction)) found.push(event)
      } catch (error) {
        undecodable.push({ index, reason: error instanceof Error ? error.message : "unknown" })
      }
    }
    return { events: found, undecodable }
  },
}

const eventsOf = (transaction: DecodableTransaction): ReadonlyArray<DbcEvent> => {
  const { accountKeys, instructions } = transaction.transaction.message
  if (!isAddressList(accountKeys) || !Array.isArray(instructions)) throw new TypeError("no accounts or instructions")
  if (transaction.meta.err === undefined) throw new TypeError("no outcome")
  const { blockTime, indexWithinBlock = placeWithoutIndex(transaction.transaction.signatures[0]!) } = transaction
  const decoded = decodeTransaction(transaction, indexWithinBlock)
  if (decoded.length === 0) return decoded
  if (!Number.isInteger(blockTime) || blockTime! < 0 || blockTime! > SECONDS_MAX) throw new TypeError("no block time")
  for (const event of decoded) {
    ordinalOf(event.at)
    assertAddresses(event)
  }
  return decoded
}

const SECONDS_MAX = Number(TIME_MAX)

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** Accounts are as they were received: what is no address must not get as far as a table. */
const assertAddresses = (event: DbcEvent): void => {
  for (const field of ADDRESS_FIELDS[event.type]) {
    const value: unknown = event[field as keyof DbcEvent]
    if (value === null && field === "partner") continue
    if (typeof value !== "string" || !ADDRESS.test(value)) throw new TypeError(`${field} is no address`)
  }
}

const trades: Module = {
  name: "map_trades",
  kind: "map",
  inputs: ["map_dbc_events"],
  version: 2,
  run: ({ events: all }: Decoded): ReadonlyArray<TradeRow> => {
    const rows: Array<TradeRow> = []
    for (const event of all) {
      if (event.type !== "Swapped") continue
      const { amountIn, amountOut, at, baseMint, fee, nextSqrtPrice, pool, quoteMint, quoteReserve, side, trader } =
        event
      rows.push({
        ordinal: ordinalOf(at),
        signature: at.signature,
        pool,
        baseMint,
        quoteMint,
        trader,
        side,
        baseAmount: side === "BUY" ? amountOut : amountIn,
        quoteAmount: side === "BUY" ? amountIn : amountOut,
        fee,
        nextSqrtPrice,
        quoteReserve: quoteReserve ?? null,
        blockTime: at.blockTimeSeconds,
      })
    }
    return rows
  },
}

const poolEvents: Module = {
  name: "map_pool_events",
  kind: "map",
  inputs: ["map_dbc_events"],
  version: 1,
  run: ({ events: all }: Decoded): ReadonlyArray<EventRow> =>
    all.flatMap((event) => {
      if (event.type === "Swapped") return []
      const { at, ...facts } = event
      return [
        {
          ordinal: ordinalOf(at),
          signature: at.signature,
          type: facts.type,
          pool: "pool" in facts ? facts.pool : null,
          config: "config" in facts ? facts.config : null,
          facts,
          blockTime: at.blockTimeSeconds,
        },
      ]
    }),
}

const candles: Module = {
  name: "store_candles",
  kind: "store",
  inputs: ["map_trades"],
  updatePolicies: CANDLE_POLICIES,
  version: 1,
  run: foldCandles,
}

/** Folded by the database from the events of each pool and configuration (`PoolStatements.ts`). */
const pools: Module = {
  name: "store_pools",
  kind: "store",
  inputs: ["map_pool_events"],
  updatePolicies: { created: "first", creator: "last", completed: "first", migrated: "first", metadata: "first" },
  version: 1,
  run: (rows: ReadonlyArray<EventRow>) => rows,
}

const output: Module = {
  name: "db_out",
  kind: "map",
  inputs: ["map_dbc_events", "map_trades", "store_pools", "store_candles"],
  version: 2,
  run: (
    { undecodable }: Decoded,
    tradeRows: ReadonlyArray<TradeRow>,
    eventRows: ReadonlyArray<EventRow>,
    candleFolds: ReadonlyArray<Candle>,
  ): DatabaseChanges => ({ trades: tradeRows, events: eventRows, candles: candleFolds, undecodable }),
}

/** From blocks to the derived tables. */
export const MANIFEST = makeManifest([events, trades, poolEvents, candles, pools, output], "db_out", INTERFACE)

/** What a batch changes. */
export const changesOf = (batch: Batch): DatabaseChanges => MANIFEST.run(batch) as DatabaseChanges
