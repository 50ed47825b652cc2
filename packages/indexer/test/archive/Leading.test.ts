import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { leadIndexing } from "../../src/LeadIndexing.ts"
import { isRebuildDue } from "../../src/replay/BeginReplay.ts"
import { reportStatements } from "../../src/leader/ReportStatements.ts"
import { blocks, landed, LAST, ORIGIN, reconciledIndex } from "../finality/ReconciledIndex.ts"
import { until } from "../leader/Until.ts"
import { standInCluster } from "../StandInCluster.ts"
import { digest, lead, receiveTransactions } from "../TestIndex.ts"
import { wholeLog } from "../retention/SweptIndex.ts"
import { archivedIndex, archivedLog, OBJECT_SEGMENTS, placesOfLog } from "./ArchivedIndex.ts"

const OPTIONS = {
  ...{ holder: "first", network: "localnet", source: "webhook" as const, leaseMillis: 3_000, reconcileMillis: 40 },
  ...{ originSlot: BigInt(ORIGIN), retryMillis: 50, lookMillis: 20 },
}
const ARCHIVE = { keepMillis: 0, objectSegments: OBJECT_SEGMENTS, everyMillis: 30, idleMillis: 30 }

describe("The leader", () => {
  it.live("archives the log as it is proven", () =>
    archivedIndex((standIn) =>
      Effect.gen(function* () {
        const leader = yield* Effect.forkScoped(leadIndexing({ ...OPTIONS, archive: ARCHIVE }))
        for (const { transactions } of blocks) yield* receiveTransactions(transactions)
        yield* until(Effect.map(placesOfLog, ({ there }) => there.length >= blocks.length - 2 * OBJECT_SEGMENTS))
        assert.isAbove(standIn.objects.size, 3)
        yield* Fiber.interrupt(leader)
      }).pipe(Effect.scoped),
    ),
  )

  it.live("folds while the archive does not answer", () =>
    archivedIndex((standIn) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        standIn.tell({ is: "hang" })
        const hanging = standIn.nextHang()
        const leader = yield* Effect.forkScoped(leadIndexing({ ...OPTIONS, archive: ARCHIVE }))
        for (const { transactions } of blocks) yield* receiveTransactions(transactions)
        yield* Effect.promise(() => hanging)
        const before = yield* digest
        yield* receiveTransactions([{ ...landed.at(-1)!, slot: LAST + 1 }])
        const isFolded = Effect.map(
          sql<{ readonly isFolded: boolean }>`
            select (select max(log_offset) from cursors) = (select max(log_offset) from inbox_segments) as is_folded`,
          ([row]) => row!.isFolded,
        )
        yield* until(isFolded)
        assert.notDeepEqual(yield* digest, before)
        assert.deepStrictEqual((yield* placesOfLog).there, [])
        yield* Fiber.interrupt(leader)
      }).pipe(Effect.scoped),
    ),
  )

  it.live(
    "of another version that cannot read the archive says so, keeps the tables, and derives them again once it can",
    () =>
      archivedIndex((standIn, archive) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const { whole } = yield* archivedLog(archive)
          yield* sql`delete from leases`
          yield* sql`update cursors set id = 'modules of an earlier version'`
          const objects = standIn.objects
          standIn.objects = new Map()
          const leader = yield* Effect.forkScoped(leadIndexing(OPTIONS))
          const problem = Effect.map(reportStatements(sql).leader, (said) => said?.problem ?? null)
          yield* until(Effect.map(problem, (text) => text?.includes("cannot be read from inbox/") === true))
          assert.deepStrictEqual(yield* digest, whole)
          assert.isTrue(yield* isRebuildDue)
          standIn.objects = objects
          yield* until(Effect.map(isRebuildDue, (isDue) => !isDue))
          yield* until(Effect.map(problem, (text) => text === null))
          assert.deepStrictEqual(yield* digest, whole)
          yield* Fiber.interrupt(leader)
        }).pipe(Effect.scoped),
      ),
  )

  it.live("without the settings of the archive says that they are absent", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* wholeLog(yield* lead)
        yield* sql`
          insert into inbox_archives (first_offset, last_offset, name, segments, transactions, bytes, sha256, archived_at, moved_at)
          values (1, 1, 'inbox/1-1-x.zst', 1, 1, 9, '', now(), now())`
        yield* sql`
          update inbox_segments set bytes = null, archive_offset = 1, archive_start = 0, archive_bytes = 9, archive_sha256 = ''
          where log_offset = 1`
        yield* sql`delete from leases`
        const leader = yield* Effect.forkScoped(leadIndexing(OPTIONS))
        const problem = Effect.map(
          sql<{ readonly problem: string | null }>`
            select report ->> 'problem' as problem from indexer_reports where name = 'archive'`,
          ([row]) => row?.problem,
        )
        yield* until(Effect.map(problem, (text) => text?.includes("set INBOX_ARCHIVE_URL") === true))
        yield* Fiber.interrupt(leader)
      }).pipe(Effect.scoped, Effect.provide(reconciledIndex(cluster)))
    }),
  )
})
