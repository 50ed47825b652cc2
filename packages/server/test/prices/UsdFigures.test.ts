import { amountInUsd, marketCapInUsd, priceInUsd, USD_SCALE } from "@launch-registry/chain/venues/Prices"
import { CANDLE_LENGTHS } from "@launch-registry/domain/launch/StoredCandle"
import type { CandleInterval } from "@launch-registry/domain/launch/Candle"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomOf } from "../../../service/test/Random.ts"
import { sampleAddress, SOL } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import {
  type IndexedTrade,
  indexPool,
  indexTrades,
  learnCurve,
  ordinalOf,
  randomTrades,
  sampleTrade,
  startOf,
} from "../launch/IndexedTrades.ts"
import { create, dataAt } from "../tokens/TokenRequests.ts"

const [MINUTE, HOUR] = [60_000, 3_600_000]
const SUPPLY = 1_000_000_000_000_000n
const FIGURES = ["priceUsd", "marketCapUsd"] as const

const know = Effect.fnUntraced(function* (quoteMint: string, minute: number, usd: number) {
  const sql = yield* SqlClient
  yield* sql`insert into quote_prices ${sql.insert({ quoteMint, minute: new Date(minute), usd: String(usd), readAt: new Date(minute) })}`
})

/** Prices by minute, with gaps of up to some hours. */
const randomPrices = (random: (below: number) => number, from: number, to: number) => {
  const prices: Array<readonly [minute: number, usd: number]> = []
  let usd = 140
  for (let minute = Math.floor(from / MINUTE) * MINUTE; minute < to;) {
    prices.push([minute, usd])
    usd = Math.round(usd * (95 + random(11))) / 100
    minute += (random(20) === 0 ? 60 + random(240) : 1 + random(30)) * MINUTE
  }
  return prices
}

/** Candles by converting every trade at the price that its stored candle has; without those that have a trade without a price. */
const expectedOf = (
  trades: ReadonlyArray<IndexedTrade>,
  prices: ReadonlyArray<readonly [number, number]>,
  interval: CandleInterval,
  show: (squareUsd: bigint) => string,
  quoteDecimals: number,
) => {
  const { seconds, storedSeconds } = CANDLE_LENGTHS[interval]
  const usdOf = ({ blockTime }: IndexedTrade): bigint | undefined => {
    const start = Math.floor(blockTime.getTime() / (storedSeconds * 1000)) * storedSeconds * 1000
    const known = prices.findLast(([minute]) => minute < start + storedSeconds * 1000 && minute > start - 2 * HOUR)
    return known && BigInt(Math.round(known[1] * 1e4)) * (USD_SCALE / 10_000n)
  }
  const inOrder = trades.toSorted((a, b) => (a.ordinal < b.ordinal ? -1 : 1))
  const length = interval === "1w" ? "week" : interval === "1mo" ? "month" : seconds
  const groups = Map.groupBy(inOrder, ({ blockTime }) => startOf(blockTime, length))
  return [...groups]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([start, of]) => {
      const usd = of.map(usdOf)
      if (usd.includes(undefined)) return []
      const values = of.map(({ nextSqrtPrice }, at) => BigInt(nextSqrtPrice) ** 2n * usd[at]!)
      const sorted = values.toSorted((a, b) => (a < b ? -1 : 1))
      const volume = of.reduce((sum, { quoteAmount }, at) => sum + BigInt(quoteAmount) * usd[at]!, 0n)
      return [
        {
          time: new Date(start).toISOString(),
          ...{ open: show(values[0]!), high: show(sorted.at(-1)!), low: show(sorted[0]!), close: show(values.at(-1)!) },
          baseVolume: String(of.reduce((sum, { baseAmount }) => sum + BigInt(baseAmount), 0n)),
          quoteVolume: String(of.reduce((sum, { quoteAmount }) => sum + BigInt(quoteAmount), 0n)),
          trades: of.length,
          volumeUsd: amountInUsd(volume, quoteDecimals),
        },
      ]
    })
}

layer(TestServer.layer())("Without a source of prices", (it) => {
  it.effect("candles in US dollars are refused, and figures in them are null", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const baseMint = sampleAddress()
      yield* create({ mintAddress: baseMint })
      yield* indexPool(baseMint, { decimals: 6 })
      for (const figure of FIGURES) {
        const { body, headers, status } = yield* request(`/api/launch/pool/${baseMint}/candles?figure=${figure}`)
        assert.deepStrictEqual([status, body.code], [503, "not_configured"])
        assert.isNull(headers.get("retry-after"))
      }
      const { market } = yield* dataAt(`/api/tokens/mint/${baseMint}?include=market`)
      const none = { priceUsd: null, marketCapUsd: null, liquidityUsd: null, usdAsOf: null, usdStale: null }
      assert.deepInclude(market, none)
      const { status } = yield* request(`/api/launch/pool/${baseMint}/candles?figure=usd`)
      assert.strictEqual(status, 400)
    }),
  )
})

/** Is not asked: prices are in the table. */
const NO_SOURCE = { url: Redacted.make("http://127.0.0.1:9/") }

layer(TestServer.layer({ prices: NO_SOURCE }))("Figures in US dollars", (it) => {
  it.effect("of candles are those of their trades, each at the price of its time", () =>
    Effect.gen(function* () {
      for (const [seed, baseDecimals, quoteDecimals] of [
        [1, 6, 9],
        [2, 9, 6],
      ] as const) {
        const random = randomOf(seed)
        const [baseMint, config, quoteMint] = [sampleAddress(), sampleAddress(), sampleAddress()]
        yield* indexPool(baseMint, { config, quoteMint, decimals: baseDecimals })
        yield* learnCurve(config, { baseDecimals, quoteDecimals })
        const trades = randomTrades(random, 300, baseMint)
        yield* indexTrades(trades)
        const times = trades.map(({ blockTime }) => blockTime.getTime())
        const prices = randomPrices(random, Math.min(...times) + 3 * HOUR, Math.max(...times))
        for (const [minute, usd] of prices) yield* know(quoteMint, minute, usd)
        for (const interval of Object.keys(CANDLE_LENGTHS) as ReadonlyArray<CandleInterval>)
          for (const figure of FIGURES) {
            const show = (squareUsd: bigint) =>
              figure === "priceUsd"
                ? priceInUsd(squareUsd, baseDecimals, quoteDecimals)
                : marketCapInUsd(squareUsd, SUPPLY, quoteDecimals)
            const all = expectedOf(trades, prices, interval, show, quoteDecimals)
            // The first day has an hour without a price.
            if (CANDLE_LENGTHS[interval].seconds < 7 * 86_400) assert.isAbove(all.length, 0)
            const path = `/api/launch/pool/${baseMint}/candles?interval=${interval}&figure=${figure}`
            assert.deepStrictEqual(yield* dataAt(`${path}&limit=1000`), all, `${interval} ${figure}`)
          }
      }
    }),
  )

  it.effect("of a market are its price, market cap and liquidity at the last price of the quote token", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [baseMint, config] = [sampleAddress(), sampleAddress()]
      yield* create({ mintAddress: baseMint })
      yield* indexPool(baseMint, { config, decimals: 6 })
      yield* learnCurve(config)
      const path = `/api/tokens/mint/${baseMint}?include=market`
      const sqrtPrice = 600_000_000_000_000_000n
      yield* indexTrades([
        sampleTrade({ baseMint, nextSqrtPrice: String(sqrtPrice), quoteReserve: "42500000000", blockTime: new Date() }),
      ])
      const now = Math.floor(Date.now() / MINUTE) * MINUTE
      yield* know(SOL, now - 10 * MINUTE, 100)
      const stale = (yield* dataAt(path)).market
      assert.deepInclude(stale, { usdStale: true, usdAsOf: new Date(now - 10 * MINUTE).toISOString() })
      yield* know(SOL, now, 147.25)
      const usd = 14_725n * (USD_SCALE / 100n)
      const { market } = yield* dataAt(path)
      assert.deepInclude(market, {
        ...{ liquidity: "42.5", usdStale: false, usdAsOf: new Date(now).toISOString() },
        priceUsd: priceInUsd(sqrtPrice ** 2n * usd, 6, 9),
        marketCapUsd: marketCapInUsd(sqrtPrice ** 2n * usd, SUPPLY, 9),
        liquidityUsd: "6258.125",
      })
      assert.approximately(Number(market.priceUsd) / Number(market.price), 147.25, 1e-6)
      assert.approximately(Number(market.marketCapUsd) / Number(market.marketCap), 147.25, 1e-6)
      yield* sql`
          insert into trades ${sql.insert({
            ...sampleTrade({
              baseMint,
              nextSqrtPrice: String(sqrtPrice),
              quoteReserve: "50000000000",
              blockTime: new Date(),
            }),
            ...{ venue: "damm_v2", ordinal: ordinalOf(9n) },
          })}`
      assert.deepInclude((yield* dataAt(path)).market, { liquidity: "100", liquidityUsd: "14725" })
      // A day old: nobody should take it for a price.
      yield* sql`update quote_prices set minute = minute - interval '25 hours', read_at = read_at - interval '25 hours' where quote_mint = ${SOL}`
      assert.deepInclude((yield* dataAt(path)).market, {
        liquidity: "100",
        priceUsd: null,
        usdAsOf: null,
        usdStale: null,
      })
    }),
  )

  it.effect.prop(
    "are what multiplying says, for any price",
    {
      sqrtPrice: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 2n ** 96n })),
      usd: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
    },
    ({ sqrtPrice, usd }) =>
      Effect.sync(() => {
        const scaled = (BigInt(usd) * USD_SCALE) / 1_000n
        const inUsd = Number(priceInUsd(sqrtPrice ** 2n * scaled, 9, 6))
        const expected = (Number(sqrtPrice) / 2 ** 64) ** 2 * 1_000 * (usd / 1_000)
        assert.approximately(inUsd, expected, Math.max(expected * 1e-9, 2e-18))
      }),
  )
})
