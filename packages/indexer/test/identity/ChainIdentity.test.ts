import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { assertSameChain, identityStatements } from "../../src/identity/ChainIdentity.ts"
import { forgetChain } from "../../src/identity/ForgetChain.ts"
import { leadIndexing } from "../../src/LeadIndexing.ts"
import { reportStatements } from "../../src/leader/ReportStatements.ts"
import { Sink } from "../../src/sink/Sink.ts"
import { blocks, covered, LAST, reconciledIndex, round, transactions } from "../finality/ReconciledIndex.ts"
import { until } from "../leader/Until.ts"
import { standInCluster } from "../StandInCluster.ts"
import { digest, fold, lead, receiveTransactions, testIndex } from "../TestIndex.ts"

const NOW = new Date("2026-11-22T00:00:00Z")
const OURS = { genesisHash: "Ours", network: "localnet" }

const known = Effect.flatMap(SqlClient, (sql) => identityStatements(sql).known)
const keep = (genesisHash: string) =>
  Effect.flatMap(SqlClient, (sql) => identityStatements(sql).keep({ genesisHash, network: "localnet" }))
const reported = (cluster: string) =>
  Effect.flatMap(SqlClient, (sql) => reportStatements(sql).write("leader", { cluster }, NOW))

/** All rows of the index that are about a chain. */
const contents = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql`
    select (select count(*) from inbox_segments) + (select count(*) from inbox_transactions)
      + (select count(*) from trades) + (select count(*) from dbc_events) + (select count(*) from candles)
      + (select count(*) from coverage) + (select count(*) from indexer_progress where module_hash is not null) + (select count(*) from indexer_reports where name <> 'windows')
      + (select count(*) from inbox_poison) + (select count(*) from indexer_progress where genesis_hash is not null) as rows`
  return Number((row as { readonly rows: bigint }).rows)
})

const onDatabase = Effect.provide(Layer.provideMerge(testIndex, Logger.layer([])))

describe("The identity of an index", () => {
  it.live("is the first one stored, and no other", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* known)
      assert.deepStrictEqual(yield* keep("Ours"), OURS)
      assert.deepStrictEqual(yield* keep("Another"), OURS)
      assert.deepStrictEqual(yield* known, OURS)
      yield* assertSameChain(OURS, "Ours")
      const { message } = yield* Effect.flip(assertSameChain(OURS, "Another"))
      for (const part of ["Ours", "Another", "DATABASE_URL", "forget-chain --yes"]) assert.include(message, part)
    }).pipe(onDatabase),
  )

  it.live("is required before anything is folded, and needs no request when it is configured", () =>
    Effect.gen(function* () {
      const cluster = (yield* standInCluster(blocks)).finalize(LAST)
      yield* Effect.gen(function* () {
        const sink = yield* Sink
        yield* receiveTransactions(transactions)
        cluster.fail({ code: -32603 }, { method: "getGenesisHash" })
        const leading = { holder: "first", source: "webhook", reconcileMillis: 20 } as const
        yield* Effect.gen(function* () {
          yield* Effect.forkScoped(leadIndexing({ ...leading, network: "localnet" }))
          const sql = yield* SqlClient
          const problem = Effect.map(reportStatements(sql).leader, (said) => said?.problem)
          yield* until(Effect.map(problem, (said) => said?.startsWith("getGenesisHash") === true))
          assert.strictEqual(yield* sink.cursor, 0n)
          assert.isUndefined(yield* known)
        }).pipe(Effect.scoped)
        yield* Effect.gen(function* () {
          yield* Effect.forkScoped(leadIndexing({ ...leading, network: "devnet", genesisHash: "Configured" }))
          yield* until(Effect.map(sink.cursor, (cursor) => cursor > 0n))
          assert.deepStrictEqual(yield* known, { genesisHash: "Configured", network: "devnet" })
        }).pipe(Effect.scoped)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("can be forgotten with everything derived from it; the next chain starts over with increasing ids", () =>
    Effect.gen(function* () {
      const cluster = (yield* standInCluster(blocks)).finalize(LAST)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        yield* keep("Ours")
        yield* receiveTransactions(transactions)
        yield* receiveTransactions([{ poison: true }])
        yield* fold(fence)
        yield* round(fence)
        yield* reported("Ours")
        const whole = yield* digest
        const numbers = sql<{ readonly head: bigint; readonly change: bigint }>`
          select (select next_offset from inbox_head) as head, (select max(id) from index_changes) as change`
        const [before] = yield* numbers
        assert.isAbove(yield* contents, 300)

        const forgotten = new Map((yield* forgetChain(fence)).map(({ rows, table }) => [table as string, rows]))
        assert.strictEqual(yield* contents, 0)
        assert.strictEqual(forgotten.get("inbox_poison"), 1n)
        const trades = whole.find(({ table }) => table === "trades")!
        assert.strictEqual(forgotten.get("trades"), BigInt(trades.rows))
        const [after] = yield* numbers
        assert.strictEqual(after!.head, before!.head)
        // A gap makes followers start over from the tables.
        assert.strictEqual(after!.change, before!.change + 2n)
        assert.lengthOf(yield* sql`select from index_changes`, 1)

        assert.deepStrictEqual(yield* keep("Another"), { genesisHash: "Another", network: "localnet" })
        yield* round(fence)
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
        assert.isNotEmpty(yield* covered)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("cannot be forgotten by a process that does not lead", () =>
    Effect.gen(function* () {
      yield* keep("Ours")
      const { name } = yield* lead
      const { _tag } = yield* Effect.flip(forgetChain({ name, token: 0n }))
      assert.strictEqual(_tag, "LeaseLost")
      assert.deepStrictEqual(yield* known, OURS)
    }).pipe(onDatabase),
  )
})
