import { randomUUID } from "node:crypto"
import { firstOrdinalOf } from "@launch-registry/domain/solana/Ordinal"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { historyRound } from "../../src/history/HistoryRound.ts"
import { historyStatements } from "../../src/history/HistoryStatements.ts"
import { forgetChain } from "../../src/identity/ForgetChain.ts"
import { blocks, forged, LAST, ORIGIN, randomSignature, roundAtLast } from "../finality/ReconciledIndex.ts"
import { wholeLog } from "../retention/SweptIndex.ts"
import { standInCluster } from "../StandInCluster.ts"
import { fold, lead, receiveTransactions, testIndex } from "../TestIndex.ts"
import { comparedHistory, historyIndex } from "./HistoryIndex.ts"

const proven = Effect.map(standInCluster(blocks), (cluster) => {
  cluster.finalizedSlot = LAST
  return cluster
})

describe("A round of history", () => {
  it.live("sends what is proven, and nothing above it", () =>
    Effect.gen(function* () {
      const cluster = yield* proven
      cluster.finalizedSlot = LAST - 20
      yield* historyIndex(cluster, (clickhouse) =>
        Effect.gen(function* () {
          const fence = yield* lead
          yield* wholeLog(fence)
          const sent = yield* historyRound(clickhouse, fence)
          const found = yield* comparedHistory(clickhouse)
          assert.strictEqual(found.sentBelow, firstOrdinalOf(BigInt(LAST - 19)))
          assert.deepStrictEqual(found.clickhouse, found.postgres)
          assert.strictEqual(String(sent), found.postgres.rows)
          for (const table of ["trades", "trades_by_trader"])
            assert.deepStrictEqual(yield* clickhouse.select(`select count() as rows from ${table}`), [
              { rows: found.postgres.rows },
            ])
          assert.strictEqual(yield* historyRound(clickhouse, fence), 0)
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("sends nothing of slots of which something was received that is not compared yet", () =>
    Effect.gen(function* () {
      const cluster = yield* proven
      yield* historyIndex(cluster, (clickhouse) =>
        Effect.gen(function* () {
          const fence = yield* lead
          yield* wholeLog(fence)
          const slot = ORIGIN + 10
          const { transactions } = blocks.find((block) => block.slot === slot)!
          yield* receiveTransactions([forged(transactions[0]!, { signature: randomSignature(1), slot })])
          yield* fold(fence)
          assert.strictEqual(yield* historyRound(clickhouse, fence), 0)
          yield* roundAtLast(fence)
          yield* fold(fence)
          assert.isAbove(yield* historyRound(clickhouse, fence), 100)
          const found = yield* comparedHistory(clickhouse)
          assert.deepStrictEqual(found.clickhouse, found.postgres)
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("empties history when the chain is forgotten", () =>
    Effect.gen(function* () {
      const cluster = yield* proven
      yield* historyIndex(cluster, (clickhouse) =>
        Effect.gen(function* () {
          const fence = yield* lead
          yield* wholeLog(fence)
          yield* historyRound(clickhouse, fence)
          yield* forgetChain(fence)
          yield* historyRound(clickhouse, fence)
          for (const table of ["trades", "trades_by_trader"])
            assert.deepStrictEqual(yield* clickhouse.select(`select count() as rows from ${table}`), [{ rows: "0" }])
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live(
    "tells of configurations with trades, and of launchpads when they are registered, corrected and deleted",
    () =>
      Effect.gen(function* () {
        const cluster = yield* proven
        yield* historyIndex(cluster, (clickhouse) =>
          Effect.gen(function* () {
            const sql = yield* SqlClient
            const fence = yield* lead
            yield* wholeLog(fence)
            yield* historyRound(clickhouse, fence)
            const configs = yield* sql<{ readonly baseMint: string; readonly config: string }>`
            select distinct t.base_mint, p.config from trades t join dbc_pools p on p.base_mint = t.base_mint order by 1`
            assert.isAbove(configs.length, 1)
            assert.deepStrictEqual(
              yield* clickhouse.select("select distinct base_mint, config from trades order by base_mint"),
              configs.map(({ baseMint, config }) => ({ base_mint: baseMint, config })),
            )
            const mint = configs[1]!.baseMint
            const told = clickhouse.select("select base_mint, launchpad from tokens final")
            yield* sql`
            insert into tokens (id, mint_address, name, symbol, total_supply, decimals, owner, launchpad, created_at, updated_at)
            values (gen_random_uuid(), ${mint}, 'name', 'symbol', 1, 6, 'owner', 'launchpad_b', now(), now())`
            for (const [launchpad, change] of [
              ["launchpad_b", sql`select 1`],
              ["launchpad_a", sql`update tokens set launchpad = 'launchpad_a', updated_at = now()`],
              ["", sql`update tokens set deleted_at = now()`],
            ] as const) {
              yield* change
              yield* historyRound(clickhouse, fence)
              assert.deepStrictEqual(yield* told, [{ base_mint: mint, launchpad }])
            }
          }),
        )
      }).pipe(Effect.scoped),
  )

  it.live("finds changed registrations by an index", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`
        insert into tokens (id, mint_address, name, symbol, total_supply, decimals, owner, launchpad, created_at, updated_at)
        select gen_random_uuid(), 'mint' || n, 'name', 'symbol', 1, 6, 'owner', 'launchpad_b', now(), now() - interval '5 minutes' * n
        from generate_series(1, 3000) n`
      yield* sql`analyze tokens`
      const { found, reads } = yield* sql.withTransaction(
        Effect.gen(function* () {
          const changedAt = new Date(Date.now() - 600_000)
          const found = yield* historyStatements(sql).tokensAfter({ changedAt, id: randomUUID() })
          assert.lengthOf(yield* historyStatements(sql).tokensAfter(found[0]!), found.length - 1)
          const [row] = yield* sql<{ readonly reads: bigint }>`
            select coalesce(seq_tup_read, 0) as reads from pg_stat_xact_all_tables where relname = 'tokens'`
          return { found, reads: row!.reads }
        }),
      )
      assert.isAtMost(found.length, 3)
      assert.strictEqual(reads, 0n)
    }).pipe(Effect.provide(testIndex)),
  )
})
