import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { newestRows } from "@launch-registry/postgres/IndexRanges"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"
import { hourOf } from "../../indexer/src/partitions/PartitionedRange.ts"
import { cut, rowsOf } from "../../indexer/test/partitions/PartitionedIndex.ts"
import { candleRows, storedCandles } from "../../server/src/launch/CandleRows.ts"
import { marketRows } from "../../server/src/launch/Markets.ts"
import { waysToTrades } from "../../server/src/launch/Trades.ts"
import { tradeStatements } from "../../server/src/transactions/IndexedTrades.ts"
import { firstSlotRows } from "../../server/src/trust/FirstSlots.ts"
import { PLAN_MODES, planNodes, type PlanNode } from "../../server/test/PlanNodes.ts"

const PARTITIONS = 16
const [MINT, TRADER] = ["coin7", "somebody7"]
const BEGIN = new Date("2026-01-01T00:00:00Z")

/** 500 mints that are traded in every partition, and three partitions ahead. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* cut({
    trades: Array.from({ length: PARTITIONS }, (_, index) => BigInt(index * 100)),
    minutes: Array.from({ length: PARTITIONS }, (_, index) => hourOf(BEGIN) + BigInt(index * 5)),
  })
  yield* sql`
    insert into trades (ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee, next_sqrt_price,
      block_time)
    select n::bigint << 27, 'signature' || n, 'pool' || n % 500, 'coin' || n % 500, 'quote', 'somebody' || n % 3000, 'BUY', 1, 1, 1, 1,
      ${BEGIN}::timestamptz + n * interval '5 second'
    from generate_series(1, 32 * 100 * ${PARTITIONS - 4}::integer - 1) n`
  yield* sql`
    insert into candles
    select base_mint, s, case s when 0 then to_timestamp(0) else date_bin(make_interval(secs => s), block_time, 'epoch') end,
      min(ordinal), max(ordinal), 1, 1, 1, 1, 1, 1, count(*)
    from trades, unnest(array[0, 60, 3600]) s group by 1, 2, 3`
  yield* sql`
    insert into dbc_pools (pool, base_mint, quote_mint, config, creator, name, symbol, uri, pool_type, created_slot,
      created_at)
    select 'pool' || n, 'coin' || n, 'quote', 'config', 'creator', 'n', 's', 'u', 0, n, now() from generate_series(1, 499) n`
  for (const table of ["trades", "candles", "dbc_pools"]) yield* sql`analyze ${sql(table)}`
})

const page = (sql: SqlClient, before = sql``) => sql`
  select t.ordinal, t.signature from trades t where t.base_mint = ${MINT} ${before}
  order by t.ordinal desc, t.signature desc limit ${31}`
const wayOf = (sql: SqlClient, filter: Parameters<typeof waysToTrades>[1]) =>
  sql`${newestRows(sql, waysToTrades(sql, filter, [])[0]!, "t.*", 20)}`
const candles = (sql: SqlClient, interval: "1m" | "1h") => {
  const range = { interval, figure: "price", from: undefined, to: undefined, limit: 30 } as const
  return candleRows(sql, range, storedCandles(sql, MINT, range))
}

const WANTED = { signature: "signature7", baseMint: MINT, user: TRADER }

/** Statements with the most rows they may read of trades and candles, and the most partitions of these. */
const statementsOf = (
  sql: SqlClient,
): Readonly<Record<string, readonly [statement: Statement<unknown>, rowsMax: number, partitionsMax: number]>> => ({
  "newest trades of a mint": [page(sql), 40, 9],
  "the next page": [page(sql, sql`and (t.ordinal, t.signature) < (${900n << 32n}, ${"s"})`), 250, PARTITIONS + 1],
  "newest trades": [wayOf(sql, {}), 21, 5],
  "newest trades of a trader": [wayOf(sql, { trader: TRADER as never }), 60, PARTITIONS + 1],
  "newest trades of a mint with a filter": [wayOf(sql, { mint: MINT as never }), 60, PARTITIONS + 1],
  "minute candles": [candles(sql, "1m"), 60, 10],
  "hour candles": [candles(sql, "1h"), 60, 1],
  markets: [marketRows(sql, [MINT, "coin8"]), 20, 20],
  "first slots": [firstSlotRows(sql, [MINT, "coin8"]), 20, 2],
  "whether a trade is among the newest of a mint": [tradeStatements(sql).newestOfMints([WANTED]), 900, PARTITIONS + 1],
  "whether a trade is among the newest of a user": [tradeStatements(sql).newestOfUsers([WANTED]), 900, PARTITIONS + 1],
  "trades of a transaction": [tradeStatements(sql).inSlots([["signature7", 7n]]), 20, 2],
})

const isOfFacts = (node: PlanNode): boolean => /^(trades|candles)/.test(node["Relation Name"] ?? "")
const rowsReadBy = (node: PlanNode): number =>
  node["Actual Loops"] *
  (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0))

layer(Layer.provideMerge(Layer.effectDiscard(fill), TestDatabase.layer))("Reads of partitioned tables", (it) => {
  it.effect("read few rows, of no partition as a whole, and pages without sorting, with plans of either kind", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const filled = new Set((yield* rowsOf("trades")).map(({ name }) => name))
      assert.strictEqual(filled.size, PARTITIONS - 4)
      for (const [name, [statement, rowsMax, partitionsMax]] of Object.entries(statementsOf(sql)))
        for (const mode of PLAN_MODES) {
          const nodes = yield* planNodes(mode, statement)
          const read = nodes.filter((node) => isOfFacts(node) && node["Actual Loops"] > 0)
          const said = JSON.stringify({ name, mode, nodes })
          assert.isAtMost(
            read.reduce((sum, node) => sum + rowsReadBy(node), 0),
            ...([rowsMax, said] as const),
          )
          assert.isAtMost(new Set(read.map((node) => node["Relation Name"])).size, partitionsMax, said)
          for (const node of read)
            if (filled.has(node["Relation Name"]!)) assert.notStrictEqual(node["Node Type"], "Seq Scan", said)
          if (["newest trades of a mint", "the next page", "newest trades"].includes(name))
            assert.notInclude(
              nodes.map((node) => node["Node Type"]),
              ...(["Sort", said] as const),
            )
        }
    }),
  )

  it.effect("hold few locks once their plan is cached", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const locks: Record<string, number> = {}
      const session = yield* sql.reserve
      for (const [name, [statement]] of Object.entries(statementsOf(sql))) {
        const [text, params] = statement.compile()
        const quoted = params.map((value) => `'${Array.isArray(value) ? `{${value.join(",")}}` : String(value)}'`)
        const execute = `execute asked${quoted.length === 0 ? "" : `(${quoted.join(", ")})`}`
        const ask = (asked: string) => session.executeRaw(asked, [])
        for (const asked of ["set plan_cache_mode = force_generic_plan", `prepare asked as ${text}`, execute])
          yield* ask(asked)
        const counts: Array<number> = []
        for (let transaction = 0; transaction < 10; transaction++) {
          yield* ask("begin")
          yield* ask(execute)
          const [row] = yield* session.execute(
            `select count(*)::integer as locks from pg_locks where pid = pg_backend_pid() and relation::regclass::text ~ 'trades|candles'`,
            ...([[], undefined] as const),
          )
          counts.push((row as { readonly locks: number }).locks)
          yield* ask("rollback")
        }
        // A cached plan may be dropped at any time, as when the table is analyzed: planning again locks all partitions.
        locks[name] = Math.min(...counts)
        for (const asked of ["deallocate asked", "reset plan_cache_mode"]) yield* ask(asked)
      }
      // The table, its partitions, and an index of each; markets read both tables. PostgreSQL 18 has 64 locks of a session without the shared table.
      for (const [name, count] of Object.entries(locks))
        assert.isAtMost(count, (name === "markets" ? 2 : 1) * 2 * (PARTITIONS + 3), JSON.stringify(locks))
    }).pipe(Effect.scoped),
  )
})
