import { priceInQuote } from "@launch-registry/chain/venues/Prices"
import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomOf } from "../../../service/test/Random.ts"
import { sampleAddress, sampleSignature } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { type IndexedTrade, indexPool, indexTrades, ordinalOf, randomTrades, sampleTrade } from "./IndexedTrades.ts"

const read = Effect.fnUntraced(function* (mint: string, query = "") {
  const { request } = yield* TestServer
  const { body, status } = yield* request(`/api/launch/pool/${mint}/trades${query}`)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body as {
    readonly data: ReadonlyArray<Record<string, unknown> & { readonly signature: string; readonly finality: string }>
    readonly pagination: { readonly limit: number; readonly nextCursor: string | null }
  }
})

/** Every page of a list, in order. */
const readPages = Effect.fnUntraced(function* (mint: string, query: string) {
  const signatures: Array<string> = []
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Effect.Success<ReturnType<typeof read>> = yield* read(mint, `?${query}${cursor}`)
    signatures.push(...page.data.map(({ signature }) => signature))
    cursor = page.pagination.nextCursor === null ? null : `&cursor=${page.pagination.nextCursor}`
  }
  return signatures
})

const newestFirst = (trades: ReadonlyArray<IndexedTrade>) =>
  trades
    .toSorted((a, b) =>
      a.ordinal === b.ordinal ? (a.signature < b.signature ? 1 : -1) : a.ordinal < b.ordinal ? 1 : -1,
    )
    .map(({ signature }) => signature)

layer(TestServer.layer())("Trades of a pool", (it) => {
  it.effect("show amounts, side and price", () =>
    Effect.gen(function* () {
      const trade = sampleTrade({ ordinal: ordinalOf(312_345_678n, 7n, 3n) })
      yield* indexPool(trade.baseMint, { decimals: 6 })
      yield* indexTrades([trade])
      const { data, pagination } = yield* read(trade.baseMint)
      assert.deepStrictEqual(data as ReadonlyArray<unknown>, [
        {
          signature: trade.signature,
          slot: "312345678",
          time: "2026-11-21T09:30:00.000Z",
          trader: trade.trader,
          side: "BUY",
          venue: "dbc",
          baseAmount: "1000000",
          quoteAmount: "5000",
          fee: "50",
          price: priceInQuote(BigInt(trade.nextSqrtPrice), 6, 9),
          finality: "confirmed",
        },
      ])
      assert.deepStrictEqual(pagination, { limit: 100, nextCursor: null })
    }),
  )

  it.effect("are paged newest first without loss or repetition", () =>
    Effect.gen(function* () {
      const baseMint = sampleAddress()
      yield* indexPool(baseMint, { decimals: 6 })
      const random = randomOf(11)
      const apart = randomTrades(random, 240, baseMint)
      // Two transactions with the same place in the chain: one of them was on a fork.
      const trades = [...apart, ...apart.slice(0, 20).map((trade) => ({ ...trade, signature: sampleSignature() }))]
      yield* indexTrades(trades)
      const expected = newestFirst(trades)
      for (const limit of [1, 7, 100, 1000])
        assert.deepStrictEqual(yield* readPages(baseMint, `limit=${limit}`), expected, String(limit))
    }),
  )

  it.effect("are finalized once their slot is proven and the proof is folded", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const baseMint = sampleAddress()
      yield* indexPool(baseMint, { decimals: 6 })
      const slots = [9n, 10n, 15n, 20n, 21n, 30n, 40n, 41n]
      yield* indexTrades(slots.map((slot) => sampleTrade({ baseMint, ordinal: ordinalOf(slot, 1n) })))
      const finalized = Effect.map(read(baseMint), ({ data }) =>
        data.filter(({ finality }) => finality === "finalized").map(({ slot }) => slot),
      )
      const cover = (from: bigint, to: bigint, offset: bigint) =>
        sql`insert into coverage (from_slot, to_slot, proven_by, proven_at, log_offset)
          values (${from}, ${to}, 'test', now(), ${offset})`
      yield* cover(10n, 20n, 5n)
      yield* cover(30n, 40n, 9n)
      assert.deepStrictEqual(yield* finalized, [])
      yield* sql`insert into cursors (id, log_offset, slot) values ('old', 4, 41)`
      assert.deepStrictEqual(yield* finalized, [])
      yield* sql`insert into cursors (id, log_offset, slot) values ('new', 5, 41)`
      assert.deepStrictEqual(yield* finalized, ["20", "15", "10"])
      yield* sql`update cursors set log_offset = 9 where id = 'new'`
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
      const finalized = Effect.map(read(baseMint), ({ data }) =>
        data.filter(({ finality }) => finality === "finalized").map(({ slot, venue }) => `${slot} ${venue}`),
      )
      yield* sql`delete from coverage`
      yield* sql`insert into cursors (id, log_offset, slot) values ('newest', 100, 80) on conflict do nothing`
      yield* sql`
        insert into pool_coverage (pool, from_slot, to_slot, proven_by, proven_at, log_offset)
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
      const { data, pagination } = yield* read(SEEDED_MINTS.spl, "?limit=5")
      assert.deepStrictEqual(data, [])
      assert.deepStrictEqual(pagination, { limit: 5, nextCursor: null })
      const unknown = yield* request(`/api/launch/pool/${sampleAddress()}/trades`)
      assert.strictEqual(unknown.status, 404)
      assert.strictEqual(unknown.body.code, "not_found")
    }),
  )
})
