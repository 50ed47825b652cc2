import { amountInUsd, priceInUsd } from "@launch-registry/chain/venues/Prices"
import { TRADE } from "@launch-registry/domain/launch/StoredCandle"
import type { TradeUsd } from "@launch-registry/domain/pools/PoolTrade"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { HasUsdPrices, quotePriceInCandle } from "./QuotePrices.ts"

/** What a trade was paid in, and when. */
interface PaidTrade {
  readonly quoteMint: string
  readonly blockTime: Date
}

/** What its values are computed from. */
interface ValuedTrade extends PaidTrade {
  /** After the trade. */
  readonly sqrtPrice: string
  /** In smallest units. */
  readonly quoteAmount: string
}

/** Null, or absent altogether, where they are not known. */
interface Decimals {
  readonly baseDecimals: number | null
  readonly quoteDecimals: number | null
}

/** The values of a trade in US dollars; null where the price of that time or decimals are not known. */
export type ValueTrade = (trade: ValuedTrade, decimals: Decimals | undefined) => TradeUsd

const placeOf = ({ blockTime, quoteMint }: PaidTrade) => `${quoteMint} ${blockTime.getTime()}`

/** What values these trades at the prices of their time, as candles of single trades are: one statement, none without a source of prices. */
export const tradesInUsd = Effect.gen(function* () {
  const sql = yield* SqlClient
  const hasUsdPrices = yield* HasUsdPrices

  return Effect.fn("TradesInUsd.read")(function* (trades: ReadonlyArray<PaidTrade>) {
    // A time that cannot be read has no price, and must not stop what follows.
    const dated = hasUsdPrices ? trades.filter(({ blockTime }) => !Number.isNaN(blockTime.getTime())) : []
    const asked = [...new Map(dated.map((trade) => [placeOf(trade), trade])).values()]
    const rows =
      asked.length === 0
        ? []
        : yield* sql<PaidTrade & { readonly usd: string }>`
            select c.quote_mint, c.bucket as block_time, q.usd
            from unnest(${asked.map(({ quoteMint }) => quoteMint)}::text[],
              ${asked.map(({ blockTime }) => blockTime)}::timestamptz[]) c (quote_mint, bucket)
            cross join lateral (${quotePriceInCandle(sql, sql.literal("c.quote_mint"), TRADE)}) q`
    const known = new Map(rows.map((row) => [placeOf(row), BigInt(row.usd)]))

    const value: ValueTrade = (
      trade,
      { baseDecimals, quoteDecimals } = { baseDecimals: null, quoteDecimals: null },
    ) => {
      const usd = known.get(placeOf(trade))
      if (usd === undefined || quoteDecimals === null) return { priceUsd: null, quoteAmountUsd: null }
      const squareUsd = BigInt(trade.sqrtPrice) ** 2n * usd
      return {
        priceUsd: baseDecimals === null ? null : priceInUsd(squareUsd, baseDecimals, quoteDecimals),
        quoteAmountUsd: amountInUsd(BigInt(trade.quoteAmount) * usd, quoteDecimals),
      }
    }
    return value
  })
})
