import { priceInQuote } from "@launch-registry/chain/venues/Prices"
import type { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { NotConfigured, Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { Trade, TradeFilter } from "@launch-registry/domain/launch/TradeList"
import { startInstant } from "@launch-registry/domain/time/Timestamp"
import { keysetPage, type ListedTable } from "@launch-registry/postgres/KeysetPage"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { History } from "../history/History.ts"
import { KEPT_FROM } from "../history/KeptTrades.ts"
import { ordinalAt, TRADE_DISORDER_MILLIS } from "../history/OrdinalsOfTimes.ts"
import { type KeptTrades, withOlderTrades } from "../history/WithOlderTrades.ts"
import { PriceUnits, type Units } from "./PriceUnits.ts"
import { type ListedTrade, TRADE_COLUMNS, type TradePosition, tradesOf, toTrade } from "./StoredTrade.ts"

/** Which trades: `limit` of them after the one that an earlier page ended with. */
export interface TradesRange {
  readonly limit: number
  readonly cursor?: string | undefined
}

export interface TradesPage {
  readonly trades: ReadonlyArray<Trade>
  readonly nextCursor: string | null
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

/** Trades of all pools as the indexer saw them. */
export class Trades extends Context.Service<
  Trades,
  {
    /** Newest first. */
    readonly list: (
      filter: TradeFilter,
      range: TradesRange,
    ) => Effect.Effect<TradesPage, InvalidRequest | NotConfigured | Unavailable>
  }
>()("@launch-registry/server/launch/Trades") {
  static readonly layer = Layer.effect(
    Trades,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const units = yield* PriceUnits
      const history = yield* History

      const list = Effect.fn("Trades.list")(function* (filter: TradeFilter, { cursor, limit }: TradesRange) {
        const cursors = tradesOf("trades of all pools", filter)
        const after = cursor === undefined ? undefined : yield* cursors.decode(cursor)
        const kept = yield* Effect.orDie(listedTrades(sql, filter, after, limit))
        const { end, rows } = yield* withOlderTrades(sql, history, kept, { filter, after, limit })
        const known = yield* units.findEach([...new Set(rows.map(({ baseMint }) => baseMint))])
        return {
          trades: rows.map((row) => toListed(row, known.get(row.baseMint))),
          nextCursor: end === undefined ? null : cursors.encode(end),
        }
      })

      return Trades.of({ list })
    }),
  )
}

/** Trades of a filter that PostgreSQL has, newest first; more may follow after `end`. */
export const listedTrades = Effect.fnUntraced(function* (
  sql: SqlClient,
  filter: TradeFilter,
  after: TradePosition | undefined,
  limit: number,
): Effect.fn.Return<KeptTrades<ListedTrade>, SqlError> {
  const { mint, side, trader, venue } = filter
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
  const found = yield* keysetPage<ListedTrade & { readonly keptFrom: bigint }>(sql, TRADES, COLUMNS, conditions, range)
  const rows = found.slice(0, limit)
  return { rows, end: found.length > limit ? rows.at(-1) : undefined, keptFrom: found[0]?.keptFrom }
})

const toListed = (row: ListedTrade, units: Units | undefined): Trade => ({
  ...toTrade(row),
  price: units === undefined ? null : priceInQuote(BigInt(row.nextSqrtPrice), units.baseDecimals, units.quoteDecimals),
  mint: row.baseMint,
  quoteMint: row.quoteMint,
  pool: row.pool,
})
