import { priceInQuote } from "@launch-registry/chain/venues/Prices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomOf } from "../../../service/test/Random.ts"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { type IndexedTrade, indexPool, indexTrades, ordinalOf, randomTrades, sampleTrade } from "./IndexedTrades.ts"

interface Page {
  readonly data: ReadonlyArray<Record<string, unknown> & { readonly signature: string }>
  readonly pagination: { readonly limit: number; readonly nextCursor: string | null }
}

const read = Effect.fnUntraced(function* (query: string) {
  const { request } = yield* TestServer
  const { body, status } = yield* request(`/api/launch/trades?${query}`)
  assert.strictEqual(status, 200, `${query} ${JSON.stringify(body)}`)
  return body as Page
})

/** Signatures of every page. */
const readPages = Effect.fnUntraced(function* (query: string) {
  const signatures: Array<string> = []
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Page = yield* read(`${query}${cursor}`)
    signatures.push(...page.data.map(({ signature }) => signature))
    cursor = page.pagination.nextCursor === null ? null : `&cursor=${page.pagination.nextCursor}`
  }
  return signatures
})

const newestFirst = (trades: ReadonlyArray<IndexedTrade>) =>
  trades.toSorted((a, b) =>
    a.ordinal === b.ordinal ? (a.signature < b.signature ? 1 : -1) : a.ordinal < b.ordinal ? 1 : -1,
  )

layer(TestServer.layer())("Trades of all pools", (it) => {
  it.effect("show the pool and its tokens, and a price where the decimals are known", () =>
    Effect.gen(function* () {
      const trader = sampleAddress()
      const known = sampleTrade({ trader, ordinal: ordinalOf(312_345_678n, 7n, 3n) })
      const unknown = sampleTrade({ trader, ordinal: ordinalOf(312_345_677n) })
      yield* indexPool(known.baseMint, { decimals: 6 })
      yield* indexTrades([known])
      yield* indexTrades([unknown])
      const { data, pagination } = yield* read(`trader=${trader}`)
      assert.deepStrictEqual(data[0] as unknown, {
        signature: known.signature,
        slot: "312345678",
        time: "2026-11-21T09:30:00.000Z",
        trader,
        side: "BUY",
        venue: "dbc",
        baseAmount: "1000000",
        quoteAmount: "5000",
        fee: "50",
        finality: "confirmed",
        price: priceInQuote(BigInt(known.nextSqrtPrice), 6, 9),
        mint: known.baseMint,
        quoteMint: known.quoteMint,
        pool: known.pool,
      })
      assert.deepInclude(data[1], { signature: unknown.signature, price: null })
      assert.lengthOf(data, 2)
      assert.deepStrictEqual(pagination, { limit: 100, nextCursor: null })
      assert.deepStrictEqual((yield* read(`trader=${sampleAddress()}`)).data, [])
    }),
  )

  it.effect("are those that match every filter, each once, newest first, whatever the page", () =>
    Effect.gen(function* () {
      const random = randomOf(5)
      const mints = [sampleAddress(), sampleAddress()]
      const traders = [sampleAddress(), sampleAddress(), sampleAddress()]
      const trades = mints.flatMap((mint) =>
        randomTrades(random, 150, mint).map((trade, at) => ({
          ...{ ...trade, trader: traders[random(3)]!, venue: at < 100 ? ("dbc" as const) : ("damm_v2" as const) },
        })),
      )
      for (const mint of mints) {
        yield* indexPool(mint, { decimals: 6 })
        yield* indexTrades(trades.filter(({ baseMint }) => baseMint === mint))
      }
      const times = trades.map(({ blockTime }) => blockTime.toISOString()).toSorted()
      for (let count = 0; count < 40; count++) {
        const [trader, mint] = [[...traders, undefined][random(4)], mints[random(mints.length)]!]
        const filter = {
          ...(trader !== undefined && { trader }),
          ...((trader === undefined || random(2) === 0) && { mint }),
          ...(random(3) === 0 && { side: random(2) === 0 ? "BUY" : "SELL" }),
          ...(random(3) === 0 && { venue: random(2) === 0 ? "dbc" : "damm_v2" }),
          ...(random(2) === 0 && { from: times[random(times.length)]! }),
          ...(random(2) === 0 && { to: times[random(times.length)]! }),
        }
        const expected = newestFirst(trades).filter(
          (trade) =>
            (filter.trader === undefined || trade.trader === filter.trader) &&
            (filter.mint === undefined || trade.baseMint === filter.mint) &&
            (filter.side === undefined || trade.side === filter.side) &&
            (filter.venue === undefined || trade.venue === filter.venue) &&
            (filter.from === undefined || trade.blockTime.toISOString() >= filter.from) &&
            (filter.to === undefined || trade.blockTime.toISOString() < filter.to),
        )
        const query = `${new URLSearchParams(filter as Record<string, string>)}&limit=${[7, 50, 1_000][random(3)]}`
        assert.deepStrictEqual(
          yield* readPages(query),
          expected.map(({ signature }) => signature),
          query,
        )
      }
      const all = yield* readPages("limit=100")
      assert.strictEqual(new Set(all).size, all.length)
      assert.isAtLeast(all.length, trades.length)
    }),
  )
})
