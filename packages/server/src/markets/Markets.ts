import { percentChange } from "@launch-registry/chain/venues/Prices"
import { NATIVE_DECIMALS } from "@launch-registry/chain/pools/Pools"
import { NATIVE_MINT } from "@launch-registry/chain/accounts/Programs"
import type { CurveStage, Market } from "@launch-registry/domain/pools/Market"
import { HOUR, MINUTE } from "@launch-registry/domain/launch/StoredCandle"
import { isWebUri, LoopbackLinks } from "@launch-registry/domain/text/WebUri"
import { type PopularInterval, WINDOW_LENGTHS } from "@launch-registry/domain/tokens/TradingWindow"
import { DocumentImages } from "@launch-registry/domain/ipfs/DocumentImages"
import type { Venue } from "@launch-registry/domain/pools/Venue"
import type { Address } from "@launch-registry/domain/solana/Address"
import { timestampOf } from "@launch-registry/domain/time/Timestamp"
import { SLOT_SHIFT } from "@launch-registry/domain/solana/Ordinal"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { marketValues } from "../prices/MarketValues.ts"
import { lastQuotePrice, type QuotePrice } from "../prices/QuotePrices.ts"
import { LearnCurves } from "./LearnCurves.ts"
import { STAGE } from "./PoolStage.ts"
import { bigintOf, tradeFigures } from "./TokenFacts.ts"

/** Of the windows that are counted, those that figures are of. */
const SPANS = ["5m", "1h", "6h", "24h"] as const satisfies ReadonlyArray<PopularInterval>
type Span = (typeof SPANS)[number]

interface SpanRow {
  /** After the last trade before the span; null where there is none. */
  readonly sqrtPriceBefore: string | null
  /** All null where nothing was counted. */
  readonly trades: number | null
  readonly quoteVolume: string | null
  readonly buyVolume: string | null
}

interface MarketRow extends QuotePrice {
  readonly baseMint: string
  readonly pool: Address
  readonly config: string
  readonly quoteMint: Address
  readonly graduatedPool: Address | null
  readonly stage: CurveStage
  readonly decimals: number | null
  /** Of the configuration; all null until it has been read from the chain. */
  readonly baseDecimals: number | null
  readonly quoteDecimals: number | null
  readonly supply: string | null
  readonly migrationQuoteThreshold: string | null
  readonly startSqrtPrice: string | null
  /** Of the last trade. */
  readonly sqrtPrice: string | null
  readonly venue: Venue | null
  /** Of the curve, after its last trade. */
  readonly quoteReserve: string | null
  /** Of the venue, after the last trade there. */
  readonly venueReserve: string | null
  readonly tradedAt: Date | null
  readonly spans: Readonly<Record<Span, SpanRow>>
  /** Of the metadata document. */
  readonly uri: string
  readonly imageUri: string | null
  /** All null where they were never counted. */
  readonly holders: number | null
  readonly isWhole: boolean | null
  readonly countedAt: Date | null
  readonly top10Share: number | null
}

const SPAN_VALUES = SPANS.map((span) => `('${span}', interval '${WINDOW_LENGTHS[span]}')`).join(", ")

/**
 * The figures of these mints. Of a token that was silent for long the minutes may have left PostgreSQL: whole hours before the span have the same
 * last price. An image counts only if the creator of the pool sent it: anyone can have anything built for a mint
 * that is known.
 */
export const marketRows = (sql: SqlClient, mints: ReadonlyArray<string>) => sql<MarketRow>`
  select m.mint as base_mint, p.pool, p.config, p.quote_mint, p.uri, p.migrated_pool as graduated_pool,
    ${sql.literal(STAGE)} as stage,
    coalesce(p.decimals, c.token_decimal) as decimals, k.base_decimals, k.quote_decimals, k.supply,
    k.migration_quote_threshold, k.start_sqrt_price, last.next_sqrt_price as sqrt_price, last.venue,
    coalesce(raised.quote_reserve, case when last.venue = 'dbc' then last.quote_reserve end) as quote_reserve,
    last.quote_reserve as venue_reserve, u.quote_usd, u.usd_as_of, u.usd_stale, last.block_time as traded_at, within.spans,
    h.holders, h.is_whole, h.counted_at, h.top10_share as "top10Share",
    (select nullif(b.metadata ->> 'imageUri', '') from launch_deployments b
      where b.base_mint = p.base_mint and b.signer = p.creator and b.uri = p.uri and b.config_address = p.config
        and b.name = p.name and b.symbol = p.symbol) as image_uri
  from unnest(${mints}::text[]) m (mint)
  cross join lateral (
    select * from dbc_pools where base_mint = m.mint order by created_slot, pool limit 1
  ) p
  left join dbc_configs c on c.config = p.config
  left join launch_configs k on k.config_address = p.config
  left join lateral (
    select next_sqrt_price, quote_reserve, block_time, venue from trades where base_mint = m.mint
    order by ordinal desc, signature desc limit 1
  ) last on true
  left join lateral (
    select (facts ->> 'quoteReserve')::numeric as quote_reserve from dbc_events
    where last.venue <> 'dbc' and pool = p.pool and type = 'CurveComplete'
      and ordinal >= p.completed_slot << ${sql.literal(String(SLOT_SHIFT))} and ordinal < (p.completed_slot + 1) << ${sql.literal(String(SLOT_SHIFT))}
    order by ordinal limit 1
  ) raised on true
  cross join lateral (
    select jsonb_object_agg(s.span, jsonb_build_object('sqrtPriceBefore', coalesce(earlier.close, silent.close)::text,
      'trades', w.trades, 'quoteVolume', w.quote_volume::text, 'buyVolume', w.buy_volume::text)) as spans
    from (values ${sql.literal(SPAN_VALUES)}) s (span, length)
    left join lateral (
      select close from candles where base_mint = m.mint and seconds = ${sql.literal(String(MINUTE))}
        and bucket < date_trunc('minute', now() - s.length)
        and bucket >= coalesce((select minutes_from from indexer_progress), '-infinity')
      order by bucket desc limit 1
    ) earlier on true
    left join lateral (
      select close from candles where earlier.close is null and base_mint = m.mint and seconds = ${HOUR}::integer
        and bucket < date_trunc('hour', now() - s.length)
      order by bucket desc limit 1
    ) silent on true
    left join lateral (
      select trades, quote_volume, buy_volume from trading_windows where span = s.span and base_mint = m.mint limit 1
    ) w on true
  ) within
  left join lateral (${lastQuotePrice(sql)}) u on true
  left join lateral (
    select holders, is_whole, counted_at, top10_share from holder_counts where mint_address = m.mint limit 1
  ) h on true`

/** Figures of tokens on their curves and on the AMM pools that these migrated to, from the index alone, and their holders as last counted. */
export class Markets extends Context.Service<
  Markets,
  {
    /** Of these mints, by mint, in one statement; those without an indexed pool are absent. */
    readonly find: (mints: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, Market>>
  }
>()("@launch-registry/server/markets/Markets") {
  static readonly layer = Layer.effect(
    Markets,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const curves = yield* LearnCurves
      const documents = yield* DocumentImages

      const find = Effect.fn("Markets.find")(function* (mints: ReadonlyArray<string>) {
        if (mints.length === 0) return new Map<string, Market>()
        const rows = yield* Effect.orDie(marketRows(sql, mints))
        yield* curves.learn(rows.flatMap(({ config, supply }) => (supply === null ? [config] : [])))
        const takesLoopback = yield* LoopbackLinks
        const images = yield* documents.find(rows.flatMap(({ imageUri, uri }) => (imageUri === null ? [uri] : [])))
        return new Map(
          rows.map((row) => [
            row.baseMint,
            toMarket({ ...row, imageUri: row.imageUri ?? images.get(row.uri) ?? null }, takesLoopback),
          ]),
        )
      })

      return Markets.of({ find })
    }),
  )
}

/** Against the start of the curve where the launch is younger than the span. */
const changeOf = ({ sqrtPrice, startSqrtPrice, spans }: MarketRow, span: Span) => {
  const before = spans[span].sqrtPriceBefore ?? startSqrtPrice
  const now = sqrtPrice ?? startSqrtPrice
  return before === null || now === null ? null : percentChange(BigInt(before), BigInt(now))
}

const boughtOf = ({ spans }: MarketRow, span: Span) => spans[span].buyVolume ?? "0"
const soldOf = ({ spans }: MarketRow, span: Span) =>
  String(BigInt(spans[span].quoteVolume ?? "0") - BigInt(spans[span].buyVolume ?? "0"))

const spanFigures = (row: MarketRow) => ({
  priceChange5m: changeOf(row, "5m"),
  priceChange1h: changeOf(row, "1h"),
  priceChange6h: changeOf(row, "6h"),
  priceChange24h: changeOf(row, "24h"),
  buyVolume5m: boughtOf(row, "5m"),
  buyVolume1h: boughtOf(row, "1h"),
  buyVolume6h: boughtOf(row, "6h"),
  buyVolume24h: boughtOf(row, "24h"),
  sellVolume5m: soldOf(row, "5m"),
  sellVolume1h: soldOf(row, "1h"),
  sellVolume6h: soldOf(row, "6h"),
  sellVolume24h: soldOf(row, "24h"),
})

const toMarket = (row: MarketRow, takesLoopback: boolean): Market => {
  const baseDecimals = row.baseDecimals ?? row.decimals
  const quoteDecimals = row.quoteDecimals ?? (row.quoteMint === (NATIVE_MINT as string) ? NATIVE_DECIMALS : null)
  const sqrtPrice = row.sqrtPrice ?? row.startSqrtPrice
  const quoteReserve = row.tradedAt === null ? "0" : row.quoteReserve
  const { imageUri, migrationQuoteThreshold, supply } = row
  return {
    pool: row.pool,
    quoteMint: row.quoteMint,
    quoteDecimals,
    stage: row.stage,
    ...tradeFigures(
      {
        baseDecimals,
        quoteDecimals,
        supply: bigintOf(supply),
        migrationQuoteThreshold: bigintOf(migrationQuoteThreshold),
      },
      { venue: row.venue, sqrtPrice: bigintOf(sqrtPrice), quoteReserve: bigintOf(quoteReserve) },
    ),
    ...marketValues({ ...row, baseDecimals, quoteDecimals, sqrtPrice, quoteReserve }),
    ...spanFigures(row),
    quoteVolume24h: row.spans["24h"].quoteVolume ?? "0",
    trades24h: row.spans["24h"].trades ?? 0,
    quoteReserve,
    migrationQuoteThreshold,
    lastTradeAt: row.tradedAt && timestampOf(row.tradedAt),
    graduatedPool: row.graduatedPool,
    holders:
      row.countedAt === null
        ? null
        : {
            count: row.holders!,
            isWhole: row.isWhole!,
            top10Share: row.top10Share,
            countedAt: timestampOf(row.countedAt),
          },
    imageUri: imageUri !== null && isWebUri(imageUri, takesLoopback) ? imageUri : null,
  }
}
