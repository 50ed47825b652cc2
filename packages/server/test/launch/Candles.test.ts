import { priceInQuote } from "@launch-registry/chain/venues/Prices"
import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
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
  randomTrades,
  sampleTrade,
} from "./IndexedTrades.ts"

const INTERVALS = { "1m": 60, "5m": 300, "15m": 900, "1h": 3600, "4h": 14_400, "1d": 86_400 } as const

/** The expected candles, computed directly from the trades. */
const expectedOf = (trades: ReadonlyArray<IndexedTrade>, seconds: number, decimals = 6) => {
  const price = (sqrtPrice: string | bigint) => priceInQuote(BigInt(sqrtPrice), decimals, 9)
  return candlesOf(trades, seconds).map(({ baseVolume, first, high, last, low, quoteVolume, start, trades }) => ({
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
        const trades = randomTrades(random, 400, baseMint)
        yield* indexTrades(trades)
        const times = trades.map(({ blockTime }) => blockTime.getTime())
        const [first, last] = [Math.min(...times), Math.max(...times)]
        for (const [interval, seconds] of Object.entries(INTERVALS)) {
          const all = expectedOf(trades, seconds)
          assert.deepStrictEqual(yield* candles(baseMint, `?interval=${interval}&limit=1000`), all, interval)
          for (let times = 0; times < 12; times++) {
            const limit = 1 + random(all.length)
            const from = new Date(first + random(last - first))
            const to = new Date(first + random(last - first))
            const hasFrom = random(2) === 0
            const query = `?interval=${interval}&limit=${limit}&to=${to.toISOString()}`
            const before = all.filter(
              ({ time }) =>
                Date.parse(time) < to.getTime() && (!hasFrom || Date.parse(time) + seconds * 1000 > from.getTime()),
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
