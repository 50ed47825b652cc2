import type { TradeSide } from "@launch-registry/domain/launch/PoolTrade"
import type { TradeFilter } from "@launch-registry/domain/launch/TradeList"
import type { Venue } from "@launch-registry/domain/launch/Venue"
import type { Address } from "@launch-registry/domain/solana/Address"
import { startInstant } from "@launch-registry/domain/time/Timestamp"
import { SLOT_SHIFT, slotOf } from "@launch-registry/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { ListedTrade, TradePosition, TradesFound } from "../launch/StoredTrade.ts"
import type { History } from "./History.ts"
import { ordinalsWithin } from "./OrdinalsOfTimes.ts"

/** How many rows of history are read for a page. */
export interface OlderBounds {
  /** Rows that are compared at first where the order of the table leaves filters, and how many more for each row of the page. */
  readonly near: number
  readonly nearPerRow: number
  /** Rows that are compared before the page ends early. */
  readonly far: number
  /** Slots of the first window of trades of all mints. */
  readonly window: bigint
}

const BOUNDS: OlderBounds = { near: 1_000, nearPerRow: 10, far: 10_000, window: 1_500n }

/** A window is so many times the one before at most. */
const WIDER = 8n
const SLOT_BITS = BigInt(SLOT_SHIFT)
/** Rows may be stored twice, or with a later version, until ClickHouse has merged them. */
const SPARE = 20
const MILLIS_PER_SECOND = 1_000

interface ScannedRow {
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
  readonly matches: number
  readonly scanned: string
}

type Parameters = Record<string, string | number | bigint>

const AFTER = "ordinal <= {ordinal:UInt64} and (ordinal < {ordinal:UInt64} or signature < {signature:String})"

/**
 * Reads the newest `bound` rows in the order of the table, without `final`, which would read and sort all of a mint: the last version of a row
 * comes first, and the others are left out. The last row is shown even if it does not match: there the next scan goes on. How far down those rows
 * reach is found by ordinals alone: whole rows of a mint with a million of them are not sorted by the server in time.
 */
export const scanOfTrades = (table: string, within: ReadonlyArray<string>, left: ReadonlyArray<string>) => `
  select * except (version, is_deleted, is_last) from (
    select *, ${["is_deleted = 0", ...left].join(" and ")} as matches,
      (ordinal, signature) = (min((ordinal, signature)) over ()) as is_last, count() over () as scanned
    from (
      select ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee, next_sqrt_price,
        toUnixTimestamp(block_time) as at, venue, version, is_deleted
      from ${table} where ${[...within, AFTER].join(" and ")} and ordinal >= (
        select min(ordinal) from (
          select ordinal from ${table} where ${[...within, "ordinal < {ordinal:UInt64}"].join(" and ")}
          order by ordinal desc limit {bound:UInt32}
        )
      )
      order by ordinal desc, signature desc, version desc limit {bound:UInt32}
    )
    order by ordinal desc, signature desc, version desc limit 1 by ordinal, signature
  )
  where matches or is_last order by ordinal desc, signature desc limit {rows:UInt32}`

/** ClickHouse keeps it for each part, so that no row is read. */
const LEAST = "select min(ordinal) as ordinal from trades"

const secondsOf = (time: string): number => Math.ceil(startInstant(time).getTime() / MILLIS_PER_SECOND)

const toTrade = (row: ScannedRow): ListedTrade => {
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
 * Trades of a filter in history before a position, newest first: up to `limit`, and more may follow after `end`. Trades of a mint or a trader
 * are read in the order of a table. Those of all mints are not in any, and are sorted by windows of ordinals, each wider than the one before.
 */
export const olderTrades = Effect.fnUntraced(function* (
  sql: SqlClient,
  history: History["Service"],
  filter: TradeFilter,
  before: TradePosition,
  limit: number,
  bounds = BOUNDS,
) {
  const { from, mint, side, to, trader, venue } = filter
  const parameters: Parameters = {}
  const within: Array<string> = []
  const left: Array<string> = []
  const condition = (list: Array<string>, text: string, name: string, value: string | number | bigint) => {
    parameters[name] = value
    list.push(text)
  }
  const isByTrader = trader !== undefined
  if (isByTrader) condition(within, "trader = {trader:String}", "trader", trader)
  if (mint !== undefined) condition(isByTrader ? left : within, "base_mint = {mint:String}", "mint", mint)
  if (side !== undefined) condition(left, "side = {side:String}", "side", side)
  if (venue !== undefined) condition(left, "venue = {venue:String}", "venue", venue)
  if (from !== undefined) condition(left, "at >= {from:Int64}", "from", secondsOf(from))
  if (to !== undefined) condition(left, "at < {to:Int64}", "to", secondsOf(to))
  const range = yield* Effect.orDie(ordinalsWithin(sql, { from, to }))
  if (range.first !== undefined) condition(within, "ordinal >= {first:UInt64}", "first", range.first)
  if (range.beyond !== undefined) condition(within, "ordinal < {beyond:UInt64}", "beyond", range.beyond)

  const table = isByTrader ? "trades_by_trader" : "trades"
  const rows: Array<ListedTrade> = []
  let toScan = bounds.far
  let position = before
  let bound = left.length === 0 ? limit + SPARE : bounds.near + bounds.nearPerRow * limit

  /** Adds rows from the position on, down to an ordinal; `undefined` if the page is full or ends early. */
  const scan = Effect.fnUntraced(function* (floor: bigint) {
    while (toScan > 0) {
      const size = Math.min(bound, toScan)
      const found = yield* history.select<ScannedRow>(
        "trades",
        scanOfTrades(table, [...within, "ordinal >= {floor:UInt64}"], left),
        { ...parameters, ...position, floor, bound: size, rows: limit + 1 - rows.length },
      )
      rows.push(...found.filter(({ matches }) => matches === 1).map(toTrade))
      if (rows.length > limit) return undefined
      const last = found.at(-1)
      if (last === undefined || Number(last.scanned) < size) return found.length
      position = { ordinal: BigInt(last.ordinal), signature: last.signature }
      toScan -= size
      bound = toScan
    }
    return undefined
  })
  const page = (end: TradePosition | undefined): TradesFound => {
    const last = rows[limit - 1]
    const more = last === undefined ? end : { ordinal: last.ordinal, signature: last.signature }
    return rows.length > limit ? { rows: rows.slice(0, limit), end: more } : { rows, end }
  }

  if (isByTrader || mint !== undefined) return page((yield* scan(0n)) === undefined ? position : undefined)
  const [least] = yield* history.select<{ readonly ordinal: string }>("trades", LEAST, {})
  const floor = [BigInt(least?.ordinal ?? 0), range.first ?? 0n].reduce((a, b) => (a > b ? a : b))
  let top = range.beyond !== undefined && range.beyond < before.ordinal ? range.beyond : before.ordinal
  if (top < position.ordinal) position = { ordinal: top, signature: "" }
  for (let width = bounds.window; position.ordinal >= floor; width *= WIDER) {
    const bottom = top - (width << SLOT_BITS)
    const found = yield* scan(bottom > floor ? bottom : floor)
    if (found === undefined) return page(position)
    if (bottom <= floor) break
    top = bottom
    position = { ordinal: bottom, signature: "" }
  }
  return page(undefined)
})
