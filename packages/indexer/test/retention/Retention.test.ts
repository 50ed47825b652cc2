import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { reconcileStatements } from "../../src/finality/ReconcileStatements.ts"
import { Reconciler } from "../../src/finality/Reconciler.ts"
import { forgetChain } from "../../src/identity/ForgetChain.ts"
import { isSameDigest } from "../../src/replay/Digest.ts"
import { replay } from "../../src/replay/Rebuild.ts"
import { reopenLog } from "../../src/retention/ReopenLog.ts"
import {
  blocks,
  covered,
  LAST,
  landed,
  ORIGIN,
  reconciledIndex,
  round,
  transactions,
} from "../finality/ReconciledIndex.ts"
import { standInCluster } from "../StandInCluster.ts"
import { digest, fold, lead, receive, receiveTransactions } from "../TestIndex.ts"
import { lastBefore, originReported, pruned, slotsInLog, sweptAt, wholeLog } from "./SweptIndex.ts"

const LISTING = "getSignaturesForAddress"
const MIDDLE = ORIGIN + 25
const DAY = { inboxDays: 1 }
const SLOTS = blocks.filter((block) => block.transactions.length > 0).map(({ slot }) => slot)

describe("Of the log", () => {
  it.live("what is older and proven is deleted, and neither fetched again nor taken again", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        yield* wholeLog(fence)
        const before = yield* digest
        const last = lastBefore(MIDDLE)
        yield* sweptAt(MIDDLE, DAY, fence)
        assert.deepInclude(yield* pruned, { fromSlot: BigInt(ORIGIN), toSlot: BigInt(last) })
        const rest = SLOTS.filter((slot) => slot > last)
        assert.isAbove(rest.length, 10)
        assert.deepStrictEqual(yield* slotsInLog, { segments: rest, transactions: rest })
        assert.deepStrictEqual(yield* digest, before)

        const listings = cluster.callsOf(LISTING)
        assert.deepInclude(yield* round(fence), { missing: 0, dropped: 0, proven: [] })
        assert.strictEqual(cluster.callsOf(LISTING), listings)
        assert.deepStrictEqual(yield* covered, [[0, LAST - ORIGIN]])

        yield* receiveTransactions(transactions)
        yield* fold(fence)
        assert.deepStrictEqual(yield* slotsInLog, { segments: rest, transactions: rest })
        const [poison] = yield* sql<{ count: bigint }>`select count(*) from inbox_poison`
        assert.strictEqual(poison!.count, 0n)
        assert.deepStrictEqual(yield* digest, before)

        // And so on, from where it was left off.
        yield* sweptAt(LAST, DAY, fence)
        assert.deepInclude(yield* pruned, { fromSlot: BigInt(ORIGIN), toSlot: BigInt(lastBefore(LAST)) })
        assert.deepStrictEqual(
          (yield* slotsInLog).transactions,
          SLOTS.filter((slot) => slot > lastBefore(LAST)),
        )
        assert.deepStrictEqual(yield* digest, before)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("nothing is deleted before it is proven without a gap, and folded", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const reconciler = yield* Reconciler
        yield* originReported
        for (const block of blocks) yield* receiveTransactions(block.transactions)
        const isWhole = Effect.map(slotsInLog, (found) =>
          assert.deepStrictEqual(found, { segments: SLOTS, transactions: SLOTS }),
        )
        yield* sweptAt(LAST, { inboxDays: 0 }, fence)
        yield* isWhole
        yield* fold(fence)
        yield* sweptAt(LAST, { inboxDays: 0 }, fence)
        yield* isWhole
        yield* reconciler.prove({ fromSlot: BigInt(ORIGIN + 1), toSlot: BigInt(LAST) }, fence)
        yield* sweptAt(LAST, { inboxDays: 0 }, fence)
        yield* isWhole
        assert.isUndefined(yield* pruned)
      }).pipe(Effect.provide(reconciledIndex(cluster)))

      const another = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        yield* originReported
        for (const block of blocks) yield* receiveTransactions(block.transactions)
        yield* round(fence)
        yield* sweptAt(LAST, { inboxDays: 0 }, fence)
        assert.deepStrictEqual(yield* slotsInLog, { segments: SLOTS, transactions: SLOTS })
        assert.isUndefined(yield* pruned)
      }).pipe(Effect.provide(reconciledIndex(another)))
    }),
  )

  it.live("a segment with a dead letter stays as long as that is kept", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        yield* wholeLog(fence)
        const before = yield* digest
        yield* sql`
          insert into dead_letters (log_offset, position, slot, signature, reason, module_hash)
          select log_offset, position, slot, signature, 'test', '' from inbox_transactions
          where (slot, signature) = (select ordinal >> 32, signature from trades order by ordinal limit 1)`
        const [letter] = yield* sql<{ slot: bigint }>`select slot from dead_letters`
        yield* sweptAt(MIDDLE, DAY, fence)
        const rest = SLOTS.filter((slot) => slot > lastBefore(MIDDLE))
        assert.deepStrictEqual((yield* slotsInLog).segments, [Number(letter!.slot), ...rest])
        // What is there twice counts once.
        yield* replay(fence)
        assert.deepStrictEqual(yield* digest, before)
        yield* sweptAt(MIDDLE, { ...DAY, deadLetterDays: 1 }, fence)
        assert.deepStrictEqual((yield* slotsInLog).segments, rest)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("what was deleted is fetched again on demand", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        yield* wholeLog(fence)
        const before = yield* digest
        yield* sweptAt(MIDDLE, DAY, fence)
        const last = lastBefore(MIDDLE)
        assert.deepInclude(yield* reopenLog(fence), { fromSlot: BigInt(ORIGIN), toSlot: BigInt(last) })
        assert.isUndefined(yield* reopenLog(fence))
        assert.deepStrictEqual(yield* covered, [[last + 1 - ORIGIN, LAST - ORIGIN]])
        assert.deepInclude(yield* round(fence), {
          missing: landed.filter(({ slot }) => slot <= last).length,
          dropped: 0,
        })
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, before)
        const { live, rebuilt } = yield* replay(fence)
        assert.isTrue(isSameDigest(live, rebuilt))
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("nothing is known to be deleted once another chain is followed", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        yield* wholeLog(fence)
        yield* sweptAt(MIDDLE, DAY, fence)
        yield* forgetChain(fence)
        assert.isUndefined(yield* pruned)
        yield* wholeLog(fence)
        assert.deepStrictEqual(yield* slotsInLog, { segments: SLOTS, transactions: SLOTS })
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )
})

describe("A sweep", () => {
  it.live("deletes old poison, and nothing else, where that alone is limited", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        yield* wholeLog(fence)
        yield* receive(["[1]", "[2]"])
        yield* sql`update inbox_poison set received_at = 'epoch' where digest = (select digest from inbox_poison order by digest limit 1)`
        yield* sweptAt(LAST, { deadLetterDays: 1 }, fence)
        const [poison] = yield* sql<{ count: bigint }>`select count(*) from inbox_poison`
        assert.strictEqual(poison!.count, 1n)
        assert.deepStrictEqual(yield* slotsInLog, { segments: SLOTS, transactions: SLOTS })
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("finds what it deletes by indexes, however much there is", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        yield* wholeLog(fence)
        // Of slots that come later.
        yield* sql`
          insert into inbox_transactions (slot, signature, log_offset, position)
          select ${LAST}::bigint + 1 + n / 10, 'other' || n, 1000 + n / 100, n % 100 from generate_series(0, 99999) n`
        yield* sql`
          insert into inbox_segments (log_offset, source, received_at, first_slot, last_slot, positions, bytes)
          select 1000 + n, 'webhook', now(), ${LAST}::bigint + 1 + n * 10, ${LAST}::bigint + 10 + n * 10, '{0}', ''
          from generate_series(0, 19999) n`
        yield* sql`
          insert into inbox_poison (digest, received_at, source, reason, bytes)
          select sha256(n::text::bytea), now(), 'webhook', '', '' from generate_series(1, 20000) n`
        // Offsets alone tell nothing apart.
        yield* sql`update indexer_progress set log_offset = 100000`
        yield* reconcileStatements(sql).setCheckedOffset(100_000n)
        yield* sql`analyze inbox_transactions, inbox_segments, inbox_poison`
        const scanned = Effect.map(
          sql<{ count: number }>`
            select sum(seq_tup_read)::integer as count from pg_stat_user_tables
            where relname in ('inbox_transactions', 'inbox_segments', 'inbox_poison')`,
          ([row]) => row!.count,
        )
        /** Rows read one after the other; reported by PostgreSQL at the end of the transaction. */
        const scannedBy = (work: Effect.Effect<unknown, unknown, SqlClient>) =>
          Effect.gen(function* () {
            const before = yield* scanned
            yield* Effect.andThen(sql`select pg_stat_force_next_flush()`, work).pipe(sql.withTransaction)
            return (yield* scanned) - before
          })
        assert.isAtLeast(yield* scannedBy(sql`select count(*) from inbox_segments where source = 'nobody'`), 20_000)
        const limits = { ...DAY, deadLetterDays: 1 }
        assert.strictEqual(yield* scannedBy(sweptAt(MIDDLE, limits, fence)), 0)
        assert.isDefined(yield* pruned)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )
})
