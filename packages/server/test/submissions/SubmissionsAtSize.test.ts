import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type ClaimedSubmission, type RoundResult, submissionQueue } from "../../src/submissions/SubmissionQueue.ts"
import { submissionRoom } from "../../src/submissions/SubmissionRoom.ts"
import { readSubmissionFigures } from "../../src/submissions/SubmissionFigures.ts"
import { PLAN_MODES } from "../PlanNodes.ts"

const ENDED = 60_000
const OPEN = 2_000
const BATCH = 64
/** With earlier versions of the same rows, which indexes name until they are cleaned up. */
const READ_MAX = 10 * BATCH

/** At the beginning of the time that tests begin with: many that have ended, a tenth of them long ago, and some that are due. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    insert into launch_submissions (signature, transaction, signers, programs, blockhash, last_valid_block_height,
      skips_preflight, state, slot, version, attempts, sends, next_check_at, created_at, updated_at, settled_at)
    select 's' || n, case when n > ${ENDED}::int then decode(repeat('ab', 1232), 'hex') end, array['w' || n % 50],
      array['p'], 'b', 1, true, case when n > ${ENDED}::int then 'pending' else 'finalized' end, 1, 3, 3, 1,
      timestamptz 'epoch' - n * interval '1 second', timestamptz 'epoch', timestamptz 'epoch',
      case when n <= ${ENDED}::int then timestamptz 'epoch' - interval '1 day' * (case when n % 10 = 0 then 9 else 1 end) end
    from generate_series(1, ${ENDED + OPEN}::int) n`
  yield* sql`analyze launch_submissions`
})

/** What was read of the table by this connection lately. */
const counted = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [read] = yield* sql<{ readonly rows: number; readonly scans: number }>`
    select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows, coalesce(seq_scan, 0)::int as scans
    from pg_stat_xact_user_tables where relname = 'launch_submissions'`
  return read!
})

/** Rows of the table that `statements` reads, and how often it reads the whole table. */
const readBy = <A, E, R>(mode: string, statements: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`select set_config('plan_cache_mode', ${mode}, true)`
    const before = yield* counted
    const result = yield* statements
    const after = yield* counted
    return { result, rows: after.rows - before.rows, scans: after.scans - before.scans }
  }).pipe((work) => Effect.flatMap(SqlClient, (sql) => sql.withTransaction(work)))

const settled = (claimed: ClaimedSubmission): RoundResult => ({
  ...{ claimed, state: "pending", slot: null, error: null, lastValidBlockHeight: 7n },
  ...{ isSent: true, isFinal: false, pauseMillis: 0 },
})

layer(Layer.provideMerge(Layer.effectDiscard(fill), TestDatabase.layer))(
  "Among many submissions that have ended",
  (it) => {
    it.effect("a round claims and writes what is due by the index, whatever the plan", () =>
      Effect.gen(function* () {
        const { claimDue, release, settle, sweep } = yield* submissionQueue
        const sql = yield* SqlClient
        for (const mode of PLAN_MODES) {
          const claim = yield* readBy(mode, claimDue(BATCH))
          assert.lengthOf(claim.result, BATCH)
          assert.strictEqual(claim.scans, 0, mode)
          assert.isAtMost(claim.rows, READ_MAX, mode)
          const written = yield* readBy(mode, settle(claim.result.map(settled)))
          assert.lengthOf(written.result, BATCH)
          assert.strictEqual(written.scans, 0, mode)
          assert.isAtMost(written.rows, READ_MAX, mode)
          const given = yield* readBy(mode, release(claim.result[0]!))
          assert.strictEqual(given.scans, 0, mode)
          const swept = yield* readBy(mode, sweep(8 * 86_400_000, 100))
          assert.deepStrictEqual([swept.result, swept.scans], [100, 0], mode)
          assert.isAtMost(swept.rows, READ_MAX, mode)
          const figures = yield* readBy(mode, readSubmissionFigures(sql))
          assert.deepStrictEqual(figures.result.states[0], ["pending", BigInt(OPEN)])
          assert.strictEqual(figures.scans, 0, mode)
          assert.isAtMost(figures.rows, 2 * OPEN, mode)
          const room = yield* readBy(mode, submissionRoom(sql)("w1"))
          assert.deepStrictEqual([room.result, room.scans], [BigInt(OPEN / 50), 0], mode)
          assert.isAtMost(room.rows, 2 * OPEN, mode)
        }
      }),
    )
  },
)
