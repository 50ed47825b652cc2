import { priceInQuote } from "@launch-registry/chain/venues/Prices"
import type { PoolTrade } from "@launch-registry/domain/pools/PoolTrade"
import type { Trade, TradeFilter } from "@launch-registry/domain/launch/TradeList"
import type { Address } from "@launch-registry/domain/solana/Address"
import { startInstant } from "@launch-registry/domain/time/Timestamp"
import { keysetRows, type ListedTable, planned } from "@launch-registry/postgres/KeysetPage"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { History } from "../history/History.ts"
import { KEPT_FROM } from "../history/KeptTrades.ts"
import { ordinalAt, TRADE_DISORDER_MILLIS } from "../history/OrdinalsOfTimes.ts"
import { type KeptTrades, withOlderTrades } from "../history/WithOlderTrades.ts"
import { priceUnits, type Units } from "../markets/PriceUnits.ts"
import { type ListedTrade, TRADE_COLUMNS, type TradePosition, tradesOf, toTrade } from "../history/StoredTrade.ts"

/** Which trades: `limit` of them after the one that an earlier page ended with. */
export interface TradesRange {
  readonly limit: number
  readonly cursor?: string | undefined
}

const COLUMNS = `${TRADE_COLUMNS}, t.base_mint, t.quote_mint, t.pool, ${KEPT_FROM}`

const TRADES: ListedTable = { from: "trades t", keys: ["t.ordinal", "t.signature"] }

/**
 * Conditions of a time range: on the ordinals, and on the trades at its ends. The planner must not see these, or it would use the
 * index of times, or expect hardly any row.
 */
export const withinTimes = Effect.fnUntraced(function* (sql: SqlClient, { from, to }: TradeFilter) {
  const within: Array<Fragment> = []
  if (from !== undefined) {
    const time = startInstant(from)
    const first = yield* ordinalAt(sql, "trades", new Date(time.getTime() - TRADE_DISORDER_MILLIS))
    if (first !== undefined) within.push(sql`t.ordinal >= ${first}`)
    within.push(sql`coalesce(t.block_time >= ${time}, false)`)
  }
  if (to !== undefined) {
    const time = startInstant(to)
    const beyond = yield* ordinalAt(sql, "trades", new Date(time.getTime() + TRADE_DISORDER_MILLIS))
    if (beyond !== undefined) within.push(sql`t.ordinal < ${beyond}`)
    within.push(sql`coalesce(t.block_time < ${time}, false)`)
  }
  return within
})

/** Trades as the indexer saw them, newest first. */
export const tradeLists = Effect.gen(function* () {
  const sql = yield* SqlClient
  const history = yield* History
  const units = yield* priceUnits

  const page = Effect.fnUntraced(function* (
    cursors: ReturnType<typeof tradesOf>,
    filter: TradeFilter,
    { cursor, limit }: TradesRange,
  ) {
    const after = cursor === undefined ? undefined : yield* cursors.decode(cursor)
    const kept = yield* Effect.orDie(listedTrades(sql, filter, after, limit))
    const { end, rows } = yield* withOlderTrades(sql, history, kept, { filter, after, limit })
    return { rows, nextCursor: end === undefined ? null : cursors.encode(end) }
  })

  /** Of all pools; the price is null where the decimals are not known. */
  const list = Effect.fn("Trades.list")(function* (filter: TradeFilter, range: TradesRange) {
    const { nextCursor, rows } = yield* page(tradesOf("trades of all pools", filter), filter, range)
    const known = yield* units.findEach([...new Set(rows.map(({ baseMint }) => baseMint))])
    const trades = rows.map((row): Trade => ({
      ...toTrade(row),
      price: priceOf(row, known.get(row.baseMint)),
      mintAddress: row.baseMint,
      quoteMint: row.quoteMint,
      pool: row.pool,
    }))
    return { trades, nextCursor }
  })

  /** Of one pool. Fails for a mint that has neither a pool nor a trade. */
  const ofPool = Effect.fn("Trades.ofPool")(function* (mint: Address, range: TradesRange) {
    const { nextCursor, rows } = yield* page(tradesOf("trades", mint), { mintAddress: mint }, range)
    if (rows.length === 0) yield* units.requirePool(mint)
    const known = rows.length === 0 ? undefined : yield* units.find(mint)
    return { trades: rows.map((row): PoolTrade => ({ ...toTrade(row), price: priceOf(row, known)! })), nextCursor }
  })

  return { list, ofPool }
})

const priceOf = ({ nextSqrtPrice }: ListedTrade, units: Units | undefined) =>
  units === undefined ? null : priceInQuote(BigInt(nextSqrtPrice), units.baseDecimals, units.quoteDecimals)

/** Trades of a filter that PostgreSQL has, newest first; more may follow after `end`. */
export const listedTrades = Effect.fnUntraced(function* (
  sql: SqlClient,
  filter: TradeFilter,
  after: TradePosition | undefined,
  limit: number,
): Effect.fn.Return<KeptTrades, SqlError> {
  const { mintAddress: mint, side, trader, venue } = filter
  const conditions = [
    // The index of traders is by a hash.
    ...(trader === undefined ? [] : [sql`hashtextextended(t.trader, 0) = hashtextextended(${trader}::text, 0)`]),
    ...(trader === undefined ? [] : [sql`t.trader = ${trader}`]),
    ...(mint === undefined ? [] : [sql`t.base_mint = ${mint}`]),
    ...(side === undefined ? [] : [sql`t.side = ${side}`]),
    ...(venue === undefined ? [] : [sql`t.venue = ${venue}`]),
    ...(yield* withinTimes(sql, filter)),
  ]
  const range = { limit: limit + 1, offset: 0, after: after && ([after.ordinal, after.signature] as const) }
  const statement = keysetRows<ListedTrade & { readonly keptFrom: bigint }>(sql, TRADES, COLUMNS, conditions, range)
  // Of a mint alone one plan is as good as any.
  const isOfMint = mint !== undefined && conditions.length === 1
  const found = yield* isOfMint ? statement : planned(statement)
  const rows = found.slice(0, limit)
  return { rows, end: found.length > limit ? rows.at(-1) : undefined, keptFrom: found[0]?.keptFrom }
})
