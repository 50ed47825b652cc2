import { amountInUsd, priceInUsd, USD_SCALE } from "@launch-registry/chain/venues/Prices"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
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
  sampleTrade,
} from "../launch/IndexedTrades.ts"
import { endpoint, followAll, messagesOf, OPTIONS } from "../notifications/TestNotifications.ts"
import { follow, take } from "../stream/EventReader.ts"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { dataAt } from "../tokens/TokenRequests.ts"

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]
/** A full minute, in the past. */
const NOON = Date.parse("2026-11-21T12:00:00Z")
const UNKNOWN = { priceUsd: null, quoteAmountUsd: null }
/** Is not asked: prices are in the table. */
const NO_SOURCE = { url: Redacted.make("http://127.0.0.1:9/") }

interface Valued {
  readonly signature: string
  readonly time: string
  readonly priceUsd: string | null
  readonly quoteAmountUsd: string | null
}

const dollarsOf = ({ priceUsd, quoteAmountUsd }: Valued) => ({ priceUsd, quoteAmountUsd })

const know = Effect.fnUntraced(function* (quoteMint: string, minute: number, usd: string) {
  const sql = yield* SqlClient
  yield* sql`insert into quote_prices ${sql.insert({ quoteMint, minute: new Date(minute), usd, readAt: new Date(minute) })}`
})

/** The pool of a new token, whose configuration was read. */
const indexToken = Effect.fnUntraced(function* (quoteMint: string, baseDecimals = 6, quoteDecimals = 9) {
  const [baseMint, config] = [sampleAddress(), sampleAddress()]
  yield* indexPool(baseMint, { config, quoteMint, decimals: baseDecimals })
  yield* learnCurve(config, { baseDecimals, quoteDecimals })
  return baseMint
})

/** By multiplying; the price of the quote token in its 10^18th parts. */
const expectedOf = (
  { nextSqrtPrice, quoteAmount }: IndexedTrade,
  usd: bigint,
  baseDecimals: number,
  quoteDecimals: number,
) => ({
  priceUsd: priceInUsd(BigInt(nextSqrtPrice) ** 2n * usd, baseDecimals, quoteDecimals),
  quoteAmountUsd: amountInUsd(BigInt(quoteAmount) * usd, quoteDecimals),
})

layer(TestServer.layer({ prices: NO_SOURCE, notifications: OPTIONS, rpcUrl: "http://127.0.0.1:9" }), {
  excludeTestServices: true,
})("The dollars of a trade", (it) => {
  it.effect("are those of its minute, up to two hours before it, and never a later price", () =>
    Effect.gen(function* () {
      const quoteMint = sampleAddress()
      const baseMint = yield* indexToken(quoteMint)
      yield* know(quoteMint, NOON, "2")
      yield* know(quoteMint, NOON + 5 * MINUTE, "3")
      yield* know(quoteMint, NOON + 30 * 24 * HOUR, "1000")
      const cases = [
        [-SECOND, undefined],
        [0, 2n],
        [4 * MINUTE + 59 * SECOND, 2n],
        [5 * MINUTE, 3n],
        [2 * HOUR + 5 * MINUTE - SECOND, 3n],
        [2 * HOUR + 5 * MINUTE, undefined],
        [29 * 24 * HOUR, undefined],
      ] as const
      const trades = cases.map(([after], index) =>
        sampleTrade({
          ...{ baseMint, quoteMint, quoteAmount: "1500000000", ordinal: ordinalOf(BigInt(1_000 + index)) },
          blockTime: new Date(NOON + after),
        }),
      )
      yield* indexTrades(trades)
      const shown: ReadonlyArray<Valued> = yield* dataAt(`/api/launch/pool/${baseMint}/trades`)
      assert.deepStrictEqual(
        shown.toReversed().map(dollarsOf),
        cases.map(([, usd], index) =>
          usd === undefined ? UNKNOWN : expectedOf(trades[index]!, usd * USD_SCALE, 6, 9),
        ),
      )
      assert.deepStrictEqual(
        shown.toReversed().map(({ quoteAmountUsd }) => quoteAmountUsd),
        [null, "3", "3", "4.5", "4.5", null, null],
      )
    }),
  )

  it.effect("are exact in lists by token, by wallet and by pool, whatever its quote token and decimals", () =>
    Effect.gen(function* () {
      const random = randomOf(3)
      const trader = sampleAddress()
      const usd = "0.000123456789012345"
      const expected = new Map<string, ReturnType<typeof expectedOf>>()
      const mints: Array<string> = []
      for (const [index, [baseDecimals, quoteDecimals]] of (
        [
          [6, 9],
          [9, 6],
          [0, 0],
          [12, 12],
        ] as const
      ).entries()) {
        const quoteMint = sampleAddress()
        const baseMint = yield* indexToken(quoteMint, baseDecimals, quoteDecimals)
        mints.push(baseMint)
        yield* know(quoteMint, NOON, usd)
        const trades = Array.from({ length: 30 }, (_, at) =>
          sampleTrade({
            ...{ baseMint, quoteMint, trader, ordinal: ordinalOf(BigInt(10_000 + at), BigInt(index)) },
            ...{ nextSqrtPrice: String(BigInt(random(1e9) + 1) ** 3n), quoteAmount: `9${random(1e9)}${random(1e9)}` },
            blockTime: new Date(NOON + random(7_000) * SECOND),
          }),
        )
        yield* indexTrades(trades)
        const scaled = 123_456_789_012_345n
        for (const trade of trades)
          expected.set(trade.signature, expectedOf(trade, scaled, baseDecimals, quoteDecimals))
      }
      const shownAs = Effect.fnUntraced(function* (path: string, count: number) {
        const shown: ReadonlyArray<Valued> = yield* dataAt(path)
        assert.lengthOf(shown, count)
        for (const trade of shown) assert.deepStrictEqual(dollarsOf(trade), expected.get(trade.signature), path)
      })
      yield* shownAs(`/api/launch/trades?trader=${trader}&limit=1000`, 120)
      for (const mint of mints) {
        yield* shownAs(`/api/launch/trades?mintAddress=${mint}`, 30)
        yield* shownAs(`/api/launch/pool/${mint}/trades`, 30)
      }
    }),
  )

  it.effect("are those of a candle of it alone", () =>
    Effect.gen(function* () {
      const quoteMint = sampleAddress()
      const baseMint = yield* indexToken(quoteMint)
      for (const [at, usd] of ["151.25", "150.000000000000000001", "149.9"].entries())
        yield* know(quoteMint, NOON + at * 40 * MINUTE, usd)
      yield* indexTrades(
        Array.from({ length: 50 }, (_, at) =>
          sampleTrade({
            ...{
              baseMint,
              quoteMint,
              ordinal: ordinalOf(BigInt(20_000 + at)),
              quoteAmount: String(1_234_567 * at + 1),
            },
            ...{ nextSqrtPrice: String(98_362_933_813_224_380n + BigInt(at) ** 9n) },
            blockTime: new Date(NOON + at * 5 * MINUTE),
          }),
        ),
      )
      const shown: ReadonlyArray<Valued> = yield* dataAt(`/api/launch/pool/${baseMint}/trades`)
      const candles: ReadonlyArray<{ readonly time: string; readonly close: string; readonly volumeUsd: string }> =
        yield* dataAt(`/api/launch/pool/${baseMint}/candles?interval=1s&figure=priceUsd`)
      assert.isAbove(candles.length, 30)
      assert.isBelow(candles.length, 50)
      assert.deepStrictEqual(
        shown
          .toReversed()
          .flatMap(({ priceUsd, quoteAmountUsd, time }) =>
            priceUsd === null ? [] : [[time, priceUsd, quoteAmountUsd]],
          ),
        candles.map(({ close, time, volumeUsd }) => [time, close, volumeUsd]),
      )
    }),
  )

  it.effect("are null where decimals are not known, but for the amount, which takes those of the quote token", () =>
    Effect.gen(function* () {
      yield* know(SOL, NOON, "100")
      const mint = sampleAddress()
      yield* indexPool(mint)
      const time = new Date(NOON).toISOString()
      const reader = yield* follow(`?mintAddresses=${mint}`)
      yield* commitChanges(sampleChange("trade", mint, { time, quoteAmount: "250000000" }))
      const [event] = yield* take(reader, 1)
      assert.deepInclude(event!.data, { priceUsd: null, quoteAmountUsd: "25" })
      const trade = sampleTrade({ blockTime: new Date(NOON) })
      yield* indexTrades([trade])
      assert.deepInclude((yield* dataAt(`/api/launch/trades?trader=${trade.trader}`))[0], { price: null, ...UNKNOWN })
    }),
  )

  it.effect("are on the stream and in webhooks what they are in lists, and null without a price of that time", () =>
    Effect.gen(function* () {
      const quoteMint = sampleAddress()
      const mint = yield* indexToken(quoteMint)
      yield* know(quoteMint, NOON, "147.25")
      const trades = [SECOND, 3 * HOUR].map((after, index) =>
        sampleTrade({
          ...{ baseMint: mint, quoteMint, quoteAmount: "42500000000", ordinal: ordinalOf(BigInt(30_000 + index)) },
          blockTime: new Date(NOON + after),
        }),
      )
      yield* indexTrades(trades)
      yield* followAll
      const { id } = yield* endpoint("http://127.0.0.1:9/", { types: ["trade"], mintAddresses: [mint] })
      const reader = yield* follow(`?mintAddresses=${mint}`)
      yield* commitChanges(
        ...trades.map(({ blockTime, nextSqrtPrice, quoteAmount, signature }) =>
          sampleChange("trade", mint, {
            ...{ signature, quoteMint, quoteAmount, sqrtPrice: nextSqrtPrice, time: blockTime.toISOString() },
          }),
        ),
        sampleChange("trade", mint, { quoteMint, time: "no time" }),
      )
      yield* followAll
      const expected = [expectedOf(trades[0]!, (USD_SCALE * 14_725n) / 100n, 6, 9), UNKNOWN]
      assert.strictEqual(expected[0]!.quoteAmountUsd, "6258.125")
      const events = (yield* take(reader, 3)).map(({ data }) => data as Valued)
      assert.deepStrictEqual(events.map(dollarsOf), [...expected, UNKNOWN])
      const listed: ReadonlyArray<Valued> = yield* dataAt(`/api/launch/pool/${mint}/trades`)
      assert.deepStrictEqual(listed.toReversed().map(dollarsOf), expected)
      const { request } = yield* TestServer
      const messages: ReadonlyArray<{ readonly id: string }> = yield* messagesOf(id)
      const sent = yield* Effect.forEach(messages, (message) =>
        Effect.map(request(`/api/notifications/messages/${message.id}`), ({ body }) => JSON.parse(body.data.body).data),
      )
      assert.deepStrictEqual(sent.toReversed(), events)
    }),
  )
})

layer(TestServer.layer({ rpcUrl: "http://127.0.0.1:9" }))("Without a source of prices", (it) => {
  it.effect("trades have no dollars, also where prices are left of one that there was", () =>
    Effect.gen(function* () {
      const mint = yield* indexToken(SOL)
      yield* know(SOL, NOON, "100")
      yield* indexTrades([sampleTrade({ baseMint: mint, blockTime: new Date(NOON) })])
      assert.deepInclude((yield* dataAt(`/api/launch/pool/${mint}/trades`))[0], UNKNOWN)
    }),
  )
})
