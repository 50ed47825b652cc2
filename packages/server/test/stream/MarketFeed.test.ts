import type { Market } from "@launch-registry/domain/pools/Market"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SOL, sampleAddress } from "../../../service/test/Samples.ts"
import { readEvents } from "../../../service/test/StreamReader.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { indexPool, indexTrades, learnCurve, sampleTrade } from "../launch/IndexedTrades.ts"
import { create, dataAt } from "../tokens/TokenRequests.ts"
import { commitChanges, sampleChange } from "./IndexChanges.ts"

/** As lists have them. */
const listedMarketOf = (mint: string) =>
  Effect.map(dataAt(`/api/tokens?mintAddresses=${mint}&include=market`), ([row]) => row.market as Market)

const indexToken = Effect.fnUntraced(function* (mint: string = sampleAddress()) {
  const config = sampleAddress()
  yield* indexPool(mint, { config, decimals: 6 })
  yield* learnCurve(config)
  return mint
})

const follow = Effect.fnUntraced(function* (query: string) {
  const { url } = yield* TestServer
  return yield* readEvents(`${url}/api/stream?${query}`)
})

interface MarketEvent {
  readonly data: { readonly mintAddress: string; readonly market: Market }
}

const isOf =
  (mint: string, matches: (market: Market) => boolean = () => true) =>
  ({ data: { market, mintAddress } }: MarketEvent) =>
    mintAddress === mint && matches(market)

layer(TestServer.layer({ stream: { marketMillis: 20 } }), { excludeTestServices: true })(
  "Markets on the stream",
  (it) => {
    it.effect("are the figures that lists have, when it begins and when a trade or a count changes them", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const mint = sampleAddress()
        yield* create({ mintAddress: mint })
        yield* indexToken(mint)
        const stream = yield* follow(`types=market&markets=${mint}`)
        const [first] = yield* stream.until(isOf(mint))
        assert.deepStrictEqual(first!.data, { mintAddress: mint, market: yield* listedMarketOf(mint) })
        yield* indexTrades([sampleTrade({ baseMint: mint, quoteReserve: "42500000000", blockTime: new Date() })])
        const traded = (yield* stream.until(isOf(mint, ({ lastTradeAt }) => lastTradeAt !== null))).at(-1)!
        assert.strictEqual(traded.data.market.quoteProgress, 0.5)
        yield* sql`
          insert into trading_windows ${sql.insert({
            ...{ span: "24h", baseMint: mint, traders: 2, trades: 7, quoteVolume: "900", buyVolume: "600" },
          })}`
        yield* stream.until(isOf(mint, ({ trades24h }) => trades24h === 7))
        yield* sql`
          insert into holder_counts (mint_address, holders, is_whole, counted_at, top10_share)
          values (${mint}, 12, true, now(), 0.25)`
        const counted = (yield* stream.until(isOf(mint, ({ holders }) => holders !== null))).at(-1)!
        const { market } = counted.data
        assert.deepInclude(market, { quoteVolume24h: "900", buyVolume24h: "600", sellVolume24h: "300", trades24h: 7 })
        assert.deepInclude(market.holders, { count: 12, top10Share: 0.25 })
        assert.deepStrictEqual(market, yield* listedMarketOf(mint))
      }),
    )

    it.effect("are sent of the tokens that were asked for, those whose figures changed, and once there is a pool", () =>
      Effect.gen(function* () {
        const [still, busy, unasked] = [yield* indexToken(), yield* indexToken(), yield* indexToken()]
        const later = sampleAddress()
        const stream = yield* follow(`types=market&markets=${still},${busy},${later}`)
        yield* stream.until(isOf(still))
        yield* stream.until(isOf(busy))
        const other = yield* follow(`types=market&markets=${still},${busy}`)
        yield* other.until(isOf(still))
        for (const mint of [busy, unasked]) yield* indexTrades([sampleTrade({ baseMint: mint, blockTime: new Date() })])
        yield* commitChanges(sampleChange("trade", still))
        const hasTraded = isOf(busy, ({ lastTradeAt }) => lastTradeAt !== null)
        yield* stream.until(hasTraded)
        yield* other.until(hasTraded)
        yield* indexPool(later, { quoteMint: SOL, decimals: 6 })
        const events = yield* stream.until(isOf(later))
        const countOf = (mint: string) => events.filter(isOf(mint)).length
        assert.deepStrictEqual([still, busy, unasked].map(countOf), [1, 2, 0])
        assert.isTrue(events.every(({ id, type }) => id === "" && type === "market"))
      }),
    )

    it.effect("come beside the events of the chain, and are of 50 tokens at most", () =>
      Effect.gen(function* () {
        const mint = yield* indexToken()
        const stream = yield* follow(`mintAddresses=${mint}&markets=${mint}`)
        yield* stream.until(({ type }) => type === "market")
        yield* commitChanges(sampleChange("trade", mint))
        yield* stream.until(({ type }) => type === "trade")
        const { request } = yield* TestServer
        const many = Array.from({ length: 51 }, sampleAddress).join(",")
        const { body, status } = yield* request(`/api/stream?markets=${many}`)
        assert.deepStrictEqual([status, body.code], [400, "invalid_request"])
      }),
    )
  },
)
