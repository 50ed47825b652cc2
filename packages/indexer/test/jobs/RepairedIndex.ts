import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { type IndexerJobRequest, IndexerJobs, type JobState } from "@launch-registry/domain/system/IndexerJobs"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SeededRandom } from "../../fixtures/SeededRandom.ts"
import { appendTransactions } from "../../src/inbox/IngestLog.ts"
import { IndexerJobsLayer } from "../../src/jobs/IndexerJobs.ts"
import { leadIndexing } from "../../src/LeadIndexing.ts"
import { Bulk, reconciledBy } from "../finality/BulkHistory.ts"
import { coverageRows, digestOfAll, reconciledIndex, roundAtLast } from "../finality/ReconciledIndex.ts"
import { until } from "../leader/Until.ts"
import {
  blocks,
  landed,
  LAST,
  later,
  ORIGIN,
  poolRound,
  poolsCovered,
  transactions,
  wholeUpTo,
} from "../pools/MigratedPools.ts"
import { signatureOf, standInCluster, type StandInCluster } from "../StandInCluster.ts"
import { fold, lead } from "../TestIndex.ts"

export const FETCH = "getTransaction"
export const NOTHING = "0 were missing, 0 differed and were replaced, 0 are not on the chain and were reverted"
export const REPAIR: IndexerJobRequest = {
  kind: "repair",
  fromSlot: String(ORIGIN),
  reason: "proven by an older version",
}

export const index = (cluster: StandInCluster, isBulk: boolean) =>
  Effect.provide(
    Layer.provideMerge(
      IndexerJobsLayer,
      isBulk ? reconciledBy(new Bulk(transactions, 20), cluster) : reconciledIndex(cluster),
    ),
  )

/** Rounds are rare: what is found is found by jobs. */
export const leadsAs = (holder: string) =>
  Effect.forkScoped(
    leadIndexing({
      ...{ holder, network: "localnet", source: "webhook", leaseMillis: 3_000, reconcileMillis: 600_000 },
      ...{ originSlot: BigInt(ORIGIN), lookMillis: 20, retryMillis: 20 },
    }),
  )

export const ask = (request = REPAIR) => Effect.flatMap(IndexerJobs, ({ add }) => add(request))
export const jobOf = (id: string) =>
  Effect.map(
    Effect.flatMap(IndexerJobs, ({ list }) => list),
    (all) => all.find((job) => job.id === id)!,
  )
export const untilState = (id: string, state: JobState) =>
  Effect.andThen(until(Effect.map(jobOf(id), (job) => job.state === state)), jobOf(id))
export const repaired = (request = REPAIR) =>
  Effect.gen(function* () {
    const { id } = yield* ask(request)
    return yield* untilState(id, "done")
  })

/** Everything is received, folded and proven, of the program and of both pools; the lease is free again. */
export const proven = Effect.gen(function* () {
  const sql = yield* SqlClient
  const fence = yield* lead
  const whole = yield* digestOfAll(fence, transactions)
  yield* appendTransactions("backfill", transactions)
  yield* fold(fence)
  yield* roundAtLast(fence)
  yield* later
  yield* poolRound(fence)
  yield* fold(fence)
  yield* sql`delete from leases`
  return whole
})

export const isWholeProven = Effect.gen(function* () {
  const slots = (yield* coverageRows).reduce((sum, { fromSlot, toSlot }) => sum + toSlot - fromSlot + 1n, 0n)
  assert.strictEqual(slots, BigInt(LAST - ORIGIN + 1))
  assert.deepStrictEqual(yield* poolsCovered, wholeUpTo(LAST))
})

export const cut = (from: RawTransaction): RawTransaction => ({
  ...from,
  meta: { ...from.meta, innerInstructions: [] },
})

export const deleteFacts = (some: ReadonlyArray<RawTransaction>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    for (const table of ["trades", "dbc_events", "fee_claims"])
      yield* sql`delete from ${sql(table)} where signature = any(${some.map(signatureOf)}::text[])`
  })

/** As a version has left them that took bodies without inner instructions, as it fetched them, for whole ones. */
export const receivedCut = (some: ReadonlyArray<RawTransaction>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`delete from inbox_transactions where signature = any(${some.map(signatureOf)}::text[])`
    yield* deleteFacts(some)
    yield* appendTransactions("backfill", some.map(cut))
    yield* fold(yield* lead)
    yield* sql`delete from leases`
  })

/** The share of them that a seed chooses: of the program, and of pools. */
export const chosen = (seed: number, share: number) => {
  const random = new SeededRandom(seed)
  return landed.filter(() => random.chance(share))
}

export const withIndex = <A, E, R>(
  work: (cluster: StandInCluster) => Effect.Effect<A, E, R>,
  { isBulk = false }: { readonly isBulk?: boolean } = {},
) =>
  Effect.gen(function* () {
    const cluster = (yield* standInCluster(blocks)).finalize(LAST)
    cluster.tellsIndex = true
    yield* Effect.scoped(work(cluster)).pipe(index(cluster, isBulk))
  })
