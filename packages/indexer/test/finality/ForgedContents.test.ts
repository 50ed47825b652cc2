import { assert, describe, it } from "@effect/vitest"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { Array as Arr, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { encodeCall, INSTRUCTIONS } from "../../fixtures/EncodeEvents.ts"
import { SeededRandom } from "../../fixtures/SeededRandom.ts"
import { ChainHistory } from "../../src/sources/ChainHistory.ts"
import { coverageStatements } from "../../src/finality/CoverageStatements.ts"
import { appendTransactions, IngestLog } from "../../src/inbox/IngestLog.ts"
import { replay } from "../../src/replay/Rebuild.ts"
import { signatureOf, standInCluster } from "../StandInCluster.ts"
import { digest, fold, forget, lead, receiveTransactions } from "../TestIndex.ts"
import { ALTERATION_NAMES, altered } from "./AlteredTransaction.ts"
import { Bulk, bulkHistory, reconciledBy } from "./BulkHistory.ts"
import {
  blocks,
  covered,
  digestOfAll,
  dropped,
  forged,
  landed,
  LAST,
  ORIGIN,
  reconciledIndex,
  round,
  coverageRows,
  transactions,
} from "./ReconciledIndex.ts"

const SLOTS = LAST - ORIGIN
const REASON = "its contents differ from the chain's"
/** The same with a call of the program that emits nothing, in place of each. */
const quietOf = (one: RawTransaction): RawTransaction => {
  const { message } = one.transaction
  const locked = { ...message, instructions: message.instructions.map((call) => ({ ...call, data: LOCKER })) }
  const meta = { ...one.meta, innerInstructions: [], logMessages: null }
  return { ...one, meta, transaction: { ...one.transaction, message: locked } }
}
const LOCKER = encodeCall(INSTRUCTIONS.createLocker)
const swaps = landed.filter((one) => altered(one, "another amount") !== undefined)

/** Folding the rest gives the tables of the chain, and everything is proven. */
const foldsTo = Effect.fnUntraced(function* (whole: Effect.Success<typeof digest>, fence: Effect.Success<typeof lead>) {
  yield* fold(fence)
  assert.deepStrictEqual(yield* digest, whole)
  assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
})

/** Appends bodies, each as a segment of the log. */
const receiveInBodies = (all: ReadonlyArray<RawTransaction>, size: number) =>
  Effect.forEach(Arr.chunksOf(all, size), receiveTransactions)

/** Number of transactions in the log, and of those that cannot be decoded. */
const counts = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ readonly transactions: number; readonly letters: number }>`
    select (select count(*)::integer from inbox_transactions) as transactions,
      (select count(*)::integer from dead_letters) as letters`,
)

describe("A real signature in its real slot, delivered with forged contents", () => {
  it.live("leaves the tables of the chain, whether it arrives before, instead of or after the real one", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const sql = yield* SqlClient
        const whole = yield* digestOfAll(fence)
        for (const seed of [1, 2, 3, 4, 5, 6]) {
          yield* forget
          yield* sql`delete from indexer_reports`
          yield* sql`update indexer_progress set checked_offset = 0`
          const random = new SeededRandom(seed)
          const share = random.pick([0.05, 0.3, 0.9])
          const made = (one: RawTransaction) => {
            const forgery = one.meta.err === null ? altered(one, random.pick(ALTERATION_NAMES)) : undefined
            return forgery === undefined ? [] : [forgery]
          }
          const lost = landed.filter(() => random.chance(0.1))
          const forgeries = transactions.flatMap((one) =>
            random.chance(share) && !lost.includes(one) ? made(one) : [],
          )
          const isForged = new Set(forgeries.map(signatureOf))
          const real = transactions.filter(
            (one) => !lost.includes(one) && (!isForged.has(signatureOf(one)) || random.chance(0.5)),
          )
          const delivered = [...forgeries, ...real].sort((one, other) => one.slot - other.slot)
          const [folded, early, late] = [random.between(0, 200), random.between(0, SLOTS), random.between(1, 30)]
          yield* receiveInBodies(delivered.slice(0, folded), late)
          yield* fold(fence)
          yield* receiveInBodies(delivered.slice(folded), late)
          cluster.finalizedSlot = ORIGIN + early
          const first = yield* round(fence)
          if (random.chance(0.5)) yield* fold(fence)
          cluster.finalize(LAST)
          const second = yield* round(fence)
          const found = [first, second].reduce((sum, { dropped: reverted, missing }) => sum + reverted + missing, 0)
          assert.isAtLeast(found, lost.length, `seed ${seed}`)
          assert.isAtMost(found, lost.length + forgeries.length, `seed ${seed}`)
          yield* fold(fence)
          assert.deepStrictEqual(yield* digest, whole, `seed ${seed}`)
          // Everything is proven; now every other transaction again: redeliveries, which change nothing.
          const before = yield* counts
          yield* receiveTransactions([...forgeries, ...landed.flatMap(made)])
          yield* fold(fence)
          assert.deepStrictEqual(yield* counts, before)
          assert.deepInclude(yield* round(fence), { missing: 0, dropped: 0, proven: [] })
          assert.deepStrictEqual(yield* digest, whole, `again, seed ${seed}`)
          yield* replay(fence)
          assert.deepStrictEqual(yield* digest, whole, `replay of seed ${seed}`)
        }
      }).pipe(Effect.provide(reconciledBy(new Bulk(transactions, 40), cluster)))
    }),
  )

  /** Delivers forgeries before each of the first `times` fetches. */
  const overtaking = (forgeries: ReadonlyArray<RawTransaction>, times: number) =>
    Layer.effect(
      ChainHistory,
      Effect.gen(function* () {
        const history = yield* ChainHistory
        const log = yield* IngestLog
        const overtake = appendTransactions("webhook", forgeries).pipe(
          Effect.provideService(IngestLog, log),
          Effect.orDie,
        )
        let left = times
        return ChainHistory.of({
          ...history,
          transactions: (listed) =>
            listed.length === 0 || left-- <= 0
              ? history.transactions(listed)
              : Effect.andThen(overtake, history.transactions(listed)),
        })
      }),
    ).pipe(Layer.provide(bulkHistory))

  const [replaced, missing] = [swaps[3]!, swaps[40]!]
  const forgeries = [altered(replaced, "another amount")!, altered(missing, "another block time")!]
  const delivered = transactions
    .filter((one) => one !== missing)
    .map((one) => (one === replaced ? altered(one, "a failure")! : one))

  it.live("is replaced also when it arrives before the fetched version", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        yield* receiveTransactions(delivered)
        assert.deepInclude(yield* round(fence), { missing: 1, dropped: 5 })
        yield* foldsTo(whole, fence)
      }).pipe(Effect.provide(reconciledBy(new Bulk(transactions, 1_000), cluster, overtaking(forgeries, 2))))
    }),
  )

  it.live("proves nothing while it keeps arriving first, and is replaced in the next round", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        yield* receiveTransactions(delivered)
        assert.include((yield* Effect.flip(round(fence))).message, "other contents meanwhile")
        assert.deepStrictEqual(yield* covered, [])
        yield* fold(fence)
        assert.notDeepEqual(yield* digest, whole)
        assert.deepInclude(yield* round(fence), { missing: 0, dropped: 2 })
        yield* foldsTo(whole, fence)
      }).pipe(Effect.provide(reconciledBy(new Bulk(transactions, 1_000), cluster, overtaking(forgeries, 6))))
    }),
  )

  it.live("is reverted also when the chain's version has no facts: a failure, or a call that changed nothing", () =>
    Effect.gen(function* () {
      const failure = transactions.find(({ meta }) => meta.err !== null)!
      const quiet = quietOf(swaps[7]!)
      const chain = transactions.map((one) => (one === swaps[7] ? quiet : one))
      const under = (one: RawTransaction) => ({ signature: signatureOf(one), slot: one.slot })
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence, chain)
        yield* receiveTransactions([
          forged(swaps[5]!, under(failure)),
          forged(swaps[6]!, under(quiet)),
          ...chain.filter((one) => one !== failure && one !== quiet),
        ])
        yield* fold(fence)
        assert.notDeepEqual(yield* digest, whole)
        assert.deepInclude(yield* round(fence), { missing: 0, dropped: 2 })
        assert.deepStrictEqual(yield* dropped, { "it failed on chain": 1, [REASON]: 1 })
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
      }).pipe(Effect.provide(reconciledBy(new Bulk(chain, 1_000), cluster)))
    }),
  )
})

describe("A delivery in another form than the chain's listing", () => {
  /** As sources differ: another name for the index in the block, empty addresses missing, another order of members. */
  const reworded = ({ indexWithinBlock, meta, ...rest }: RawTransaction) => ({
    version: 0,
    transactionIndex: indexWithinBlock,
    ...Object.fromEntries(Object.entries(rest).toReversed()),
    meta: {
      ...Object.fromEntries(Object.entries(meta).toReversed()),
      loadedAddresses: Object.values(meta.loadedAddresses ?? {}).flat().length > 0 ? meta.loadedAddresses : undefined,
    },
  })

  it.live("is kept as long as its facts are the same, at any place in its block", () =>
    Effect.gen(function* () {
      // The chain's listing lacks a tenth of the block times.
      const listed = transactions.map((one, index) => (index % 10 === 0 ? { ...one, blockTime: null } : one))
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const places = transactions.map((one, index) => ({
          ...one,
          indexWithinBlock: one.indexWithinBlock! + 1 + (index % 2),
        }))
        yield* receiveTransactions(transactions.map((one, index) => (index % 3 === 0 ? places[index] : reworded(one))))
        yield* fold(fence)
        const before = yield* digest
        assert.deepInclude(yield* round(fence), { missing: 0, dropped: 0 })
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, before)
        assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
      }).pipe(Effect.provide(reconciledBy(new Bulk(listed, 1_000), cluster)))
    }),
  )
})

describe("When the chain's listing comes without transactions", () => {
  it.live("nothing is fetched to compare contents, and coverage names the source that proved it", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const sql = yield* SqlClient
        yield* receiveTransactions(landed.map((one) => altered(one, "another amount") ?? one))
        assert.deepInclude(yield* round(fence), { missing: 0, dropped: 0 })
        assert.strictEqual(cluster.callsOf("getTransaction"), 0)
        yield* fold(fence)
        // With a key later, older coverage still names its own source.
        const beyond = { fromSlot: BigInt(LAST) + 1n, toSlot: BigInt(LAST) + 9n, logOffset: 1n }
        yield* coverageStatements(sql).add({ ...beyond, provenBy: "helius" }, new Date())
        const provenBy = (yield* coverageRows).map((one) => [Number(one.toSlot) - ORIGIN, one.provenBy])
        assert.deepStrictEqual(provenBy, [
          [SLOTS, "rpc"],
          [SLOTS + 9, "helius"],
        ])
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )
})
