import { marketCapInQuote, priceInQuote } from "@launch-registry/chain/venues/Prices"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { examples } from "../../../../scripts/Laws.ts"
import { SOL, sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { endpoint, followAll, messagesOf, OPTIONS } from "../notifications/TestNotifications.ts"
import { indexPool, learnCurve } from "../launch/IndexedTrades.ts"
import { follow, take } from "./EventReader.ts"
import { commitChanges, sampleChange } from "./IndexChanges.ts"

const SUPPLY = "1000000000000000"
const THRESHOLD = "85000000000"
const SQRT_PRICE = 600_000_000_000_000_000n

const pickFigures = ({ finality, marketCap, price, quoteProgress }: Record<string, unknown>) => ({
  ...{ price, marketCap, quoteProgress, finality },
})

/** Indexes the pool of a new token, and what its configuration says. */
const indexToken = Effect.fnUntraced(function* ({
  baseDecimals = 6,
  quoteDecimals = 9,
  quoteMint = SOL as string,
} = {}) {
  const [mint, config] = [sampleAddress(), sampleAddress()]
  yield* indexPool(mint, { config, quoteMint, decimals: baseDecimals })
  yield* learnCurve(config, { baseDecimals, quoteDecimals })
  return mint
})

const prove = Effect.fnUntraced(function* (from: number, to: number, pool = "") {
  const sql = yield* SqlClient
  const range = { fromSlot: from, toSlot: to, provenBy: "rpc", provenAt: new Date(), logOffset: 0 }
  yield* sql`insert into coverage ${sql.insert({ ...range, pool })}`
})

layer(TestServer.layer({ notifications: OPTIONS, rpcUrl: "http://127.0.0.1:9" }), { excludeTestServices: true })(
  "Trades and pools on the stream",
  (it) => {
    it.effect.prop(
      "have the price and market cap of their sqrt price, whatever the decimals of the tokens",
      {
        baseDecimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 })),
        quoteDecimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 })),
        sqrtPrice: Schema.BigInt.check(
          Schema.isBetweenBigInt({ minimum: 1n, maximum: 79_226_673_515_401_279_992_447_579_055n }),
        ),
        reserve: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 170_000_000_000n })),
      },
      ({ baseDecimals, quoteDecimals, reserve, sqrtPrice }) =>
        Effect.gen(function* () {
          const mint = yield* indexToken({ baseDecimals, quoteDecimals, quoteMint: sampleAddress() })
          const reader = yield* follow(`?mintAddresses=${mint}`)
          const fields = { sqrtPrice: String(sqrtPrice), quoteReserve: String(reserve) }
          yield* commitChanges(sampleChange("trade", mint, fields), sampleChange("pool", mint, fields))
          const millionths = Number((reserve * 1_000_000n) / BigInt(THRESHOLD))
          for (const { data } of yield* take(reader, 2))
            assert.deepStrictEqual(pickFigures(data), {
              price: priceInQuote(sqrtPrice, baseDecimals, quoteDecimals),
              marketCap: marketCapInQuote(sqrtPrice, BigInt(SUPPLY), quoteDecimals),
              quoteProgress: Math.min(millionths / 1_000_000, 1),
              finality: "confirmed",
            })
        }).pipe(Effect.scoped),
      { arbitrary: { runs: examples(8, 100) } },
    )

    it.effect("are finalized by the proof of the program or of the AMM pool, as they are when they are read", () =>
      Effect.gen(function* () {
        const mint = yield* indexToken()
        const [amm, other] = [sampleAddress(), sampleAddress()]
        yield* prove(1_000, 1_010)
        yield* prove(1_020, 1_030)
        yield* prove(1_015, 1_016, amm)
        yield* prove(1_000, 1_030, other)
        const cases = [
          [999, "dbc", "confirmed"],
          [1_000, "dbc", "finalized"],
          [1_010, "dbc", "finalized"],
          [1_015, "dbc", "confirmed"],
          [1_025, "dbc", "finalized"],
          [1_031, "dbc", "confirmed"],
          [1_014, "damm_v2", "confirmed"],
          [1_015, "damm_v2", "finalized"],
          [1_016, "damm_v1", "finalized"],
          [1_025, "damm_v2", "confirmed"],
        ] as const
        const fields = { pool: amm, sqrtPrice: String(SQRT_PRICE), quoteReserve: "1" }
        const before = yield* commitChanges()
        yield* commitChanges(
          ...cases.map(([slot, venue]) => sampleChange("trade", mint, { ...fields, slot: String(slot), venue })),
          sampleChange("pool", mint, { ...fields, slot: "1015", venue: "damm_v2" }),
        )
        const resumed = () => Effect.flatMap(follow("", String(before)), (reader) => take(reader, cases.length + 1))
        const events = (yield* resumed()).map(({ data }) => data)
        for (const [index, [slot, venue, finality]] of cases.entries())
          assert.deepInclude(events[index], { slot: String(slot), venue, finality })
        assert.deepInclude(events.at(-1), { finality: "finalized", quoteProgress: 1 })
        yield* prove(1_031, 1_040)
        assert.strictEqual((yield* resumed())[5]!.data.finality, "finalized")
      }),
    )

    it.effect("have no figures that are not known, and have them once they are", () =>
      Effect.gen(function* () {
        const [nowhere, young] = [sampleAddress(), sampleAddress()]
        const config = sampleAddress()
        yield* indexPool(young, { config, decimals: 6 })
        const reader = yield* follow(`?mintAddresses=${nowhere},${young}`)
        yield* commitChanges(
          sampleChange("trade", nowhere),
          sampleChange("trade", young, { sqrtPrice: String(SQRT_PRICE) }),
        )
        const unknown = { price: null, marketCap: null, quoteProgress: null, finality: "confirmed" }
        const [first, second] = yield* take(reader, 2)
        assert.deepStrictEqual(pickFigures(first!.data), unknown)
        const price = priceInQuote(SQRT_PRICE, 6, 9)
        assert.deepStrictEqual(pickFigures(second!.data), { ...unknown, price })
        assert.isNull(second!.data.quoteReserve)
        yield* learnCurve(config)
        const marketCap = marketCapInQuote(SQRT_PRICE, BigInt(SUPPLY), 9)
        for (;;) {
          yield* commitChanges(sampleChange("pool", young, { sqrtPrice: String(SQRT_PRICE), quoteReserve: THRESHOLD }))
          const { data } = yield* reader.next
          if (data.marketCap === null) continue
          assert.deepStrictEqual(pickFigures(data), { price, marketCap, quoteProgress: 1, finality: "confirmed" })
          break
        }
      }),
    )

    it.effect("have the figures of the launch that the chain kept, after a revert", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const [mint, config] = [yield* indexToken(), sampleAddress()]
        const reader = yield* follow(`?mintAddresses=${mint}&types=trade`)
        const trade = sampleChange("trade", mint, { sqrtPrice: String(SQRT_PRICE) })
        const commitTrade = Effect.andThen(commitChanges(trade), reader.next)
        const capOf = (supply: bigint) => marketCapInQuote(SQRT_PRICE, supply, 9)
        assert.strictEqual((yield* commitTrade).data.marketCap, capOf(BigInt(SUPPLY)))
        yield* learnCurve(config, { supply: "5000000" })
        yield* sql`update dbc_pools set config = ${config} where base_mint = ${mint}`
        yield* commitChanges(sampleChange("revert", mint, { mintAddresses: [mint] }))
        assert.strictEqual((yield* commitTrade).data.marketCap, capOf(5_000_000n))
      }),
    )

    it.effect("are sent to endpoints with the same figures", () =>
      Effect.gen(function* () {
        const mint = yield* indexToken()
        yield* followAll
        const { id } = yield* endpoint("http://127.0.0.1:9/", { types: ["trade", "pool"], mintAddresses: [mint] })
        const reader = yield* follow(`?mintAddresses=${mint}`)
        const fields = { sqrtPrice: String(SQRT_PRICE), quoteReserve: "42500000000" }
        yield* commitChanges(sampleChange("trade", mint, fields), sampleChange("pool", mint, fields))
        yield* followAll
        const events = (yield* take(reader, 2)).map(({ data }) => data)
        assert.strictEqual(events[0].quoteProgress, 0.5)
        const { request } = yield* TestServer
        const messages: ReadonlyArray<{ readonly id: string }> = yield* messagesOf(id)
        const sent = yield* Effect.forEach(messages, (message) =>
          Effect.map(
            request(`/api/notifications/messages/${message.id}`),
            ({ body }) => JSON.parse(body.data.body).data,
          ),
        )
        assert.deepStrictEqual(sent.toReversed(), events)
      }),
    )
  },
)
