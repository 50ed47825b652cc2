import { assert, layer } from "@effect/vitest"
import type { TradeFilter } from "@launch-registry/domain/launch/TradeList"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import type { ListBounds } from "@launch-registry/postgres/ListRows"
import { newestRows } from "@launch-registry/postgres/IndexRanges"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { listedTrades, waysToTrades, withinTimes } from "../../src/launch/Trades.ts"
import type { TradePosition } from "../../src/launch/StoredTrade.ts"
import { PLAN_MODES, planOf, rowsReadBy } from "../PreparedPlans.ts"

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
  { mint: coin as never, venue: "damm_v2" },
  { trader: many as never },
  { trader: many as never, side: "SELL" },
  { trader: many as never, mint: coin as never },
  { trader: few as never, mint: coin as never },
  { mint: coin as never },
  { mint: coin as never, side: "SELL", to: "2026-01-01T00:20:00Z" },
  { to: "2026-01-01T00:01:00Z" },
  { from: "2026-01-01T01:00:00Z" },
  { trader: many as never, from: "2026-01-01T00:01:00Z" },
  { trader: many as never, from: "2026-01-01T00:01:00Z", to: "2026-01-01T00:02:00Z" },
  { trader: many as never, to: "2025-12-31T00:00:00Z" },
]

/** Signatures by reading every trade. */
const expected = Effect.fn(function* ({ from, mint, side, to, trader, venue }: TradeFilter) {
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

const BOUNDS: ListBounds = { near: 30, nearPerRow: 1, few: 80, far: 100, skipWalks: 5 }

/** Trades that were read in this transaction, and how often the table was read as a whole. */
const rowsRead = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [read] = yield* sql<{ readonly rows: number; readonly scans: number }>`
    select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows, coalesce(seq_scan, 0)::int as scans
    from pg_stat_xact_user_tables where relname = 'trades'`
  return read!
})

layer(Layer.provideMerge(Layer.effectDiscard(fill), TestDatabase.layer))("A list of many trades", (it) => {
  it.effect("has what reading them all finds, page by page, whatever the filters", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const filter of FILTERS)
        for (const [limit, bounds] of [
          [700, undefined],
          [60, BOUNDS],
        ] as const) {
          const all = yield* expected(filter)
          const found: Array<string> = []
          for (let after: TradePosition | undefined; found.length < 1_000;) {
            const { end, rows }: Effect.Success<ReturnType<typeof listedTrades>> = yield* listedTrades(
              ...[sql, filter, after, limit, bounds],
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

  it.effect("reads no table as a whole, and few rows, with plans of either kind", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      // Two ways, each walked twice and counted; two searches for times; and the trades of twenty seconds.
      const rowsMax = 2 * (BOUNDS.near + BOUNDS.nearPerRow * LIMIT + BOUNDS.far + BOUNDS.few) + 2 * 64 + 200
      for (const mode of PLAN_MODES)
        for (const filter of FILTERS)
          yield* Effect.gen(function* () {
            yield* sql`select set_config('plan_cache_mode', ${mode}, true)`
            const before = yield* rowsRead
            yield* listedTrades(sql, filter, undefined, LIMIT, BOUNDS)
            const after = yield* rowsRead
            const said = JSON.stringify({ mode, filter })
            assert.strictEqual(after.scans, before.scans, said)
            assert.isAtMost(after.rows - before.rows, rowsMax, said)
          }).pipe(sql.withTransaction)
    }),
  )

  it.effect("is read from the index of the trader, of the mint, or of all", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const used = new Set<string>()
      for (const filter of FILTERS)
        for (const way of waysToTrades(sql, filter, yield* withinTimes(sql, filter))) {
          const statement = sql`${newestRows(sql, way, "t.*", LIMIT)}`
          for (const mode of PLAN_MODES)
            for (const node of yield* planOf(mode, statement)) {
              const said = JSON.stringify({ filter, mode, node, statement: statement.compile()[0] })
              assert.include(node["Node Type"], "Index", said)
              assert.isAtMost(rowsReadBy(node), LIMIT + 200, said)
              used.add(node["Index Name"]!)
            }
        }
      assert.deepStrictEqual([...used].toSorted(), ["trades_base_mint", "trades_pkey", "trades_trader"])
    }),
  )
})
