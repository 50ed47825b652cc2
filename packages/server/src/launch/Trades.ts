import { priceInQuote } from "@launch-registry/chain/venues/Prices"
import type { PoolTrade } from "@launch-registry/domain/pools/PoolTrade"
import type { Trade, TradeFilter } from "@launch-registry/domain/launch/TradeList"
import type { Address } from "@launch-registry/domain/solana/Address"
import { keysetRows, type ListedTable, planned } from "@launch-registry/postgres/KeysetPage"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { History } from "../history/History.ts"
import { KEPT_FROM } from "../history/KeptTrades.ts"
import { withinTimes } from "../history/OrdinalsOfTimes.ts"
import { type KeptTrades, withOlderTrades } from "../history/WithOlderTrades.ts"
import { priceUnits, type Units } from "../markets/PriceUnits.ts"
import { tradesInUsd, type ValueTrade } from "../prices/TradesInUsd.ts"
import { type ListedTrade, TRADE_COLUMNS, type TradePosition, tradesOf, toTrade } from "../history/StoredTrade.ts"

/** Which trades: `limit` of them after the one that an earlier page ended with. */
export interface TradesRange {
  readonly limit: number
  readonly cursor?: string | undefined
}

const COLUMNS = `${TRADE_COLUMNS}, t.base_mint, t.quote_mint, t.pool, ${KEPT_FROM}`

const TRADES: ListedTable = { from: "trades t", keys: ["t.ordinal", "t.signature"] }

/** Trades as the indexer saw them, newest first. */
export const tradeLists = Effect.gen(function* () {
  const sql = yield* SqlClient
  const history = yield* History
  const units = yield* priceUnits
  const inUsd = yield* tradesInUsd

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
    const value = yield* Effect.orDie(inUsd(rows))
    const trades = rows.map((row): Trade => ({
      ...toTrade(row),
      ...pricesOf(row, known.get(row.baseMint), value),
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
    const value = yield* Effect.orDie(inUsd(rows))
    const trades = rows.map((row): PoolTrade => {
      const { price, ...usd } = pricesOf(row, known, value)
      return { ...toTrade(row), ...usd, price: price! }
    })
    return { trades, nextCursor }
  })

  return { list, ofPool }
})

const pricesOf = (row: ListedTrade, units: Units | undefined, value: ValueTrade) => {
  const { nextSqrtPrice: sqrtPrice } = row
  return {
    price: units === undefined ? null : priceInQuote(BigInt(sqrtPrice), units.baseDecimals, units.quoteDecimals),
    ...value({ ...row, sqrtPrice }, units),
  }
}

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
