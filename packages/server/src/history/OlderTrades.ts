import type { TradeSide } from "@launch-registry/domain/pools/PoolTrade"
import type { TradeFilter } from "@launch-registry/domain/launch/TradeList"
import type { Venue } from "@launch-registry/domain/pools/Venue"
import type { Address } from "@launch-registry/domain/solana/Address"
import { startInstant } from "@launch-registry/domain/time/Timestamp"
import { SLOT_SHIFT, slotOf } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { ListedTrade, TradePosition, TradesFound } from "./StoredTrade.ts"
import type { History } from "./History.ts"
import { ordinalsWithin } from "./OrdinalsOfTimes.ts"

/** Slots of the first window of trades of all mints. A window is so many times the one before. */
const WINDOW = 1_500n
const WIDER = 8n
const MILLIS_PER_SECOND = 1_000

interface OlderRow {
  readonly ordinal: string
  readonly signature: string
  readonly pool: Address
  readonly base_mint: Address
  readonly quote_mint: Address
  readonly trader: Address
  readonly side: TradeSide
  readonly base_amount: string
  readonly quote_amount: string
  readonly fee: string
  readonly next_sqrt_price: string
  readonly at: number
  readonly venue: Venue
}

/**
 * In the order of the table, so that the server reads no more than the page takes. Without `final`, which would read all of a mint: of rows that
 * were sent twice one is left out here.
 */
const tradesOf = (table: string, within: ReadonlyArray<string>) => `
  select ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee, next_sqrt_price,
    toUnixTimestamp(block_time) as at, venue
  from ${table} where ${within.join(" and ")}
  order by ordinal desc, signature desc limit 1 by ordinal, signature limit {rows:UInt32}`

/** ClickHouse keeps it for each part, so that no row is read. */
const LEAST = "select min(ordinal) as ordinal from trades"

const secondsOf = (time: string): number => Math.ceil(startInstant(time).getTime() / MILLIS_PER_SECOND)

const toTrade = (row: OlderRow): ListedTrade => {
  const ordinal = BigInt(row.ordinal)
  return {
    ...{ ordinal, signature: row.signature, slot: slotOf(ordinal), pool: row.pool, venue: row.venue },
    ...{ baseMint: row.base_mint, quoteMint: row.quote_mint, trader: row.trader, side: row.side },
    ...{ baseAmount: row.base_amount, quoteAmount: row.quote_amount, fee: row.fee, nextSqrtPrice: row.next_sqrt_price },
    blockTime: new Date(row.at * MILLIS_PER_SECOND),
    // Only what is proven is sent there.
    isFinalized: true,
  }
}

/**
 * Up to `limit` trades of a filter in history before a position, newest first. Trades of a mint or a trader are read in the order of a table. Those of
 * all mints are in none, and are sorted by windows of ordinals, each wider than the one before.
 */
export const olderTrades = Effect.fnUntraced(function* (
  sql: SqlClient,
  history: History["Service"],
  filter: TradeFilter,
  before: TradePosition,
  limit: number,
) {
  const { from, mintAddress: mint, side, to, trader, venue } = filter
  const { beyond, first } = yield* Effect.orDie(ordinalsWithin(sql, { from, to }))
  const parameters: Record<string, string | number | bigint> = { ...before, rows: limit + 1 }
  const within = ["(ordinal < {ordinal:UInt64} or ordinal = {ordinal:UInt64} and signature < {signature:String})"]
  const add = (name: string, value: string | number | bigint | undefined, condition: string) => {
    if (value === undefined) return
    parameters[name] = value
    within.push(condition)
  }
  add("trader", trader, "trader = {trader:String}")
  add("mint", mint, "base_mint = {mint:String}")
  add("side", side, "side = {side:String}")
  add("venue", venue, "venue = {venue:String}")
  add("from", from && secondsOf(from), "toUnixTimestamp(block_time) >= {from:Int64}")
  add("to", to && secondsOf(to), "toUnixTimestamp(block_time) < {to:Int64}")
  add("first", first, "ordinal >= {first:UInt64}")
  add("beyond", beyond, "ordinal < {beyond:UInt64}")
  const table = trader === undefined ? "trades" : "trades_by_trader"
  const read = (floor: bigint) =>
    history.select<OlderRow>("trades", tradesOf(table, [...within, "ordinal >= {floor:UInt64}"]), {
      ...{ ...parameters, floor },
    })

  let rows: ReadonlyArray<OlderRow>
  if (trader !== undefined || mint !== undefined) rows = yield* read(0n)
  else {
    const [least] = yield* history.select<{ readonly ordinal: string }>("trades", LEAST, {})
    const bottom = [BigInt(least?.ordinal ?? 0), first ?? 0n].reduce((a, b) => (a > b ? a : b))
    const top = beyond !== undefined && beyond < before.ordinal ? beyond : before.ordinal
    let floor = top
    let width = WINDOW
    do {
      floor = top - (width << BigInt(SLOT_SHIFT))
      rows = yield* read(floor > bottom ? floor : bottom)
      width *= WIDER
    } while (rows.length <= limit && floor > bottom)
  }
  const trades = rows.slice(0, limit).map(toTrade)
  return { rows: trades, end: rows.length > limit ? trades.at(-1) : undefined } satisfies TradesFound
})
