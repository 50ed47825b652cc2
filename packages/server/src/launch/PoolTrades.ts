import { priceInQuote } from "@launch-registry/chain/launch/CurveMath"
import type { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { ChainUnavailable, PoolNotFound } from "@launch-registry/domain/launch/LaunchErrors"
import type { PoolTrade, TradeSide } from "@launch-registry/domain/launch/PoolTrade"
import type { Address } from "@launch-registry/domain/solana/Address"
import { ORDINAL_MAX, SLOT_SHIFT } from "@launch-registry/solana/Ordinal"
import { isFolded } from "@launch-registry/migrations/FoldedCoverage"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bigintPart, cursorOf, signaturePart } from "@launch-registry/http/answers/Cursor"
import { PriceUnits } from "./PriceUnits.ts"

/** Position of a trade in the list: by ordinal, then by signature. */
interface TradePosition {
  readonly ordinal: bigint
  readonly signature: string
}

/** Which trades: `limit` of them after the one that an earlier page ended with. */
export interface TradeRange {
  readonly limit: number
  readonly cursor?: string
}

export interface TradePage {
  readonly trades: ReadonlyArray<PoolTrade>
  readonly nextCursor: string | null
}

interface ListedTrade extends TradePosition {
  readonly slot: bigint
  readonly blockTime: Date
  readonly trader: Address
  readonly side: TradeSide
  readonly baseAmount: string
  readonly quoteAmount: string
  readonly fee: string
  readonly nextSqrtPrice: string
  readonly isFinalized: boolean
}

/** Cursors of the trades of a mint. */
const tradesOf = cursorOf<TradePosition>({ ordinal: bigintPart(ORDINAL_MAX), signature: signaturePart })

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
      const shift = sql.literal(String(SLOT_SHIFT))

      // A slot counts as proven once everything that the proof covers is folded.
      const select = (baseMint: string, { limit }: TradeRange, after: TradePosition | undefined) => {
        const conditions = [sql`base_mint = ${baseMint}`]
        if (after !== undefined) conditions.push(sql`(ordinal, signature) < (${after.ordinal}, ${after.signature})`)
        return sql<ListedTrade>`
          select t.*, coalesce(c.to_slot >= t.slot and ${sql.literal(isFolded("c"))}, false) as is_finalized
          from (
            select ordinal, signature, ordinal >> ${shift} as slot, block_time, trader, side, base_amount, quote_amount,
              fee, next_sqrt_price
            from trades where ${sql.and(conditions)}
            order by ordinal desc, signature desc limit ${limit + 1}
          ) t
          left join lateral (
            select to_slot, log_offset from coverage where from_slot <= t.slot order by from_slot desc limit 1
          ) c on true
          order by t.ordinal desc, t.signature desc`
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
            signature: row.signature,
            slot: String(row.slot),
            time: row.blockTime.toISOString(),
            trader: row.trader,
            side: row.side,
            baseAmount: row.baseAmount,
            quoteAmount: row.quoteAmount,
            fee: row.fee,
            price: priceInQuote(BigInt(row.nextSqrtPrice), baseDecimals, quoteDecimals),
            finality: row.isFinalized ? "finalized" : "confirmed",
          })),
        }
      })

      return PoolTrades.of({ list })
    }),
  )
}
