import { priceInQuote } from "@launch-registry/chain/launch/CurveMath"
import type { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { ChainUnavailable, PoolNotFound } from "@launch-registry/domain/launch/LaunchErrors"
import type { PoolTrade } from "@launch-registry/domain/launch/PoolTrade"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { PriceUnits } from "./PriceUnits.ts"
import { TRADE_COLUMNS, type TradePosition, type StoredTrade, tradesOf, toTrade } from "./StoredTrade.ts"

/** Which trades: `limit` of them after the one that an earlier page ended with. */
export interface TradeRange {
  readonly limit: number
  readonly cursor?: string
}

export interface TradePage {
  readonly trades: ReadonlyArray<PoolTrade>
  readonly nextCursor: string | null
}

/** Trades of a pool as the indexer saw them. */
export class PoolTrades extends Context.Service<
  PoolTrades,
  {
    /** Newest first. */
    readonly list: (
      baseMint: string,
      range: TradeRange,
    ) => Effect.Effect<TradePage, InvalidRequest | PoolNotFound | ChainUnavailable>
  }
>()("@launch-registry/server/launch/PoolTrades") {
  static readonly layer = Layer.effect(
    PoolTrades,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const units = yield* PriceUnits

      const select = (baseMint: string, { limit }: TradeRange, after: TradePosition | undefined) => {
        const conditions = [sql`t.base_mint = ${baseMint}`]
        if (after !== undefined) conditions.push(sql`(t.ordinal, t.signature) < (${after.ordinal}, ${after.signature})`)
        return sql<StoredTrade>`
          select ${sql.literal(TRADE_COLUMNS)} from trades t where ${sql.and(conditions)}
          order by t.ordinal desc, t.signature desc limit ${limit + 1}`
      }

      const list = Effect.fn("PoolTrades.list")(function* (baseMint: string, range: TradeRange) {
        const cursors = tradesOf("trades", baseMint)
        const after = range.cursor === undefined ? undefined : yield* cursors.decode(range.cursor)
        const rows = yield* Effect.orDie(select(baseMint, range, after))
        if (rows.length === 0) {
          yield* units.requirePool(baseMint)
          return { trades: [], nextCursor: null }
        }
        const { baseDecimals, quoteDecimals } = yield* units.find(baseMint)
        const page = rows.slice(0, range.limit)
        return {
          nextCursor: rows.length > range.limit ? cursors.encode(page.at(-1)!) : null,
          trades: page.map((row): PoolTrade => ({
            ...toTrade(row),
            price: priceInQuote(BigInt(row.nextSqrtPrice), baseDecimals, quoteDecimals),
          })),
        }
      })

      return PoolTrades.of({ list })
    }),
  )
}
