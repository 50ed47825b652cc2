import { priceInQuote } from "@launch-registry/chain/venues/Prices"
import { assert, layer } from "@effect/vitest"
import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomOf } from "../../../service/test/Random.ts"
import { sampleAddress, sampleSignature } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { type IndexedTrade, indexPool, indexTrades, ordinalOf, randomTrades, sampleTrade } from "./IndexedTrades.ts"

interface Page {
  readonly data: ReadonlyArray<Record<string, unknown> & { readonly signature: string }>
  readonly pagination: { readonly limit: number; readonly nextCursor: string | null }
}

const readAt = Effect.fnUntraced(function* (path: string) {
  const { request } = yield* TestServer
  const { body, status } = yield* request(`/api/launch/${path}`)
  assert.strictEqual(status, 200, `${path} ${JSON.stringify(body)}`)
  return body as Page
})

const read = (query: string) => readAt(`trades?${query}`)
const ofPool = (mint: string, query = "") => readAt(`pool/${mint}/trades?${query}`)

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
        priceUsd: null,
        quoteAmountUsd: null,
        mintAddress: known.baseMint,
        quoteMint: known.quoteMint,
        pool: known.pool,
      })
      assert.deepInclude(data[1], { signature: unknown.signature, price: null })
      assert.lengthOf(data, 2)
      assert.deepStrictEqual(pagination, { limit: 100, nextCursor: null })
      const { mintAddress: _mint, pool: _pool, quoteMint: _quoteMint, ...shown } = data[0]!
      assert.deepInclude(yield* ofPool(known.baseMint), { data: [shown], pagination })
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
      // Transactions with the same place in the chain: one of two was on a fork.
      trades.push(...trades.slice(0, 20).map((trade) => ({ ...trade, signature: sampleSignature() })))
      for (const mint of mints) {
        yield* indexPool(mint, { decimals: 6 })
        yield* indexTrades(trades.filter(({ baseMint }) => baseMint === mint))
        const expected = newestFirst(trades.filter(({ baseMint }) => baseMint === mint))
        const found: Array<string> = []
        for (let cursor: string | null = ""; cursor !== null;) {
          const { data, pagination }: Page = yield* ofPool(mint, `limit=7${cursor}`)
          found.push(...data.map(({ signature }) => signature))
          cursor = pagination.nextCursor === null ? null : `&cursor=${pagination.nextCursor}`
        }
        assert.deepStrictEqual(
          found,
          expected.map(({ signature }) => signature),
        )
      }
      const times = trades.map(({ blockTime }) => blockTime.toISOString()).toSorted()
      for (let count = 0; count < 40; count++) {
        const [trader, mint] = [[...traders, undefined][random(4)], mints[random(mints.length)]!]
        const filter = {
          ...(trader !== undefined && { trader }),
          ...((trader === undefined || random(2) === 0) && { mintAddress: mint }),
          ...(random(3) === 0 && { side: random(2) === 0 ? "BUY" : "SELL" }),
          ...(random(3) === 0 && { venue: random(2) === 0 ? "dbc" : "damm_v2" }),
          ...(random(2) === 0 && { from: times[random(times.length)]! }),
          ...(random(2) === 0 && { to: times[random(times.length)]! }),
        }
        const expected = newestFirst(trades).filter(
          (trade) =>
            (filter.trader === undefined || trade.trader === filter.trader) &&
            (filter.mintAddress === undefined || trade.baseMint === filter.mintAddress) &&
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

layer(TestServer.layer())("Trades of a pool", (it) => {
  it.effect("are finalized once their slot is proven and the proof is folded", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const baseMint = sampleAddress()
      yield* indexPool(baseMint, { decimals: 6 })
      const slots = [9n, 10n, 15n, 20n, 21n, 30n, 40n, 41n]
      yield* indexTrades(slots.map((slot) => sampleTrade({ baseMint, ordinal: ordinalOf(slot, 1n) })))
      const finalized = Effect.map(ofPool(baseMint), ({ data }) =>
        data.filter(({ finality }) => finality === "finalized").map(({ slot }) => slot),
      )
      const cover = (from: bigint, to: bigint, offset: bigint) =>
        sql`insert into coverage (from_slot, to_slot, proven_by, proven_at, log_offset)
          values (${from}, ${to}, 'test', now(), ${offset})`
      yield* cover(10n, 20n, 5n)
      yield* cover(30n, 40n, 9n)
      assert.deepStrictEqual(yield* finalized, [])
      yield* sql`update indexer_progress set module_hash = 'old', log_offset = 4, slot = 41`
      assert.deepStrictEqual(yield* finalized, [])
      yield* sql`update indexer_progress set module_hash = 'new', log_offset = 5, slot = 41`
      assert.deepStrictEqual(yield* finalized, ["20", "15", "10"])
      yield* sql`update indexer_progress set log_offset = 9`
      assert.deepStrictEqual(yield* finalized, ["40", "30", "20", "15", "10"])
    }),
  )

  it.effect("on a migrated pool are finalized by the proof of that pool, and on the curve by the program's", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [baseMint, pool, other] = [sampleAddress(), sampleAddress(), sampleAddress()]
      yield* indexPool(baseMint, { decimals: 6 })
      const slots = [50n, 60n, 70n, 80n]
      yield* indexTrades([
        ...slots.map((slot) => sampleTrade({ baseMint, ordinal: ordinalOf(slot, 1n) })),
        ...slots.map((slot) => sampleTrade({ baseMint, pool, venue: "damm_v2", ordinal: ordinalOf(slot, 2n) })),
      ])
      const finalized = Effect.map(ofPool(baseMint), ({ data }) =>
        data.filter(({ finality }) => finality === "finalized").map(({ slot, venue }) => `${slot} ${venue}`),
      )
      yield* sql`delete from coverage`
      yield* sql`update indexer_progress set module_hash = 'newest', log_offset = 100, slot = 80`
      yield* sql`
        insert into coverage (pool, from_slot, to_slot, proven_by, proven_at, log_offset)
        values (${pool}, 60, 70, 'test', now(), 100), (${pool}, 80, 80, 'test', now(), 101),
          (${other}, 1, 100, 'test', now(), 1)`
      assert.deepStrictEqual(yield* finalized, ["70 damm_v2", "60 damm_v2"])
      yield* sql`
        insert into coverage (from_slot, to_slot, proven_by, proven_at, log_offset) values (1, 60, 'test', now(), 1)`
      assert.deepStrictEqual(yield* finalized, ["70 damm_v2", "60 damm_v2", "60 dbc", "50 dbc"])
    }),
  )

  it.effect("are an empty list for a pool without trades, and 404 for an unknown mint", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { data, pagination } = yield* ofPool(SEEDED_MINTS.spl, "limit=5")
      assert.deepStrictEqual(data, [])
      assert.deepStrictEqual(pagination, { limit: 5, nextCursor: null })
      const unknown = yield* request(`/api/launch/pool/${sampleAddress()}/trades`)
      assert.strictEqual(unknown.status, 404)
      assert.strictEqual(unknown.body.code, "not_found")
    }),
  )
})
