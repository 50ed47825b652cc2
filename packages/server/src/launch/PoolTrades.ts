import { priceInQuote } from "@launch-registry/chain/venues/Prices"
import type { NotFound } from "@launch-registry/domain/http/NotFound"
import type { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { NotConfigured, Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { PoolTrade } from "@launch-registry/domain/launch/PoolTrade"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Address } from "@launch-registry/domain/solana/Address"
import { History } from "../history/History.ts"
import { KEPT_FROM } from "../history/KeptTrades.ts"
import { withOlderTrades } from "../history/WithOlderTrades.ts"
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
    ) => Effect.Effect<TradePage, InvalidRequest | NotConfigured | NotFound | Unavailable>
  }
>()("@launch-registry/server/launch/PoolTrades") {
  static readonly layer = Layer.effect(
    PoolTrades,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const units = yield* PriceUnits
      const history = yield* History

      const select = (baseMint: string, { limit }: TradeRange, after: TradePosition | undefined) => {
        const conditions = [sql`t.base_mint = ${baseMint}`]
        if (after !== undefined) conditions.push(sql`(t.ordinal, t.signature) < (${after.ordinal}, ${after.signature})`)
        return sql<StoredTrade & { readonly keptFrom: bigint }>`
          select ${sql.literal(`${TRADE_COLUMNS}, ${KEPT_FROM}`)} from trades t where ${sql.and(conditions)}
          order by t.ordinal desc, t.signature desc limit ${limit + 1}`
      }

      const list = Effect.fn("PoolTrades.list")(function* (baseMint: string, range: TradeRange) {
        const cursors = tradesOf("trades", baseMint)
        const after = range.cursor === undefined ? undefined : yield* cursors.decode(range.cursor)
        const { limit } = range
        const found = yield* Effect.orDie(select(baseMint, range, after))
        const kept = {
          rows: found.slice(0, limit),
          end: found.length > limit ? found[limit - 1] : undefined,
          keptFrom: found[0]?.keptFrom,
        }
        const filter = { mint: baseMint as Address }
        const { end, rows } = yield* withOlderTrades<StoredTrade>(sql, history, kept, { filter, after, limit })
        if (rows.length === 0) {
          yield* units.requirePool(baseMint)
          return { trades: [], nextCursor: end === undefined ? null : cursors.encode(end) }
        }
        const { baseDecimals, quoteDecimals } = yield* units.find(baseMint)
        return {
          nextCursor: end === undefined ? null : cursors.encode(end),
          trades: rows.map((row): PoolTrade => ({
            ...toTrade(row),
            price: priceInQuote(BigInt(row.nextSqrtPrice), baseDecimals, quoteDecimals),
          })),
        }
      })

      return PoolTrades.of({ list })
    }),
  )
}
