import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { leadIndexing, type LeadIndexingOptions } from "../../src/LeadIndexing.ts"
import { reportStatements } from "../../src/leader/ReportStatements.ts"
import { blocks, LAST, ORIGIN, reconciledIndex } from "../finality/ReconciledIndex.ts"
import { until } from "../leader/Until.ts"
import { standInCluster } from "../StandInCluster.ts"
import { digest, lead, receiveTransactions } from "../TestIndex.ts"
import { pruned, slotsInLog, sweptAt, wholeLog } from "./SweptIndex.ts"

const leads = (options: Partial<LeadIndexingOptions> = {}) =>
  Effect.forkScoped(
    leadIndexing({
      ...{ holder: "first", network: "localnet", source: "webhook", leaseMillis: 3_000, reconcileMillis: 40 },
      ...{ originSlot: BigInt(ORIGIN), refusedMillis: 50, ...options },
    }),
  )

describe("The leader", () => {
  it.live("deletes what is older than is kept, as it is proven, and the newest never", () =>
    Effect.gen(function* () {
      const cluster = (yield* standInCluster(blocks)).finalize(ORIGIN + 20)
      yield* Effect.gen(function* () {
        yield* leads({ retention: { inboxDays: 0 }, retentionMillis: 30 })
        for (const { transactions } of blocks) yield* receiveTransactions(transactions)
        yield* until(Effect.map(pruned, (slots) => slots?.toSlot === BigInt(ORIGIN + 20)))
        cluster.finalize(LAST)
        yield* until(Effect.map(slotsInLog, ({ segments }) => segments.length === 1))
        assert.deepStrictEqual((yield* slotsInLog).segments, [LAST])
      }).pipe(Effect.scoped, Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("of a version that cannot derive the tables again says so, changes nothing, and goes on once it may", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        yield* wholeLog(fence)
        yield* sweptAt(ORIGIN + 25, { inboxDays: 1 }, fence)
        yield* sql`delete from leases`
        const before = yield* digest
        yield* sql`update cursors set id = 'modules of an earlier version'`
        const [head] = yield* sql<{ facts: string }>`select pruned_facts as facts from inbox_head`
        yield* sql`update inbox_head set pruned_facts = 'modules of an earlier version'`
        const leader = yield* leads()
        const problem = Effect.map(reportStatements(sql).leader, (said) => said?.problem ?? null)
        yield* until(Effect.map(problem, (text) => text?.includes("were deleted from the log") === true))
        assert.deepStrictEqual(yield* digest, before)
        assert.deepStrictEqual(yield* sql`select id from cursors`, [{ id: "modules of an earlier version" }])
        yield* sql`update inbox_head set pruned_facts = ${head!.facts}`
        yield* until(Effect.map(problem, (text) => text === null))
        assert.deepStrictEqual(yield* digest, before)
        yield* Fiber.interrupt(leader)
      }).pipe(Effect.scoped, Effect.provide(reconciledIndex(cluster)))
    }),
  )
})
