import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { leadIndexing, type LeadIndexingOptions } from "../src/LeadIndexing.ts"
import { reportStatements } from "../src/leader/ReportStatements.ts"
import { isSameDigest, type TableDigest } from "../src/replay/Digest.ts"
import {
  blocks,
  covered,
  digestOfAll,
  forged,
  landed,
  LAST,
  ORIGIN,
  reconciledIndex,
  transactions,
  without,
} from "./finality/ReconciledIndex.ts"
import { CUTS } from "./CutBodies.ts"
import { standInCluster, type StandInCluster } from "./StandInCluster.ts"
import { digest, lead, receiveTransactions } from "./TestIndex.ts"
import { until } from "./leader/Until.ts"

const LISTING = "getSignaturesForAddress"
const SLOTS = LAST - ORIGIN
/** The last slot before the chain is followed. */
const BEFORE = ORIGIN - 1

const index = (cluster: StandInCluster) => Effect.provide(reconciledIndex(cluster))

const leadsAs = (holder: string, options: Partial<LeadIndexingOptions> = {}) =>
  Effect.forkScoped(
    leadIndexing({
      ...{ holder, network: "localnet", source: "poll", leaseMillis: 3_000, reconcileMillis: 40, pollMillis: 20 },
      ...options,
    }),
  )

const report = Effect.flatMap(SqlClient, (sql) => reportStatements(sql).leader)

/** Reports its origin: from then on the chain may grow. */
const hasBegun = until(Effect.map(report, (said) => typeof said?.originSlot === "string"))

/** All transactions are in the tables, and proven. */
const isComplete = (whole: ReadonlyArray<TableDigest>) =>
  Effect.gen(function* () {
    const proven = yield* covered
    if (proven.length !== 1 || proven[0]![0]! > 0 || proven[0]![1] !== SLOTS) return false
    return isSameDigest(yield* digest, whole)
  })

/** The tables of all transactions; the lease is free again. */
const wholeDigest = Effect.gen(function* () {
  const sql = yield* SqlClient
  const whole = yield* digestOfAll(yield* lead)
  yield* sql`delete from leases`
  return whole
})

describe("The leader", () => {
  it.live("follows, folds and proves the chain as it grows", () =>
    Effect.gen(function* () {
      const cluster = (yield* standInCluster(blocks)).finalize(BEFORE)
      cluster.confirmedSlot = BEFORE
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const whole = yield* wholeDigest
        yield* leadsAs("first")
        yield* hasBegun
        for (let slot = ORIGIN; slot <= LAST; slot += 11) {
          cluster.confirmedSlot = slot
          yield* until(
            Effect.map(sql`select 1 from inbox_transactions where slot > ${slot - 5}`, (rows) => rows.length > 0),
          )
          cluster.finalizedSlot = slot
        }
        cluster.finalize(LAST)
        yield* until(isComplete(whole))
        yield* until(Effect.map(report, (said) => said?.finalizedSlot === String(LAST)))
        assert.deepInclude(yield* report, {
          cluster: cluster.genesisHash,
          originSlot: String(ORIGIN),
          source: "poll",
          problem: null,
        })
        // No process manages a webhook, so none is reported.
        assert.deepStrictEqual(yield* sql`select name from indexer_reports where name = 'webhook'`, [])
        // Of slots that stand still none is measured.
        const pace = sql`select report->'slotMillis' as millis from indexer_reports where name = 'leader'`
        assert.deepStrictEqual(yield* pace, [{ millis: 200 }])
        assert.lengthOf(yield* sql`select from inbox_segments where source = 'follow' limit 1`, 1)
      }).pipe(Effect.scoped, index(cluster))
    }),
  )

  it.live("fetches missing transactions when webhooks are its only source", () =>
    Effect.gen(function* () {
      const cluster = (yield* standInCluster(blocks)).finalize(BEFORE)
      yield* Effect.gen(function* () {
        const whole = yield* wholeDigest
        yield* leadsAs("first", { source: "webhook" })
        yield* hasBegun
        yield* receiveTransactions(without(0.3, 4))
        cluster.finalize(LAST)
        yield* until(isComplete(whole))
      }).pipe(Effect.scoped, index(cluster))
    }),
  )

  it.live("fetches what was delivered without a part, before any proof", () =>
    Effect.gen(function* () {
      const cluster = (yield* standInCluster(blocks)).finalize(BEFORE)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const whole = yield* wholeDigest
        yield* leadsAs("first", { source: "webhook", reconcileMillis: 3_600_000, completeMillis: 20 })
        yield* hasBegun
        cluster.confirmedSlot = LAST
        yield* receiveTransactions(landed.map((one, at) => (at % 4 === 0 ? CUTS["no inner instructions"](one) : one)))
        yield* until(Effect.map(digest, (tables) => isSameDigest(tables, whole)))
        yield* until(Effect.map(sql`select from inbox_poison`, (rows) => rows.length === 0))
        assert.deepStrictEqual(yield* covered, [])
      }).pipe(Effect.scoped, index(cluster))
    }),
  )

  it.live("can change at any time without losing transactions", () =>
    Effect.gen(function* () {
      const cluster = (yield* standInCluster(blocks)).finalize(BEFORE)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const whole = yield* wholeDigest
        const replicas = new Map<string, Fiber.Fiber<unknown>>()
        for (const holder of ["first", "second", "third", "fourth"])
          replicas.set(holder, yield* leadsAs(holder, { leaseMillis: 300 }))
        yield* hasBegun
        for (const slot of [ORIGIN + 10, ORIGIN + 20, ORIGIN + 30]) {
          cluster.finalize(slot)
          yield* until(Effect.map(report, (said) => said?.finalizedSlot === String(slot)))
          const [leader] = yield* sql<{ readonly holder: string }>`select holder from leases`
          yield* Fiber.interrupt(replicas.get(leader!.holder)!)
          replicas.delete(leader!.holder)
        }
        assert.strictEqual(replicas.size, 1)
        cluster.finalize(LAST)
        yield* until(isComplete(whole))
      }).pipe(Effect.scoped, index(cluster))
    }),
  )

  it.live("reports why it cannot prove anything, and proves it afterwards", () =>
    Effect.gen(function* () {
      const cluster = (yield* standInCluster(blocks)).finalize(BEFORE)
      yield* Effect.gen(function* () {
        const whole = yield* wholeDigest
        yield* leadsAs("first")
        yield* hasBegun
        cluster.fail({ code: -32603 }, { method: LISTING })
        cluster.finalize(LAST)
        yield* until(Effect.map(report, (said) => said?.problem?.includes("NodeFault -32603") === true))
        cluster.recover()
        // Not even the genesis hash can be read.
        cluster.fail({ code: -32603 }, { method: "getGenesisHash" })
        yield* until(Effect.map(report, (said) => said?.problem?.startsWith("getGenesisHash") === true))
        cluster.recover()
        yield* until(isComplete(whole))
        yield* until(Effect.map(report, (said) => said?.problem === null))
      }).pipe(Effect.scoped, index(cluster))
    }),
  )

  it.live("remembers the origin, even if it crashes before the first comparison", () =>
    Effect.gen(function* () {
      const cluster = (yield* standInCluster(blocks)).finalize(BEFORE)
      yield* Effect.gen(function* () {
        const whole = yield* wholeDigest
        yield* receiveTransactions([forged(transactions[0]!, { slot: BEFORE - 1 })])
        cluster.fail("hang", { method: "getSignatureStatuses" })
        const running = yield* leadsAs("first", { source: "webhook" })
        yield* until(Effect.sync(() => cluster.callsOf("getSignatureStatuses") > 0))
        yield* Fiber.interrupt(running)
        cluster.recover()
        cluster.finalize(LAST)
        yield* leadsAs("second", { source: "webhook" })
        yield* until(isComplete(whole))
      }).pipe(Effect.scoped, index(cluster))
    }),
  )

  it.live(
    "stops and reports it when the endpoints are of another chain, and resumes when they are of the right one",
    () =>
      Effect.gen(function* () {
        const cluster = (yield* standInCluster(blocks)).finalize(ORIGIN + 20)
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* leadsAs("first", { leaseMillis: 300 })
          yield* hasBegun
          cluster.finalize(ORIGIN + 25)
          yield* until(Effect.map(covered, (proven) => proven.length > 0))
          const ours = cluster.genesisHash
          const theirs = "AnotherGenesisHash1111111111111111111111111"
          cluster.genesisHash = theirs
          yield* until(Effect.map(report, (said) => said?.otherCluster === theirs))
          const said = yield* report
          for (const part of [ours, theirs, "forget-chain --yes", "DATABASE_URL"]) assert.include(said?.problem, part)
          assert.strictEqual(said?.cluster, ours)
          // Nothing on the other chain is listed, and meanwhile received transactions are not folded.
          const before =
            yield* sql`select (select count(*) from inbox_transactions), (select log_offset from indexer_progress)`
          const [listed, proven] = [cluster.callsOf(LISTING), yield* covered]
          cluster.finalize(LAST)
          const asked = cluster.callsOf("getGenesisHash")
          yield* until(Effect.sync(() => cluster.callsOf("getGenesisHash") > asked + 1))
          assert.strictEqual(cluster.callsOf(LISTING), listed)
          assert.deepStrictEqual(
            yield* sql`select (select count(*) from inbox_transactions), (select log_offset from indexer_progress)`,
            before,
          )
          assert.deepStrictEqual(yield* covered, proven)
          cluster.genesisHash = ours
          yield* until(Effect.map(report, (now) => now?.finalizedSlot === String(LAST) && now.otherCluster === null))
          const [first, seen] = [yield* report, cluster.callsOf("getSlot")]
          assert.isNull(first?.problem)
          yield* until(Effect.sync(() => cluster.callsOf("getSlot") > seen + 2))
          assert.strictEqual((yield* report)?.finalizedSinceMillis, first!.finalizedSinceMillis!)
        }).pipe(Effect.scoped, index(cluster))
      }),
  )

  it.live("rejects invalid slots, and begins once the node is repaired", () =>
    Effect.gen(function* () {
      const cluster = (yield* standInCluster(blocks)).finalize(BEFORE)
      yield* Effect.gen(function* () {
        const whole = yield* wholeDigest
        const asked = () => cluster.callsOf("getSlot")
        cluster.fail({ result: "12" }, { method: "getSlot" })
        yield* leadsAs("first")
        yield* until(Effect.map(report, (said) => said?.problem === "getSlot: Malformed"))
        for (const result of [-5, 0.5, 1e300, 2 ** 31, null, {}, []]) {
          cluster.recover()
          cluster.fail({ result }, { method: "getSlot" })
          const before = asked()
          yield* until(Effect.sync(() => asked() > before + 3))
          assert.deepInclude(yield* report, { originSlot: null, finalizedSlot: null, problem: "getSlot: Malformed" })
        }
        cluster.recover()
        yield* hasBegun
        cluster.finalize(LAST)
        yield* until(isComplete(whole))
      }).pipe(Effect.scoped, index(cluster))
    }),
  )

  it.live("starts over when the stored origin is invalid, or was made up by a node", () =>
    Effect.gen(function* () {
      const cluster = (yield* standInCluster(blocks)).finalize(BEFORE)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const whole = yield* wholeDigest
        cluster.fail({ result: 2_000_000_000 }, { method: "getSlot" })
        const first = yield* leadsAs("first")
        yield* until(Effect.map(report, (said) => said?.originSlot === "2000000001"))
        cluster.recover()
        yield* until(Effect.map(report, (said) => said?.originSlot === String(ORIGIN)))
        yield* Fiber.interrupt(first)
        const poison = { originSlot: "soon", finalizedSlot: "-5", missing: "x", problem: {}, cluster: 5 }
        for (const [name, said] of [
          ["leader", poison],
          ["checked", { logOffset: "1e300" }],
        ] as const) {
          yield* sql`delete from indexer_reports where name = ${name}`
          yield* sql`insert into indexer_reports values (${name}, ${JSON.stringify(said)}::text::jsonb, now())`
        }
        yield* leadsAs("second")
        yield* until(Effect.map(report, (said) => said?.originSlot === String(ORIGIN)))
        cluster.finalize(LAST)
        yield* until(isComplete(whole))
      }).pipe(Effect.scoped, index(cluster))
    }),
  )

  it.live("begins at the configured origin, and reports that nothing is proven when the source is off", () =>
    Effect.gen(function* () {
      const cluster = (yield* standInCluster(blocks)).finalize(LAST)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const off = yield* leadsAs("first", { source: "off" })
        yield* until(Effect.map(report, (said) => said?.source === "off"))
        assert.deepInclude(yield* report, { cluster: cluster.genesisHash, originSlot: null, problem: null })
        yield* Fiber.interrupt(off)
        yield* leadsAs("second", { originSlot: BigInt(ORIGIN) })
        yield* until(Effect.map(covered, (proven) => proven[0]?.[0] === 0 && proven[0][1] === SLOTS))
        const [identity] = yield* sql`select genesis_hash, network from indexer_progress`
        assert.deepStrictEqual(identity, { genesisHash: cluster.genesisHash, network: "localnet" })
      }).pipe(Effect.scoped, index(cluster))
    }),
  )
})
