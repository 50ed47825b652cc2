import { assert, describe, it } from "@effect/vitest"
import { type IndexerJobRequest, IndexerJobs, type JobState } from "@launch-registry/domain/system/IndexerJobs"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { IndexerJobsLayer } from "../../src/jobs/IndexerJobs.ts"
import { leadIndexing, type LeadIndexingOptions } from "../../src/LeadIndexing.ts"
import { isSameDigest } from "../../src/replay/Digest.ts"
import { blocks, covered, digestOfAll, landed, LAST, ORIGIN, reconciledIndex } from "../finality/ReconciledIndex.ts"
import { until } from "../leader/Until.ts"
import { NodeError } from "../NodeParams.ts"
import { signatureOf, standInCluster, type StandInCluster } from "../StandInCluster.ts"
import { digest, lead } from "../TestIndex.ts"

const LISTING = "getSignaturesForAddress"
/** Where proving begins by itself. */
const FOLLOWED_FROM = ORIGIN + 30
const reason = "ticket 4711"
const EARLIER: IndexerJobRequest = {
  kind: "backfill",
  fromSlot: String(ORIGIN),
  toSlot: String(FOLLOWED_FROM - 1),
  reason,
}

const index = (cluster: StandInCluster) =>
  Effect.provide(Layer.provideMerge(IndexerJobsLayer, reconciledIndex(cluster)))

const leadsAs = (holder: string, options: Partial<LeadIndexingOptions> = {}) =>
  Effect.forkScoped(
    leadIndexing({
      ...{ holder, network: "localnet", source: "webhook", leaseMillis: 3_000, reconcileMillis: 40 },
      ...{ originSlot: BigInt(FOLLOWED_FROM), lookMillis: 20, retryMillis: 20 },
      ...options,
    }),
  )

const ask = (request: IndexerJobRequest) => Effect.flatMap(IndexerJobs, ({ add }) => add(request))
const cancel = (id: string) => Effect.flatMap(IndexerJobs, ({ cancel: cancelOne }) => cancelOne(id))
const jobOf = (id: string) =>
  Effect.map(
    Effect.flatMap(IndexerJobs, ({ list }) => list),
    (all) => all.find((job) => job.id === id)!,
  )
const untilState = (id: string, state: JobState) =>
  Effect.andThen(until(Effect.map(jobOf(id), (job) => job.state === state)), jobOf(id))

/** What is finalized is proven from where the leader began. */
const isProven = Effect.map(covered, (ranges) => ranges.at(-1)?.[1] === LAST - ORIGIN)

/** The tables of all transactions; the lease is free again. */
const wholeDigest = Effect.gen(function* () {
  const sql = yield* SqlClient
  const whole = yield* digestOfAll(yield* lead, landed)
  yield* sql`delete from leases`
  return whole
})

/** Leads until what is finalized is proven; from then on listings fail. */
const ledUntilListingsFail = (cluster: StandInCluster) =>
  Effect.gen(function* () {
    yield* leadsAs("first")
    yield* until(isProven)
    cluster.fail({ status: 500 }, { method: LISTING })
  })

const withLeader = <A, E, R>(work: (cluster: StandInCluster) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const cluster = (yield* standInCluster(blocks)).finalize(LAST)
    yield* Effect.scoped(work(cluster)).pipe(index(cluster))
  })

describe("A job of the leader", () => {
  it.live("proves earlier slots and fetches what is missing, while new ones go on to be proven", () =>
    withLeader(() =>
      Effect.gen(function* () {
        const whole = yield* wholeDigest
        yield* leadsAs("first")
        yield* until(isProven)
        const { id } = yield* ask(EARLIER)
        const done = yield* untilState(id, "done")
        const earlier = landed.filter(({ slot }) => slot < FOLLOWED_FROM).length
        assert.deepInclude(done, {
          ...{ kind: "backfill", fromSlot: String(ORIGIN), toSlot: String(FOLLOWED_FROM - 1), reason },
          ...{ done: "30", total: "30" },
          detail: `Slots ${ORIGIN} to ${FOLLOWED_FROM - 1} are proven; ${earlier} transactions were missing`,
        })
        assert.deepStrictEqual(yield* covered, [[0, LAST - ORIGIN]])
        assert.isTrue(isSameDigest(yield* digest, whole))

        const { id: again } = yield* ask({ kind: "backfill", fromSlot: String(ORIGIN), reason })
        const { detail, toSlot } = yield* untilState(again, "done")
        assert.strictEqual(toSlot, String(LAST))
        assert.strictEqual(detail, `Slots ${ORIGIN} to ${LAST} are proven; 0 transactions were missing`)
        const { id: ahead } = yield* ask({ kind: "backfill", fromSlot: String(LAST + 1), reason })
        assert.include((yield* untilState(ahead, "failed")).detail, "is not finalized yet")
      }),
    ),
  )

  it.live("derives all tables again, says what changed, and the leader goes on", () =>
    withLeader((cluster) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const whole = yield* wholeDigest
        cluster.confirmedSlot = LAST - 5
        cluster.finalizedSlot = LAST - 5
        yield* leadsAs("first", { originSlot: BigInt(ORIGIN) })
        yield* until(Effect.map(covered, (ranges) => ranges.at(-1)?.[1] === LAST - 5 - ORIGIN))
        const { id } = yield* ask({ kind: "replay", reason })
        assert.include((yield* untilState(id, "done")).detail, "the tables are the same as before")
        yield* sql`delete from trades where ordinal in (select ordinal from trades order by ordinal limit 3)`
        const { id: again } = yield* ask({ kind: "replay", reason })
        const { detail, done, total } = yield* untilState(again, "done")
        assert.include(detail, "these tables changed: trades")
        assert.strictEqual(done, total)
        cluster.finalize(LAST)
        yield* until(isProven)
        yield* until(Effect.map(digest, (now) => isSameDigest(now, whole)))
      }),
    ),
  )

  it.live("is retried while the chain does not answer, says why, and ends when it is cancelled", () =>
    withLeader((cluster) =>
      Effect.gen(function* () {
        yield* ledUntilListingsFail(cluster)
        const { id } = yield* ask(EARLIER)
        yield* until(Effect.map(jobOf(id), ({ detail, state }) => state === "running" && detail !== null))
        const { id: second } = yield* ask({ ...EARLIER, fromSlot: String(ORIGIN + 10) })
        const { id: third } = yield* ask({ kind: "replay", reason })
        assert.strictEqual((yield* cancel(third)).state, "cancelled")
        assert.strictEqual((yield* cancel(id)).state, "cancelled")
        cluster.recover()
        const { done } = yield* untilState(second, "done")
        assert.strictEqual(done, "20")
        assert.deepInclude(yield* cancel(second), { state: "done" })
        assert.deepInclude(yield* jobOf(id), { state: "cancelled" })
        assert.deepInclude(yield* jobOf(third), { state: "cancelled", startedAt: null })
        assert.deepStrictEqual(yield* covered, [[10, LAST - ORIGIN]])
      }),
    ),
  )

  it.live("proves all other slots where no endpoint gives a transaction, and fails with its name", () =>
    withLeader((cluster) =>
      Effect.gen(function* () {
        const whole = yield* wholeDigest
        yield* leadsAs("first")
        yield* until(isProven)
        const unread = landed.find(({ slot }) => slot === ORIGIN + 20)!
        cluster.answered.set(signatureOf(unread), new NodeError(-32603, "Internal error"))
        const { id } = yield* ask(EARLIER)
        const { detail, done } = yield* untilState(id, "failed")
        assert.include(detail, `${signatureOf(unread)} is refused by the endpoints (NodeFault -32603)`)
        assert.strictEqual(done, "29")
        assert.deepStrictEqual(yield* covered, [
          [0, 19],
          [21, LAST - ORIGIN],
        ])
        cluster.recover()
        const { id: again } = yield* ask(EARLIER)
        yield* untilState(again, "done")
        assert.isTrue(isSameDigest(yield* digest, whole))
      }),
    ),
  )

  it.live("is given up after many failures in a row", () =>
    withLeader((cluster) =>
      Effect.gen(function* () {
        yield* ledUntilListingsFail(cluster)
        const { id } = yield* ask(EARLIER)
        assert.include((yield* untilState(id, "failed")).detail, "history of the chain is incomplete")
      }),
    ),
  )

  it.live("is taken over by the next leader, but not by one after the other for ever", () =>
    withLeader((cluster) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const first = yield* leadsAs("first")
        yield* until(isProven)
        cluster.fail("hang", { method: LISTING })
        const { id } = yield* ask(EARLIER)
        yield* untilState(id, "running")
        yield* Fiber.interrupt(first)
        cluster.recover()
        const second = yield* leadsAs("second")
        yield* untilState(id, "done")
        assert.deepStrictEqual(yield* sql`select starts from indexer_jobs`, [{ starts: 2 }])
        yield* Fiber.interrupt(second)
        const { id: deadly } = yield* ask({ kind: "replay", reason })
        yield* sql`update indexer_jobs set starts = 20 where id = ${BigInt(deadly)}`
        yield* leadsAs("third")
        assert.include((yield* untilState(deadly, "failed")).detail, "begun 20 times")
      }),
    ),
  )

  it.live("is queued once for the same, and only so many wait", () =>
    withLeader(() =>
      Effect.gen(function* () {
        const same = yield* Effect.all(
          Array.from({ length: 8 }, () => ask(EARLIER)),
          { concurrency: "unbounded" },
        )
        assert.lengthOf(new Set(same.map(({ id }) => id)), 1)
        const others = yield* Effect.all(
          Array.from({ length: 20 }, (_, slot) =>
            Effect.result(ask({ kind: "backfill", fromSlot: String(slot), reason })),
          ),
          { concurrency: "unbounded" },
        )
        assert.lengthOf(
          others.filter(({ _tag }) => _tag === "Success"),
          9,
        )
        const jobs = yield* Effect.flatMap(IndexerJobs, ({ list }) => list)
        assert.lengthOf(jobs, 10)
        assert.isTrue(jobs.every(({ state }) => state === "queued"))
      }),
    ),
  )
})
