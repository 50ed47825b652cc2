import { assert, layer } from "@effect/vitest"
import { WALLET_LAUNCHES_MAX, WALLET_TRADES_MAX } from "@launch-registry/domain/wallets/WalletToken"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SOL, sampleAddress } from "../../../service/test/Samples.ts"
import { type WalletPosition, walletTokens } from "../../src/wallets/WalletTokens.ts"
import { readingOf } from "../PreparedPlans.ts"

const ROWS = 40_000
const LIMIT = 20
const [many, few, nobody] = [sampleAddress(), sampleAddress(), sampleAddress()] as const

/** Half of the trades and an eighth of the launches are one wallet's; a quarter of the launches is registered. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    insert into trades (ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
      next_sqrt_price, block_time)
    select (n / 2 + 1000000)::bigint << 20, lpad(translate(n::text, '0', 'A'), 88, '2'), 'pool' || n % 4000, 'mint' || n % 4000,
      ${SOL}, case when n % 2 = 0 then ${many} when n % 4001 = 0 then ${few} else 'wallet' || n end,
      case when n % 6 = 0 then 'SELL' else 'BUY' end, 2, 3, 1, 1, timestamptz '2026-01-01Z' + n * interval '1 second'
    from generate_series(1, ${ROWS}::int) n`
  yield* sql`
    insert into dbc_pools (pool, pool_type, config, creator, base_mint, quote_mint, name, symbol, uri, supply, decimals,
      created_slot, created_at)
    select 'pool' || n, 0, 'config', case when n % 8 = 0 then ${many} else 'creator' || n end, 'mint' || n, ${SOL}, '', '', '',
      1, 6, 1 + n / 1000, timestamptz '2025-01-01Z' + n * interval '1 second'
    from generate_series(0, ${ROWS}::int - 1) n`
  yield* sql`
    insert into launch_listings (pool, base_mint, config, creator, quote_mint, stage, is_registered, launched_at)
    select pool, base_mint, config, creator, quote_mint, 'curve', substr(pool, 5)::int % 4 = 0, created_at from dbc_pools`
  yield* sql`analyze trades, dbc_pools, launch_listings`
})

/** Tables of this size would cost less to read whole than by an index for thousands of rows; those of millions do not. */
const asLarge = (sql: SqlClient) => sql`select set_config('enable_seqscan', 'off', true)`

/** By reading every trade and every launch. */
const expected = Effect.fn(function* (wallet: string) {
  const sql = yield* SqlClient
  return yield* sql<{ readonly mintAddress: string; readonly trades: number; readonly bought: string }>`
    select base_mint as mint_address, count(side)::int as trades,
      coalesce(sum(base_amount) filter (where side = 'BUY'), 0) as bought
    from (
      (select base_mint, ordinal, side, base_amount from trades where trader = ${wallet}
        order by ordinal desc, signature desc limit ${WALLET_TRADES_MAX + 1})
      union all
      (select base_mint, created_slot << 32, null, null from dbc_pools where creator = ${wallet}
        order by created_at desc, pool desc limit ${WALLET_LAUNCHES_MAX + 1})
    ) a
    where exists (select from launch_listings l where l.base_mint = a.base_mint and is_registered)
    group by base_mint order by max(ordinal) desc, base_mint collate "C" desc`
})

layer(Layer.provideMerge(Layer.effectDiscard(fill), TestDatabase.layer), { timeout: "60 seconds" })(
  "Tokens of a wallet among many",
  (it) => {
    it.effect("are each there once, in order, and what is read is bounded whatever the wallet has", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        for (const wallet of [many, few, nobody]) {
          const all = yield* expected(wallet)
          const most = wallet === many ? 6 * (WALLET_TRADES_MAX + WALLET_LAUNCHES_MAX) : 20 * LIMIT
          const found: Array<(typeof all)[number]> = []
          let after: WalletPosition | undefined
          do {
            const page = Effect.andThen(asLarge(sql), walletTokens(sql, wallet, { after, limit: LIMIT }))
            const read = yield* readingOf(["trades", "dbc_pools", "launch_listings"], page)
            assert.isAtMost(read.rows, most, wallet)
            const rows = read.found.flatMap((row) => (row.mintAddress === null ? [] : [row]))
            for (const { boughtBase: bought, mintAddress, trades } of rows) found.push({ mintAddress, trades, bought })
            const last = rows.at(-1)
            after = rows.length < LIMIT ? undefined : { ...last!, head: after?.head ?? read.found[0]!.head! }
          } while (after !== undefined && found.length < 5 * LIMIT)
          assert.deepStrictEqual(found, all.slice(0, found.length), wallet)
          assert.isAtLeast(found.length, Math.min(all.length, 5 * LIMIT), wallet)
        }
      }),
    )
  },
)
