import type { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { firstOrdinalOf } from "@launch-registry/solana/Ordinal"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { historyRound } from "../../src/history/HistoryRound.ts"
import { historyStatements } from "../../src/history/HistoryStatements.ts"
import { forgetChain } from "../../src/identity/ForgetChain.ts"
import { replay } from "../../src/replay/Rebuild.ts"
import type { LogEntry } from "../../src/sink/InboxStatements.ts"
import { Sink } from "../../src/sink/Sink.ts"
import { blocks, LAST, ORIGIN } from "../finality/ReconciledIndex.ts"
import { wholeLog } from "../retention/SweptIndex.ts"
import { standInCluster } from "../StandInCluster.ts"
import { fold, lead, testIndex } from "../TestIndex.ts"
import { comparedHistory, historyIndex, storedRows } from "./HistoryIndex.ts"

const proven = Effect.map(standInCluster(blocks), (cluster) => {
  cluster.finalizedSlot = LAST
  return cluster
})

/** Does something once a batch of trades has been read, before it is sent. */
const interposed = <E>(clickhouse: ClickHouse, before: Effect.Effect<unknown, E>): ClickHouse => {
  let isDone = false
  return {
    ...clickhouse,
    insert: (table, columns, rows) => {
      if (table !== "trades" || isDone) return clickhouse.insert(table, columns, rows)
      isDone = true
      return Effect.andThen(Effect.orDie(before), clickhouse.insert(table, columns, rows))
    },
  }
}

const someTrade = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [entry] = yield* sql<LogEntry>`
    select i.log_offset, i.position, i.slot, i.signature from trades t
    join inbox_transactions i on i.slot = t.ordinal >> 32 and i.signature = t.signature order by t.ordinal limit 1`
  return entry!
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
          const done = yield* historyRound(clickhouse, fence)
          const found = yield* comparedHistory(clickhouse)
          assert.strictEqual(found.sentBelow, firstOrdinalOf(BigInt(LAST - 19)))
          assert.deepStrictEqual(found.clickhouse, found.postgres)
          assert.strictEqual(String(done.trades), found.postgres.rows)
          const all = yield* clickhouse.select<{ readonly rows: string }>(
            "select toString(count()) as rows from trades final",
          )
          assert.strictEqual(all[0]!.rows, found.postgres.rows)
          assert.deepStrictEqual(yield* historyRound(clickhouse, fence), { trades: 0, changes: 0, isBehind: false })
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("sends again what was reverted while it was on its way", () =>
    Effect.gen(function* () {
      const cluster = yield* proven
      yield* historyIndex(cluster, (clickhouse) =>
        Effect.gen(function* () {
          const sink = yield* Sink
          const fence = yield* lead
          yield* wholeLog(fence)
          const entry = yield* someTrade
          const round = yield* historyRound(interposed(clickhouse, sink.drop([entry], "test", fence)), fence)
          assert.isAbove(round.changes, 0)
          const found = yield* comparedHistory(clickhouse)
          assert.deepStrictEqual(found.clickhouse, found.postgres)
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("keeps a note that was made again while the change was on its way", () =>
    Effect.gen(function* () {
      const cluster = yield* proven
      yield* historyIndex(cluster, (clickhouse) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const sink = yield* Sink
          const fence = yield* lead
          yield* wholeLog(fence)
          yield* historyRound(clickhouse, fence)
          const entry = yield* someTrade
          yield* sink.drop([entry], "test", fence)
          // The chain has it after all.
          const again = sql`
            with back as (insert into inbox_transactions (slot, signature, log_offset, position)
              values (${entry.slot}, ${entry.signature}, ${entry.logOffset}, ${entry.position}))
            delete from inbox_dropped`.pipe(
            Effect.andThen(sql`update cursors set log_offset = 0`),
            Effect.andThen(fold(fence)),
          )
          const context = yield* Effect.context<Effect.Services<typeof again>>()
          yield* historyRound(interposed(clickhouse, Effect.provide(again, context)), fence)
          const found = yield* comparedHistory(clickhouse)
          assert.deepStrictEqual(found.clickhouse, found.postgres)
          const [row] = yield* sql<{ readonly is: boolean }>`
            select exists (select from trades where signature = ${entry.signature}) as is`
          assert.isTrue(row!.is)
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("sends everything again after a replay, and takes back what history has besides", () =>
    Effect.gen(function* () {
      const cluster = yield* proven
      yield* historyIndex(cluster, (clickhouse, server) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const fence = yield* lead
          yield* wholeLog(fence)
          yield* historyRound(clickhouse, fence)
          const rows = yield* storedRows(server)
          // As if other modules had seen a trade that these do not.
          yield* server.run(
            "insert into history.trades select * replace ('others' as signature, 1 as version) from history.trades limit 1",
          )
          yield* replay(fence)
          yield* historyRound(clickhouse, fence)
          const found = yield* comparedHistory(clickhouse)
          assert.deepStrictEqual(found.clickhouse, found.postgres)
          assert.isAbove(yield* storedRows(server), rows)
          const { resendBelow } = yield* historyStatements(sql).progress
          assert.strictEqual(resendBelow, 0n)
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("begins again where the tables are switched while a batch is on its way", () =>
    Effect.gen(function* () {
      const cluster = yield* proven
      yield* historyIndex(cluster, (clickhouse) =>
        Effect.gen(function* () {
          const fence = yield* lead
          yield* wholeLog(fence)
          const switching = replay(fence)
          const context = yield* Effect.context<Effect.Services<typeof switching>>()
          const round = historyRound(interposed(clickhouse, Effect.provide(switching, context)), fence)
          assert.isTrue((yield* round).isBehind)
          assert.isFalse((yield* historyRound(clickhouse, fence)).isBehind)
          const found = yield* comparedHistory(clickhouse)
          assert.isAbove(Number(found.postgres.rows), 100)
          assert.deepStrictEqual(found.clickhouse, found.postgres)
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("sends the trade that took the place of another one", () =>
    Effect.gen(function* () {
      const cluster = yield* proven
      yield* historyIndex(cluster, (clickhouse) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const fence = yield* lead
          yield* wholeLog(fence)
          yield* historyRound(clickhouse, fence)
          // As after a delivery with altered contents, and the chain's in its place: another trader, or another mint.
          for (const column of ["trader", "base_mint"] as const) {
            yield* sql`
              insert into history_changes (ordinal, signature, base_mint, trader)
              select ordinal, signature, base_mint, trader from trades order by ordinal limit 9`
            yield* sql`
              update trades t set ${sql(column)} = 'A' || substr(t.${sql(column)}, 2)
              from history_changes c where c.ordinal = t.ordinal and c.signature = t.signature`
            yield* sql`
              insert into history_changes (ordinal, signature, base_mint, trader)
              select ordinal, signature, base_mint, trader from trades order by ordinal limit 9
              on conflict do nothing`
            yield* historyRound(clickhouse, fence)
            const found = yield* comparedHistory(clickhouse)
            assert.deepStrictEqual(found.clickhouse, found.postgres, column)
            const [row] = yield* clickhouse.select<{ readonly rows: string }>(
              "select toString(count()) as rows from trades_by_trader final",
            )
            assert.strictEqual(row!.rows, found.postgres.rows)
          }
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
          assert.deepStrictEqual(
            yield* clickhouse.select("select toString(count()) as rows from trades_by_trader final"),
            [{ rows: "0" }],
          )
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("tells of tokens when their pools are created and when they are registered", () =>
    Effect.gen(function* () {
      const cluster = yield* proven
      yield* historyIndex(cluster, (clickhouse, server) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const fence = yield* lead
          yield* wholeLog(fence)
          yield* historyRound(clickhouse, fence)
          const told = clickhouse.select<{ readonly base_mint: string; readonly launchpad: string }>(
            "select base_mint, launchpad from tokens final order by base_mint",
          )
          const mints = yield* sql<{
            readonly baseMint: string
          }>`select distinct base_mint from dbc_pools order by base_mint`
          assert.deepStrictEqual(
            yield* told,
            mints.map(({ baseMint }) => ({ base_mint: baseMint, launchpad: "" })),
          )
          const mint = mints[1]!.baseMint
          yield* sql`
            insert into tokens (id, mint_address, name, symbol, total_supply, decimals, owner, launchpad, created_at, updated_at)
            values (gen_random_uuid(), ${mint}, 'name', 'symbol', 1, 6, 'owner', 'launchpad_b', now(), now())`
          yield* historyRound(clickhouse, fence)
          assert.deepStrictEqual(
            (yield* told).filter(({ launchpad }) => launchpad !== ""),
            [{ base_mint: mint, launchpad: "launchpad_b" }],
          )
          const before = yield* server.statements
          yield* historyRound(clickhouse, fence)
          const since = (yield* server.statements).slice(before.length)
          assert.deepStrictEqual(
            since.filter((statement) => /^insert/i.test(statement)),
            [],
          )
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("finds new registrations by an index", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`
        insert into tokens (id, mint_address, name, symbol, total_supply, decimals, owner, launchpad, created_at, updated_at)
        select gen_random_uuid(), 'mint' || n, 'name', 'symbol', 1, 6, 'owner', 'launchpad_b', now() - interval '1 second' * n, now()
        from generate_series(1, 3000) n`
      yield* sql`analyze tokens`
      const { found, reads } = yield* sql.withTransaction(
        Effect.gen(function* () {
          const found = yield* historyStatements(sql).registeredAfter(new Date(Date.now() - 5_000), 100)
          const [row] = yield* sql<{ readonly reads: bigint }>`
            select coalesce(seq_tup_read, 0) as reads from pg_stat_xact_all_tables where relname = 'tokens'`
          return { found, reads: row!.reads }
        }),
      )
      assert.isAtMost(found.length, 6)
      assert.strictEqual(reads, 0n)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("does not revert what has left PostgreSQL", () =>
    Effect.gen(function* () {
      const cluster = yield* proven
      yield* historyIndex(cluster, () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const sink = yield* Sink
          const fence = yield* lead
          yield* wholeLog(fence)
          yield* historyStatements(sql).close(BigInt(ORIGIN), BigInt(ORIGIN + 4))
          const refused = yield* Effect.flip(sink.undo(BigInt(ORIGIN + 3), fence))
          assert.strictEqual(refused._tag, "SlotsClosed")
          assert.isAbove(yield* sink.undo(BigInt(ORIGIN + 4), fence), 0)
        }),
      )
    }).pipe(Effect.scoped),
  )
})
