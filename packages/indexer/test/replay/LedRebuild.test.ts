import { assert, describe, it } from "@effect/vitest"
import type { ReplayReport } from "@launch-registry/domain/system/LeaderReport"
import { Effect, Fiber, Latch } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { IngestLog } from "../../src/inbox/IngestLog.ts"
import { leadIndexing } from "../../src/LeadIndexing.ts"
import { isRebuildDue } from "../../src/replay/BeginRebuild.ts"
import { isSameDigest } from "../../src/replay/Digest.ts"
import { reportReplay } from "../../src/replay/ReplayProgress.ts"
import { blocks, covered, digestOfAll, LAST, landed, ORIGIN, reconciledIndex } from "../finality/ReconciledIndex.ts"
import { until } from "../leader/Until.ts"
import { standInCluster } from "../StandInCluster.ts"
import { digest, fold, lead, receiveTransactions } from "../TestIndex.ts"

const MIDDLE = ORIGIN + 20

const leadsAs = (holder: string) =>
  Effect.forkScoped(
    leadIndexing({
      ...{ holder, network: "localnet", source: "webhook", leaseMillis: 3_000, reconcileMillis: 40 },
      ...{ originSlot: BigInt(ORIGIN), lookMillis: 20, retryMillis: 20 },
    }),
  )

/** The log as the replays of a leader read it: those from its beginning wait until `gate` is open. */
const gated = (gate: Latch.Latch) =>
  Effect.map(IngestLog, (log) =>
    IngestLog.of({
      ...log,
      readAfter: (offset, count) =>
        offset === 0n ? Effect.andThen(gate.await, log.readAfter(offset, count)) : log.readAfter(offset, count),
    }),
  )

const reported = Effect.map(
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly report: ReplayReport }>`select report from indexer_reports where name = 'replay'`,
  ),
  ([row]) => row?.report,
)

describe("A leader whose modules derive tables in another way", () => {
  it.live("follows and proves while it derives them again; the next leader goes on, and says when it is done", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      cluster.confirmedSlot = MIDDLE
      cluster.finalizedSlot = MIDDLE
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        const whole = yield* digestOfAll(fence, landed)
        yield* receiveTransactions(landed.filter(({ slot }) => slot <= MIDDLE))
        yield* fold(fence)
        yield* sql`delete from leases`
        yield* sql`update indexer_progress set module_hash = 'modules of an earlier version'`
        yield* sql`update trades set fee = fee + 1`
        yield* sql`delete from candles`
        const gate = yield* Latch.make(false)
        const log = yield* gated(gate)
        const first = yield* Effect.provideService(leadsAs("first"), IngestLog, log)

        const provenTo = (slot: number) => until(Effect.map(covered, (ranges) => ranges.at(-1)?.[1] === slot - ORIGIN))
        yield* provenTo(MIDDLE)
        cluster.finalize(LAST)
        // The chain is followed and proven to its end, and nothing is derived again yet.
        yield* provenTo(LAST)
        const newer = landed.filter(({ slot }) => slot > MIDDLE).length
        yield* until(
          Effect.map(
            sql<{ count: number }>`
              select count(*)::integer as count from inbox_transactions where slot > ${MIDDLE}
                and log_offset <= (select log_offset from indexer_progress)`,
            ([row]) => row!.count === newer,
          ),
        )
        assert.isTrue(yield* isRebuildDue)
        assert.isFalse(isSameDigest(yield* digest, whole))

        yield* Fiber.interrupt(first)
        yield* gate.open
        yield* Effect.provideService(leadsAs("second"), IngestLog, log)
        yield* until(Effect.map(isRebuildDue, (isDue) => !isDue))
        yield* until(Effect.map(digest, (now) => isSameDigest(now, whole)))
        yield* until(Effect.map(reported, (report) => report?.state === "done"))
        assert.deepInclude(yield* reported, { transactions: landed.length, copiedSlot: null, endsAt: null })
      }).pipe(Effect.scoped, Effect.provide(reconciledIndex(cluster)))
    }),
  )
})

describe("The progress of a replay", () => {
  it.effect("is reported with the rate of the run, and when it ends at that rate", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const report = yield* reportReplay(sql)
      const at = (state: ReplayReport["state"], transactions: number, offset: number) =>
        report({ state, transactions, logOffset: BigInt(offset), headOffset: 1_000n })
      // A run that goes on counts what it does itself.
      yield* at("deriving", 500, 100)
      assert.deepInclude(yield* reported, { transactionsPerSecond: null, endsAt: null })
      yield* TestClock.adjust("10 seconds")
      yield* at("deriving", 2_500, 400)
      assert.deepInclude(yield* reported, {
        ...{ state: "deriving", transactions: 2_500, logOffset: "400", headOffset: "1000" },
        ...{ transactionsPerSecond: 200, endsAt: new Date(30_000).toISOString(), startedAt: new Date(0).toISOString() },
      })
      yield* TestClock.adjust("20 seconds")
      yield* at("done", 6_000, 1_000)
      assert.deepInclude(yield* reported, { state: "done", transactionsPerSecond: 183, endsAt: null })
    }).pipe(Effect.provide(TestDatabase.layer)),
  )
})
