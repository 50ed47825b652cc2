import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Random, randomOf } from "../../../service/test/Random.ts"
import { SOL, sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { indexPool, indexTrades, learnCurve, ordinalOf, randomTrades, sampleTrade } from "../launch/IndexedTrades.ts"
import { create, dataAt } from "../tokens/TokenRequests.ts"
import { sendTrades, TestHistory } from "./TestHistory.ts"

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

const hourOf = (time: number) => new Date(Math.floor(time / HOUR) * HOUR)

/** Leaves minute candles from a time on in PostgreSQL, and some before it. */
const keepMinutes = Effect.fnUntraced(function* (from: Date, random: Random) {
  const sql = yield* SqlClient
  yield* sql`update indexer_progress set minutes_from = ${from}`
  yield* sql`
    delete from candles where seconds = 60 and bucket < ${from} and extract(epoch from bucket)::bigint / 60 % 20 <> ${random(20)}::integer`
})

/** Prices of SOL by minute, with gaps. */
const knowPrices = Effect.fnUntraced(function* (random: Random, from: number, to: number) {
  const sql = yield* SqlClient
  for (let minute = from; minute < to; minute += (random(20) === 0 ? 60 + random(240) : 1 + random(30)) * MINUTE) {
    const row = { quoteMint: SOL, minute: new Date(minute), usd: `${100 + random(90)}.5`, readAt: new Date(minute) }
    yield* sql`insert into quote_prices ${sql.insert(row)} on conflict do nothing`
  }
})

/** A mint with trades, their candles, what its figures take, and all of it in history. */
const tradedMint = Effect.fnUntraced(function* (random: Random, count: number) {
  const [baseMint, config] = [sampleAddress(), sampleAddress()]
  yield* indexPool(baseMint, { config, decimals: 6 })
  yield* learnCurve(config)
  const trades = randomTrades(random, count, baseMint)
  yield* indexTrades(trades)
  yield* sendTrades(trades)
  yield* sendTrades(trades.filter(() => random(5) === 0))
  const times = trades.map(({ blockTime }) => blockTime.getTime())
  const [first, last] = [Math.min(...times), Math.max(...times)]
  yield* knowPrices(random, Math.floor(first / MINUTE) * MINUTE + 3 * HOUR, last)
  return { baseMint, trades, first, last }
})

/** Is not asked: prices are in the table. */
const prices = { url: Redacted.make("http://127.0.0.1:9/") }

layer(Layer.provideMerge(TestServer.layer({ prices }), TestHistory.layer))(
  "Candles of which old minutes have left PostgreSQL",
  (it) => {
    it.effect("are the same as when PostgreSQL has all, of any interval, figure and range", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const random = randomOf(31)
        for (let round = 0; round < 4; round++) {
          yield* sql`update indexer_progress set minutes_from = null`
          const { baseMint, first, last } = yield* tradedMint(random, 250)
          const expected = new Map<string, unknown>()
          for (let times = 0; times < 40; times++) {
            const time = () => new Date(first + random(last - first)).toISOString()
            const query = new URLSearchParams({
              interval: ["1s", "15s", "30s", "1m", "5m", "30m", "1h"][random(7)]!,
              figure: ["price", "marketCap", "priceUsd", "marketCapUsd"][random(4)]!,
              limit: String([1, 5, 30, 1_000][random(4)]),
              ...(random(2) === 0 && { from: time() }),
              ...(random(2) === 0 && { to: time() }),
            })
            const path = `/api/launch/pool/${baseMint}/candles?${query}`
            expected.set(path, yield* dataAt(path))
          }
          yield* keepMinutes(hourOf(round === 0 ? last + HOUR : first + random(last - first)), random)
          for (const [path, candles] of expected) assert.deepStrictEqual(yield* dataAt(path), candles, path)
        }
      }),
    )

    it.effect("are asked of history only where older ones are missing; 503 where it cannot be read", () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const server = yield* TestHistory
        const { baseMint, first, last } = yield* tradedMint(randomOf(32), 250)
        const path = `/api/launch/pool/${baseMint}/candles`
        const from = hourOf(first + (last - first) / 2)
        yield* keepMinutes(from, randomOf(32))
        yield* server.fail("error")
        for (const query of ["?limit=2", `?limit=1000&from=${from.toISOString()}`, "?interval=1h", "?interval=1d"])
          assert.strictEqual((yield* request(`${path}${query}`)).status, 200, query)
        assert.strictEqual((yield* request(`${path}?to=${hourOf(first).toISOString()}`)).status, 200)
        for (const figure of ["price", "priceUsd"]) {
          const { body, headers, status } = yield* request(`${path}?limit=1000&figure=${figure}`)
          assert.deepStrictEqual([status, body.details?.service], [503, "history"])
          assert.match(headers.get("retry-after") ?? "", /^\d+$/)
        }
        yield* server.heal
        assert.isAbove((yield* dataAt(`${path}?limit=1000`)).length, 0)
      }),
    )

    it.effect("are found behind an hour whose trades are all after the end of the range", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const baseMint = sampleAddress()
        yield* indexPool(baseMint, { decimals: 6 })
        const trades = ["10:50", "12:50"].map((time, at) =>
          sampleTrade({ baseMint, ordinal: ordinalOf(BigInt(at + 1)), blockTime: new Date(`2026-11-20T${time}:00Z`) }),
        )
        yield* indexTrades(trades)
        yield* sendTrades(trades)
        yield* sql`update indexer_progress set minutes_from = null`
        const path = `/api/launch/pool/${baseMint}/candles?limit=1&to=2026-11-20T12:10:00Z`
        const expected = yield* dataAt(path)
        assert.strictEqual(expected[0].time, "2026-11-20T10:50:00.000Z")
        yield* keepMinutes(new Date("2026-11-20T13:00:00Z"), randomOf(34))
        assert.deepStrictEqual(yield* dataAt(path), expected)
      }),
    )

    it.effect("leave the change of a price over a day right for a token that was silent", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const baseMint = sampleAddress()
        yield* create({ mintAddress: baseMint })
        yield* indexPool(baseMint, { decimals: 6 })
        const now = Date.now()
        const [old, before, last] = [40n, 50n, 60n].map(String)
        yield* indexTrades([
          sampleTrade({ baseMint, ordinal: ordinalOf(1n), nextSqrtPrice: old!, blockTime: new Date(now - 41 * DAY) }),
          sampleTrade({
            baseMint,
            ordinal: ordinalOf(2n),
            nextSqrtPrice: before!,
            blockTime: new Date(now - 40 * DAY),
          }),
          sampleTrade({ baseMint, ordinal: ordinalOf(3n), nextSqrtPrice: last!, blockTime: new Date(now - HOUR) }),
        ])
        const change = Effect.map(
          dataAt(`/api/tokens/mint/${baseMint}?include=market`),
          ({ market }) => market.priceChange24h,
        )
        const expected = yield* change
        assert.approximately(expected, (60 ** 2 / 50 ** 2 - 1) * 100, 0.01)
        const from = hourOf(now - 10 * DAY)
        // One minute that is older than the last of those that have left.
        yield* sql`
          delete from candles where base_mint = ${baseMint} and seconds = 60 and bucket < ${from}
            and bucket > ${new Date(now - 40.5 * DAY)}`
        yield* sql`update indexer_progress set minutes_from = ${from}`
        assert.strictEqual(yield* change, expected)
      }),
    )
  },
)

layer(TestServer.layer())("Candles whose minutes have left PostgreSQL for a history that is not configured", (it) => {
  it.effect("are 503 where they are asked for", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const baseMint = sampleAddress()
      yield* indexPool(baseMint, { decimals: 6 })
      const trades = randomTrades(randomOf(33), 100, baseMint)
      yield* indexTrades(trades)
      const from = hourOf(trades[50]!.blockTime.getTime())
      yield* keepMinutes(from, randomOf(33))
      const path = `/api/launch/pool/${baseMint}/candles`
      assert.strictEqual((yield* request(`${path}?from=${from.toISOString()}`)).status, 200)
      const { body, status } = yield* request(path)
      assert.deepStrictEqual([status, body.code, body.details?.feature], [503, "not_configured", "history"])
    }),
  )
})
