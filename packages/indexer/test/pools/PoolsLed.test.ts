import { assert, describe, it } from "@effect/vitest"
import { isDeepStrictEqual } from "node:util"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { leadIndexing, type LeadIndexingOptions } from "../../src/LeadIndexing.ts"
import { reportStatements } from "../../src/leader/ReportStatements.ts"
import { isSameDigest, type TableDigest } from "../../src/replay/Digest.ts"
import { replay } from "../../src/replay/Rebuild.ts"
import { covered, digestOfAll, forged, randomSignature, reconciledIndex, without } from "../finality/ReconciledIndex.ts"
import { until } from "../leader/Until.ts"
import { standInCluster } from "../StandInCluster.ts"
import { digest, lead, receiveTransactions } from "../TestIndex.ts"
import { blocks, LAST, MIGRATED, ORIGIN, POOLS, poolsCovered, swaps, transactions, wholeUpTo } from "./MigratedPools.ts"

const BEFORE = ORIGIN - 1

const leadsAs = (holder: string, options: Partial<LeadIndexingOptions> = {}) =>
  Effect.forkScoped(
    leadIndexing({
      ...{ holder, network: "localnet", source: "webhook", leaseMillis: 3_000, reconcileMillis: 40, pollMillis: 20 },
      ...{ followMillis: 20, ...options },
    }),
  )

const report = Effect.flatMap(SqlClient, (sql) => reportStatements(sql).leader)
const hasBegun = until(Effect.map(report, (said) => typeof said?.originSlot === "string"))

interface ReportedPools {
  readonly report: Record<string, unknown>
  readonly reportedAt: Date
}

const rowOfPools = Effect.flatMap(
  SqlClient,
  (sql) => sql<ReportedPools>`select report, reported_at from indexer_reports where name = 'pools'`,
)
const reportedPools = Effect.map(rowOfPools, ([row]) => row!)
const poolsReport = Effect.map(rowOfPools, ([row]) => row?.report)

/** All transactions are in the tables, and proven: those of the program, and those of the pools. */
const isComplete = (whole: ReadonlyArray<TableDigest>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`update followed_pools set due_at = '2000-01-01' where due_at > now()`
    const [first] = yield* covered
    if (first === undefined || first[0]! > blocks[0]!.slot - ORIGIN) return false
    return isDeepStrictEqual(yield* poolsCovered, wholeUpTo(LAST)) && isSameDigest(yield* digest, whole)
  })

const wholeDigest = Effect.gen(function* () {
  const sql = yield* SqlClient
  const whole = yield* digestOfAll(yield* lead, transactions)
  yield* sql`delete from leases`
  return whole
})

describe("The leader", () => {
  it.live("proves migrated pools beside the program, however often it is another one", () =>
    Effect.gen(function* () {
      const cluster = (yield* standInCluster(blocks)).finalize(BEFORE)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const whole = yield* wholeDigest
        const replicas = new Map<string, Fiber.Fiber<unknown>>()
        for (const holder of ["first", "second", "third", "fourth"])
          replicas.set(holder, yield* leadsAs(holder, { leaseMillis: 300 }))
        yield* hasBegun
        const delivered = [
          ...without(0.3, 4, transactions),
          ...swaps.slice(0, 9).map((one, index) => forged(one, { signature: randomSignature(index) })),
        ].toSorted((left, right) => left.slot - right.slot)
        for (const part of [15, 30, 45]) {
          yield* receiveTransactions(delivered.filter(({ slot }) => slot <= ORIGIN + part && slot > ORIGIN + part - 15))
          cluster.finalize(ORIGIN + part)
          yield* until(Effect.map(report, (said) => said?.finalizedSlot === String(ORIGIN + part)))
          const [leader] = yield* sql<{ readonly holder: string }>`select holder from leases`
          // In the middle of whatever it does.
          yield* Fiber.interrupt(replicas.get(leader!.holder)!)
          replicas.delete(leader!.holder)
        }
        assert.strictEqual(replicas.size, 1)
        yield* receiveTransactions(delivered)
        cluster.finalize(LAST)
        yield* until(isComplete(whole))
        yield* until(Effect.map(poolsReport, (said) => said?.followed === 2 && said.problem === null))
        for (const one of replicas.values()) yield* Fiber.interrupt(one)
        yield* sql`delete from leases`
        yield* replay(yield* lead)
        assert.deepStrictEqual(yield* digest, whole)
      }).pipe(Effect.scoped, Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("follows them by polling where there is no webhook", () =>
    Effect.gen(function* () {
      const cluster = (yield* standInCluster(blocks)).finalize(BEFORE)
      cluster.confirmedSlot = BEFORE
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const whole = yield* wholeDigest
        yield* leadsAs("first", { source: "poll" })
        yield* hasBegun
        // Confirmed and not finalized: nothing but polling brings it.
        cluster.confirmedSlot = LAST
        yield* until(Effect.map(digest, (now) => isSameDigest(now, whole)))
        const sources = yield* sql<{ readonly source: string }>`select distinct source from inbox_segments`
        assert.deepStrictEqual(
          sources.map(({ source }) => source),
          ["follow"],
        )
        cluster.finalize(LAST)
        yield* until(isComplete(whole))
      }).pipe(Effect.scoped, Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("reports why pools are not proven, and goes on proving the program", () =>
    Effect.gen(function* () {
      const cluster = (yield* standInCluster(blocks)).finalize(BEFORE)
      yield* Effect.gen(function* () {
        const whole = yield* wholeDigest
        yield* leadsAs("first")
        yield* hasBegun
        yield* receiveTransactions(transactions)
        // Newest first is how completeness is inferred: in another order, a pool's listing proves nothing.
        cluster.disordered = (address) => POOLS.includes(address)
        cluster.finalize(LAST)
        yield* until(Effect.map(report, (said) => said?.finalizedSlot === String(LAST) && said.problem === null))
        yield* until(Effect.map(poolsReport, (said) => String(said?.problem).includes("not listed from the newest")))
        assert.deepStrictEqual(yield* poolsCovered, {})
        // Rounds in which no pool has a turn go on saying so.
        const sql = yield* SqlClient
        yield* sql`update followed_pools set due_at = '2100-01-01'`
        for (let rounds = 0; rounds < 3; rounds++) {
          const { reportedAt } = yield* reportedPools
          yield* until(Effect.map(reportedPools, (said) => said.reportedAt > reportedAt))
        }
        assert.include((yield* reportedPools).report.problem, "not listed from the newest")
        // The program is proven up to the last slot; everything, up to the first migration.
        const unproven = String(Math.min(...MIGRATED.values()) - 1)
        yield* until(Effect.map(poolsReport, (said) => said?.provenSlot === unproven))
        assert.deepStrictEqual(yield* covered, [[0, LAST - ORIGIN]])
        cluster.recover()
        yield* until(
          Effect.andThen(sql`update followed_pools set due_at = '2000-01-01', retry_at = null`, isComplete(whole)),
        )
        yield* until(Effect.map(poolsReport, (said) => said?.problem === null && said.provenSlot === String(LAST)))
      }).pipe(Effect.scoped, Effect.provide(reconciledIndex(cluster)))
    }),
  )
})
