import { priceInQuote } from "@launch-registry/chain/venues/Prices"
import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import type { CandleInterval } from "@launch-registry/domain/launch/Candle"
import { slotOf } from "@launch-registry/domain/solana/Ordinal"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomOf } from "../../../service/test/Random.ts"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import {
  candlesOf,
  type IndexedTrade,
  indexPool,
  indexTrades,
  learnCurve,
  ordinalOf,
  randomTrades,
  sampleTrade,
  startOf,
} from "./IndexedTrades.ts"

const INTERVALS: Readonly<Record<CandleInterval, Parameters<typeof startOf>[1]>> = {
  ...{ "1s": 1, "5s": 5, "15s": 15, "30s": 30, "1m": 60, "3m": 180, "5m": 300, "15m": 900, "30m": 1_800 },
  ...{
    "1h": 3_600,
    "2h": 7_200,
    "4h": 14_400,
    "8h": 28_800,
    "12h": 43_200,
    "1d": 86_400,
    "1w": "week",
    "1mo": "month",
  },
}

/** The expected candles, computed directly from the trades. */
const expectedOf = (trades: ReadonlyArray<IndexedTrade>, length: Parameters<typeof startOf>[1], decimals = 6) => {
  const price = (sqrtPrice: string | bigint) => priceInQuote(BigInt(sqrtPrice), decimals, 9)
  return candlesOf(trades, length).map(({ baseVolume, first, high, last, low, quoteVolume, start, trades }) => ({
    time: start.toISOString(),
    open: price(first.nextSqrtPrice),
    high: price(high),
    low: price(low),
    close: price(last.nextSqrtPrice),
    baseVolume: String(baseVolume),
    quoteVolume: String(quoteVolume),
    trades,
  }))
}

const candles = Effect.fnUntraced(function* (mint: string, query = "") {
  const { request } = yield* TestServer
  const { body, status } = yield* request(`/api/launch/pool/${mint}/candles${query}`)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.data as ReadonlyArray<ReturnType<typeof expectedOf>[number]>
})

const rpcCalls = Effect.flatMap(TestServer, ({ request }) =>
  Effect.map(request("/api/system/rpc"), ({ body }) => body.data.endpoints[0].calls as number),
)

layer(TestServer.layer())("Candles", (it) => {
  it.effect("of every interval agree with the trades, for any range", () =>
    Effect.gen(function* () {
      for (const seed of [1, 2, 3]) {
        const random = randomOf(seed)
        const baseMint = sampleAddress()
        yield* indexPool(baseMint, { decimals: 6 })
        // Over days, or over months.
        const ofDays = randomTrades(random, 400, baseMint)
        const overMonths = ofDays.map((trade) => {
          const ordinal = trade.ordinal + ordinalOf(1_000_000n)
          const days = Number(slotOf(trade.ordinal) - 300_000_000n) / 3_600
          return {
            ...trade,
            ordinal,
            blockTime: new Date(Date.parse("2026-11-25") + Math.floor(days * 86_400) * 1_000),
          }
        })
        const trades = seed === 3 ? overMonths : ofDays
        yield* indexTrades(trades)
        const times = trades.map(({ blockTime }) => blockTime.getTime())
        const [first, last] = [Math.min(...times), Math.max(...times)]
        for (const [interval, length] of Object.entries(INTERVALS)) {
          const all = expectedOf(trades, length)
          assert.deepStrictEqual(yield* candles(baseMint, `?interval=${interval}&limit=1000`), all, interval)
          for (let times = 0; times < 12; times++) {
            const limit = 1 + random(all.length)
            const from = new Date(first + random(last - first))
            const to = new Date(first + random(last - first))
            const hasFrom = random(2) === 0
            const query = `?interval=${interval}&limit=${limit}&to=${to.toISOString()}`
            const before = all.filter(
              ({ time }) => Date.parse(time) < to.getTime() && (!hasFrom || Date.parse(time) >= startOf(from, length)),
            )
            const got = yield* candles(baseMint, hasFrom ? `${query}&from=${from.toISOString()}` : query)
            assert.deepStrictEqual(got, before.slice(-limit), `${query} ${hasFrom ? from.toISOString() : ""}`)
          }
        }
      }
    }),
  )

  it.effect("are paged backwards by the time of the oldest one; without parameters, the newest 300 of a minute", () =>
    Effect.gen(function* () {
      const baseMint = sampleAddress()
      yield* indexPool(baseMint, { decimals: 9 })
      const trades = randomTrades(randomOf(4), 1_600, baseMint)
      yield* indexTrades(trades)
      const all = expectedOf(trades, 60, 9)
      assert.isAbove(all.length, 300)
      assert.deepStrictEqual(yield* candles(baseMint), all.slice(-300))
      const paged: Array<(typeof all)[number]> = []
      for (let to = ""; ;) {
        const page = yield* candles(baseMint, `?limit=70${to}`)
        if (page.length === 0) break
        paged.unshift(...page)
        to = `&to=${page[0]!.time}`
      }
      assert.deepStrictEqual(paged, all)
    }),
  )

  it.effect("of seconds are whole, and paged on, where a token is traded more often than is read for a page", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { baseMint, pool, quoteMint, trader } = sampleTrade()
      yield* indexPool(baseMint, { decimals: 6 })
      const [seconds, ofSecond] = [250, 100]
      // Some are told a second or two late.
      yield* sql`
        insert into trades (ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
          next_sqrt_price, block_time)
        select (400000000 + n)::bigint << 32, 's' || n, ${pool}, ${baseMint}, ${quoteMint}, ${trader}, 'BUY', 1, 1, 0,
          98362933813224380 + n, timestamptz '2026-12-20 00:00Z' + make_interval(secs => n / ${ofSecond}::integer
            - case when n % 7 = 0 then 2 else 0 end)
        from generate_series(0, ${seconds * ofSecond - 1}::integer) n`
      const expected = yield* sql<{ readonly at: Date; readonly trades: number }>`
        select block_time as at, count(*)::integer as trades from trades where base_mint = ${baseMint} group by at order by at`
      const paged: Array<{ readonly time: string; readonly trades: number }> = []
      const pages: Array<number> = []
      for (let to = ""; ;) {
        const page = yield* candles(baseMint, `?interval=1s&limit=1000${to}`)
        if (page.length === 0) break
        pages.push(page.length)
        paged.unshift(...page)
        to = `&to=${page[0]!.time}`
      }
      const rows = expected.map(({ at, trades }) => ({ time: at.toISOString(), trades }))
      assert.deepStrictEqual(
        paged.map(({ time, trades }) => ({ time, trades })),
        rows,
      )
      assert.isAbove(pages.length, 1)
      const newest = yield* candles(baseMint, "?interval=1s&limit=1")
      assert.deepStrictEqual([newest[0]!.time, newest[0]!.trades], [rows.at(-1)!.time, rows.at(-1)!.trades])
    }),
  )

  it.effect("use the decimals of the pool, then of its configuration, then of the mint, read once from the chain", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { request } = yield* TestServer
      const config = sampleAddress()
      yield* sql`
        insert into dbc_configs (config, quote_mint, fee_claimer, leftover_receiver, token_decimal, created_slot)
        values (${config}, '', '', '', 8, 0)`
      const cases = [
        [sampleAddress(), { decimals: 7, config }, 7],
        [sampleAddress(), { config }, 8],
        [SEEDED_MINTS.spl, undefined, 6],
      ] as const
      for (const [baseMint, pool, decimals] of cases) {
        if (pool !== undefined) yield* indexPool(baseMint, pool)
        const trade = sampleTrade({ baseMint })
        yield* indexTrades([trade])
        const before = yield* rpcCalls
        const [candle] = yield* candles(baseMint)
        assert.strictEqual(candle!.close, priceInQuote(BigInt(trade.nextSqrtPrice), decimals, 9))
        if (pool !== undefined) assert.strictEqual(yield* rpcCalls, before)
      }
      const { body } = yield* request(`/api/launch/pool/state/${SEEDED_MINTS.spl}`)
      const known = yield* rpcCalls
      // The sample trade left the pool at its captured price.
      assert.strictEqual((yield* candles(SEEDED_MINTS.spl))[0]!.close, body.data.price)
      assert.strictEqual(yield* rpcCalls, known)
    }),
  )

  it.effect("and trades in another token than SOL ask the chain nothing once the configuration is learnt", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const [config, quoteMint, trade] = [sampleAddress(), sampleAddress(), sampleTrade()]
      const { baseMint } = trade
      yield* learnCurve(config, { baseDecimals: 4, quoteDecimals: 6 })
      yield* indexPool(baseMint, { config, quoteMint })
      yield* indexTrades([trade])
      const before = yield* rpcCalls
      const price = priceInQuote(BigInt(trade.nextSqrtPrice), 4, 6)
      assert.strictEqual((yield* candles(baseMint))[0]!.close, price)
      for (const path of [`/api/launch/pool/${baseMint}/trades`, `/api/launch/trades?mintAddress=${baseMint}`])
        assert.strictEqual((yield* request(path)).body.data[0].price, price)
      assert.strictEqual(yield* rpcCalls, before)
    }),
  )
})
