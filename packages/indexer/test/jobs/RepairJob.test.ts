import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { seeds } from "../../../../scripts/Laws.ts"
import { appendTransactions, type LogEntry } from "../../src/inbox/IngestLog.ts"
import { coverageStatements, OF_PROGRAM } from "../../src/finality/CoverageStatements.ts"
import { prunedSlots } from "../../src/retention/PrunedSlots.ts"
import { Sink } from "../../src/sink/Sink.ts"
import { coverageRows, forged, randomSignature, roundAtLast } from "../finality/ReconciledIndex.ts"
import { until } from "../leader/Until.ts"
import { blocks, landed, LAST, later, ORIGIN, poolRound, poolsOf, swaps, transactions } from "../pools/MigratedPools.ts"
import { signatureOf } from "../StandInCluster.ts"
import { digest, fold, lead } from "../TestIndex.ts"
import {
  ask,
  chosen,
  cut,
  deleteFacts,
  FETCH,
  isWholeProven,
  jobOf,
  leadsAs,
  NOTHING,
  proven,
  receivedCut,
  REPAIR,
  repaired,
  untilState,
  withIndex,
} from "./RepairedIndex.ts"

describe("A repair", () => {
  it.live(
    "finds trades that are missing though their slots are proven, by the program's proof and by those of pools",
    () =>
      withIndex((cluster) =>
        Effect.gen(function* () {
          const whole = yield* proven
          const some = chosen(5, 0.1)
          assert.isTrue(some.some((one) => swaps.includes(one)) && some.some((one) => !swaps.includes(one)))
          yield* receivedCut(some)
          assert.notDeepEqual(yield* digest, whole)
          yield* isWholeProven
          yield* leadsAs("first")
          const slots = { fromSlot: String(ORIGIN), toSlot: String(LAST) }
          const { detail: backfilled } = yield* repaired({ kind: "backfill", ...slots, reason: "again" })
          assert.include(backfilled, "0 transactions were missing")
          assert.notDeepEqual(yield* digest, whole, "a backfill reads nothing that is proven")

          const before = cluster.callsOf(FETCH)
          const { detail, done, toSlot, total } = yield* repaired()
          assert.deepStrictEqual(yield* digest, whole)
          assert.strictEqual(toSlot, String(LAST))
          assert.strictEqual(done, total)
          assert.match(
            detail!,
            /^Slots \d+ to \d+: \d+ transactions of the program and of 2 migrated pools read in \d+ requests; 0 were missing, /,
          )
          assert.isAbove(Number(/(\d+) differed/.exec(detail!)![1]), 10)
          // One for each address that lists it, and one more for what was replaced.
          assert.isAtMost(cluster.callsOf(FETCH) - before, 2 * landed.length)
          yield* isWholeProven

          const { detail: nothing } = yield* repaired()
          assert.include(nothing, NOTHING)
          assert.deepStrictEqual(yield* digest, whole)
        }),
      ),
  )

  it.live("makes the tables those of the chain, whatever was deleted, changed or made up in the log and in them", () =>
    Effect.gen(function* () {
      for (const seed of seeds(2, 40))
        yield* withIndex(
          () =>
            Effect.gen(function* () {
              const sql = yield* SqlClient
              const whole = yield* proven
              yield* receivedCut(chosen(seed, 0.02))
              yield* deleteFacts(chosen(seed + 1_000, 0.02))
              const changed = chosen(seed + 2_000, 0.04).map(signatureOf)
              yield* sql`update trades set quote_amount = quote_amount + 1 where signature = any(${changed}::text[])`
              yield* sql`
              update dbc_events set facts = facts || '{"creator":"11111111111111111111111111111111"}'
              where type = 'PoolCreated' and signature = any(${changed}::text[])`
              yield* sql`delete from fee_claims where ordinal % 3 = ${BigInt(seed % 3)}`
              const lost = chosen(seed + 3_000, 0.02).map(signatureOf)
              yield* sql`delete from inbox_transactions where signature = any(${lost}::text[])`
              // Not on the chain: in the log and the tables, and in the tables alone.
              const made = chosen(seed + 4_000, 0.02).map((one, at) =>
                forged(one, { signature: randomSignature(seed + at) }),
              )
              yield* appendTransactions("backfill", made)
              yield* fold(yield* lead)
              yield* sql`delete from leases`
              yield* sql`
              delete from inbox_transactions where signature = any(${made.slice(0, made.length / 2).map(signatureOf)}::text[])`
              assert.notDeepEqual(yield* digest, whole)
              yield* leadsAs("first")
              const { detail } = yield* repaired()
              assert.deepStrictEqual(yield* digest, whole, `seed ${seed}: ${detail}`)
              yield* isWholeProven
              assert.include((yield* repaired()).detail, NOTHING, `seed ${seed}`)
            }),
          // By the bulk call, whose listings come with whole transactions, and by any RPC.
          { isBulk: seed % 2 === 0 },
        )
    }),
  )

  it.live("goes on where the leader before it was, and says what both have repaired", () =>
    withIndex((cluster) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const whole = yield* proven
        yield* receivedCut(chosen(6, 0.1))
        const first = yield* leadsAs("first")
        const { id } = yield* ask()
        yield* until(Effect.map(jobOf(id), ({ done }) => BigInt(done) > 20n))
        cluster.fail("hang", { method: FETCH })
        yield* Fiber.interrupt(first)
        yield* sql`delete from leases`
        const [{ done: atKill }] = [yield* jobOf(id)]
        cluster.recover()
        const listed: Array<string> = []
        cluster.onListing = (address) => void listed.push(address)
        yield* leadsAs("second")
        const { detail } = yield* untilState(id, "done")
        assert.deepStrictEqual(yield* digest, whole)
        yield* isWholeProven
        assert.isAbove(Number(atKill), 20)
        assert.deepStrictEqual(yield* sql`select starts from indexer_jobs`, [{ starts: 2 }])
        const read = Number(/(\d+) transactions of the program/.exec(detail!)![1])
        const once = Number(/(\d+) transactions of the program/.exec((yield* repaired()).detail!)![1])
        assert.strictEqual(read, once, "no page counts twice")
      }),
    ),
  )

  it.live("leaves a gap, which is proven like any other, when it dies after it has taken out what was wrong", () =>
    withIndex(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const sink = yield* Sink
        const whole = yield* proven
        const fence = yield* lead
        const swap = swaps[20]!
        const [pool] = poolsOf(swap)
        const ofProgram = landed.find((one) => !swaps.includes(one) && one.slot > ORIGIN + 20)!
        for (const [address, one] of [
          [OF_PROGRAM, ofProgram],
          [pool!, swap],
        ] as const) {
          const entries = yield* sql<LogEntry>`
            select log_offset, position, slot, signature from inbox_transactions where signature = ${signatureOf(one)}`
          const slots = { fromSlot: BigInt(one.slot), toSlot: BigInt(one.slot) }
          yield* Effect.andThen(coverageStatements(sql, address).take(slots), sink.drop(entries, "test", fence)).pipe(
            sql.withTransaction,
          )
        }
        assert.notDeepEqual(yield* digest, whole)
        yield* roundAtLast(fence)
        yield* later
        yield* poolRound(fence)
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
        yield* isWholeProven
      }),
    ),
  )

  it.live("concludes nothing from what the chain does not answer, and is given up after many failures", () =>
    withIndex((cluster) =>
      Effect.gen(function* () {
        const whole = yield* proven
        const some = chosen(7, 0.05)
        yield* receivedCut(some)
        const before = yield* digest
        for (const one of transactions) cluster.withheld.add(signatureOf(one))
        yield* leadsAs("first")
        const { id } = yield* ask()
        const { detail } = yield* untilState(id, "failed")
        assert.match(detail!, /is listed but not available\. Until then: \d+ transactions of the program/)
        assert.include(detail, "0 were missing, 0 differed and were replaced, 0 are not on the chain")
        assert.deepStrictEqual(yield* digest, before)
        cluster.recover()
        yield* repaired()
        assert.deepStrictEqual(yield* digest, whole)
        yield* isWholeProven
      }),
    ),
  )

  it.live("takes no body that lacks a part for whole, goes on with all others, and says so", () =>
    withIndex((cluster) =>
      Effect.gen(function* () {
        const whole = yield* proven
        const [first, second] = chosen(8, 0.1).filter((one) => !swaps.includes(one) && cut(one) !== one)
        yield* receivedCut([first!, second!])
        const before = yield* digest
        const cutting = blocks.map((block) => ({
          ...block,
          transactions: block.transactions.map((one) =>
            one === first ? { ...one, meta: { ...one.meta, innerInstructions: null } } : one,
          ),
        }))
        cluster.put(cutting as unknown as typeof blocks)
        yield* leadsAs("first")
        const { id } = yield* ask()
        const { detail } = yield* untilState(id, "failed")
        assert.include(detail, "1 differed and were replaced")
        assert.include(detail, "; 1 could not be read whole")
        assert.include(detail, `${signatureOf(first!)} is answered without`)
        assert.notDeepEqual(yield* digest, before)
        assert.notDeepEqual(yield* digest, whole)
        const slots = (yield* coverageRows).reduce((sum, { fromSlot, toSlot }) => sum + toSlot - fromSlot + 1n, 0n)
        assert.strictEqual(slots, BigInt(LAST - ORIGIN), "its slot is not proven any more")
        cluster.put(blocks)
        yield* repaired()
        assert.deepStrictEqual(yield* digest, whole)
        yield* isWholeProven
      }),
    ),
  )

  it.live("refuses slots that the log takes nothing of any more", () =>
    withIndex((cluster) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* proven
        yield* prunedSlots(sql).write({ fromSlot: BigInt(ORIGIN), toSlot: BigInt(ORIGIN + 5) })
        yield* leadsAs("first")
        const { id } = yield* ask({ ...REPAIR, toSlot: String(ORIGIN + 20) })
        assert.include((yield* untilState(id, "failed")).detail, `no transactions up to slot ${ORIGIN + 5} any more`)
        assert.strictEqual(cluster.callsOf(FETCH), 0)
        yield* sql`update inbox_head set closed_from_slot = ${ORIGIN}, closed_to_slot = ${ORIGIN + 9}`
        const { id: closed } = yield* ask({ ...REPAIR, fromSlot: String(ORIGIN + 6) })
        assert.include((yield* untilState(closed, "failed")).detail, `up to slot ${ORIGIN + 9} have left PostgreSQL`)
        assert.include((yield* repaired({ ...REPAIR, fromSlot: String(ORIGIN + 10) })).detail, NOTHING)
      }),
    ),
  )
})
