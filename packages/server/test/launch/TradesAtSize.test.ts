import { assert, layer } from "@effect/vitest"
import type { TradeFilter } from "@launch-registry/domain/launch/TradeList"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { listedTrades } from "../../src/launch/Trades.ts"
import type { TradePosition } from "../../src/history/StoredTrade.ts"
import { readingOf } from "../PreparedPlans.ts"

const TRADES = 40_000
const LIMIT = 20

const [few, many, coin] = [sampleAddress(), sampleAddress(), sampleAddress()]

/** Ten trades a second from 2026-01-01 on; only the oldest of `many` are sales, and none of them is of `coin`. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    insert into trades (ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
      next_sqrt_price, venue, block_time)
    select n::bigint << 20, 'signature' || n, 'pool', case when n % 3 = 0 then ${coin} else 'coin' || n % 500 end, 'quote',
      case when n % 4000 = 0 then ${few} when n % 3 = 1 then ${many} else 'somebody' || n end,
      case when n % 3 = 1 and n > 900 or n % 5 < 3 then 'BUY' else 'SELL' end, 1, 1, 1, 1,
      case when n % 7 = 0 and n < 20000 then 'damm_v2' else 'dbc' end,
      timestamptz '2026-01-01Z' + (n / 10 - n % 4) * interval '1 second'
    from generate_series(1, ${TRADES}::int) n`
  yield* sql`analyze trades`
})

const FILTERS: ReadonlyArray<TradeFilter> = [
  {},
  { side: "SELL" },
  { venue: "damm_v2" },
  { venue: "dbc", side: "SELL" },
  { trader: few as never },
  { trader: many as never, venue: "damm_v2" },
  { mintAddress: coin as never, venue: "damm_v2" },
  { trader: many as never },
  { trader: many as never, side: "SELL" },
  { trader: many as never, mintAddress: coin as never },
  { trader: few as never, mintAddress: coin as never },
  { mintAddress: coin as never },
  { mintAddress: coin as never, side: "SELL", to: "2026-01-01T00:20:00Z" },
  { to: "2026-01-01T00:01:00Z" },
  { from: "2026-01-01T01:00:00Z" },
  { trader: many as never, from: "2026-01-01T00:01:00Z" },
  { trader: many as never, from: "2026-01-01T00:01:00Z", to: "2026-01-01T00:02:00Z" },
  { trader: many as never, to: "2025-12-31T00:00:00Z" },
]

/** Signatures by reading every trade. */
const expected = Effect.fn(function* ({ from, mintAddress: mint, side, to, trader, venue }: TradeFilter) {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly signature: string }>`
    select signature from trades
    where trader = coalesce(${trader ?? null}::text, trader) and base_mint = coalesce(${mint ?? null}::text, base_mint)
      and side = coalesce(${side ?? null}::text, side) and venue = coalesce(${venue ?? null}::text, venue)
      and block_time >= coalesce(${from ?? null}::timestamptz, block_time)
      and (${to ?? null}::timestamptz is null or block_time < ${to ?? null}::timestamptz)
    order by ordinal desc, signature desc`
  return rows.map(({ signature }) => signature)
})

/** Filters that an index begins with. */
const SINGLE = FILTERS.filter(
  (filter) =>
    Object.keys(filter).every((name) => ["mintAddress", "trader", "to", "from"].includes(name)) &&
    !(filter.mintAddress && filter.trader),
)

layer(Layer.provideMerge(Layer.effectDiscard(fill), TestDatabase.layer))("A list of many trades", (it) => {
  it.effect("has what reading them all finds, page by page, whatever the filters", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const filter of FILTERS)
        for (const limit of [700, 60]) {
          const all = yield* expected(filter)
          const found: Array<string> = []
          for (let after: TradePosition | undefined; found.length < 1_000;) {
            const { end, rows }: Effect.Success<ReturnType<typeof listedTrades>> = yield* listedTrades(
              ...([sql, filter, after, limit] as const),
            )
            found.push(...rows.map(({ signature }) => signature))
            after = end
            if (after === undefined) break
          }
          const said = JSON.stringify({ filter, limit })
          assert.deepStrictEqual(found, all.slice(0, found.length), said)
          assert.isAtLeast(found.length, Math.min(all.length, 1_000), said)
        }
    }),
  )

  it.effect("reads little more than a page by the index of the trader, of the mint, or of all", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const filter of SINGLE) {
        const { rows, scans } = yield* readingOf(["trades"], listedTrades(sql, filter, undefined, LIMIT))
        assert.strictEqual(scans, 0, JSON.stringify(filter))
        // Two searches for times, and the trades of twenty seconds; where one trade in three is found, all are as good.
        assert.isAtMost(rows, 6 * LIMIT + 2 * 64 + 200, JSON.stringify(filter))
      }
    }),
  )
})
