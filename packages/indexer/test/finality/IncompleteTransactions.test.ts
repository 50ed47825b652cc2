import { assert, describe, it } from "@effect/vitest"
import { missingPart } from "@launch-registry/chain/events/MissingPart"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { completeTransactions } from "../../src/finality/CompleteTransactions.ts"
import { appendTransactions } from "../../src/inbox/IngestLog.ts"
import { changesOf } from "../../src/modules/DatabaseChanges.ts"
import { follower } from "../../src/sources/Follower.ts"
import { CUT_NAMES, CUTS } from "../CutBodies.ts"
import { signatureOf, standInCluster, type StandInCluster } from "../StandInCluster.ts"
import { digest, fold, forget, lead, receive } from "../TestIndex.ts"
import { Bulk, reconciledBy } from "./BulkHistory.ts"
import { ANSWERED_CUTS, completeAll, isOurChain, poisonLeft, textOf } from "./CompletedIndex.ts"
import {
  anHourLater,
  blocks,
  covered,
  digestOfAll,
  dropped,
  landed,
  LAST,
  ORIGIN,
  randomSignature,
  reconciledIndex,
  roundAtLast,
  transactions,
} from "./ReconciledIndex.ts"

const SLOTS = LAST - ORIGIN
const swaps = landed.filter((one) => changesOf([one]).trades.length > 0)
/** With addresses of lookup tables, so that each way to cut applies. */
const swap = swaps.find(({ meta }) => (meta.loadedAddresses?.readonly.length ?? 0) > 0)!

describe("A transaction that is delivered without a part", () => {
  const names = CUT_NAMES.filter((name) => name !== "no balances")

  it.live("loses nothing: before the whole one, behind it, and on both sides of it, without asking the chain", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence, [swap])
        for (const name of names) {
          const cut = CUTS[name](swap)
          for (const order of [
            [cut, swap],
            [cut, swap, cut],
          ]) {
            yield* forget
            for (const body of order) {
              yield* receive([textOf([body])])
              if (order.length === 3) yield* fold(fence)
            }
            yield* fold(fence)
            assert.deepStrictEqual(yield* digest, whole, name)
          }
        }
        assert.strictEqual(cluster.callsOf("getTransaction"), 0)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("is noted however many there are in one delivery", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const cut = CUTS["no meta"](swap) as Record<string, unknown>
        const many = Array.from({ length: 1_200 }, (_, at) => ({
          ...cut,
          transaction: { ...swap.transaction, signatures: [randomSignature(at)] },
        }))
        yield* receive([textOf(many)])
        const [row] = yield* sql<{ readonly count: number }>`
          select count(distinct signature)::integer as count from inbox_poison where due_at is not null`
        assert.strictEqual(row!.count, many.length)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("is fetched by the leader, also where it says no slot, and where the proof never comes", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence, [swap])
        for (const name of names) {
          yield* forget
          yield* receive([textOf([CUTS[name](swap)])])
          yield* completeAll(fence)
          if (name !== "no transaction") assert.deepStrictEqual(yield* digest, whole, name)
          assert.deepStrictEqual(yield* poisonLeft, [], name)
        }
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("is asked for less and less often while no endpoint knows it, and then not any more", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster([])
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        const complete = yield* completeTransactions
        yield* receive([textOf([CUTS["inner instructions null"](swap)])])
        const pauses: Array<number> = []
        for (let time = 0; time < 30; time++) {
          yield* complete(fence, isOurChain)
          const [row] = yield* sql<{ readonly pause: number | null }>`
            select extract(epoch from due_at - now())::float8 as pause from inbox_poison`
          if (row!.pause === null) break
          pauses.push(row!.pause)
          yield* sql`update inbox_poison set due_at = now() - interval '1 second'`
        }
        assert.lengthOf(pauses, 19)
        assert.isBelow(pauses[0]!, 6)
        assert.isAtMost(pauses.at(-1)!, 600)
        assert.isAbove(pauses.at(-1)!, 500)
        const asked = cluster.callsOf("getTransaction")
        yield* complete(fence, isOurChain)
        assert.strictEqual(cluster.callsOf("getTransaction"), asked)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("that only PostgreSQL rejected is fetched as well, and takes the place of the dead letter", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        const whole = yield* digestOfAll(fence, [swap])
        yield* sql`alter table trades add constraint refused check (signature <> ${sql.literal(`'${signatureOf(swap)}'`)})`
        yield* receive([textOf([swap])])
        yield* fold(fence)
        assert.lengthOf(yield* sql`select * from dead_letters`, 1)
        yield* sql`alter table trades drop constraint refused`
        yield* completeAll(fence)
        assert.deepStrictEqual(yield* digest, whole)
        assert.lengthOf(yield* sql`select * from dead_letters`, 0)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )
})

describe("An answer of the chain without a part", () => {
  /** A swap for each way to cut, in slots that have no other one of them. */
  const spoilt = ANSWERED_CUTS.map((name, index) => ({ name, one: swaps[3 + 4 * index]! }))
  const spoil = (node: StandInCluster, all: typeof spoilt) => {
    for (const { name, one } of all) node.answered.set(signatureOf(one), CUTS[name](one))
  }

  it.live("covers nothing of its slot, and heals with the endpoint", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        spoil(cluster, spoilt)
        const { problem } = yield* roundAtLast(fence)
        yield* fold(fence)
        assert.match(problem!, /is answered without /)
        const open = new Set(
          spoilt
            .filter(({ name, one }) => missingPart(CUTS[name](one)) !== undefined)
            .map(({ one }) => one.slot - ORIGIN),
        )
        assert.isAbove(open.size, 15)
        const isCovered = (slot: number, all: ReadonlyArray<ReadonlyArray<number>>) =>
          all.some(([from, to]) => from! <= slot && slot <= to!)
        const found = yield* covered
        for (let slot = 0; slot <= SLOTS; slot++) assert.strictEqual(isCovered(slot, found), !open.has(slot), `${slot}`)
        cluster.recover()
        assert.deepInclude(yield* anHourLater(roundAtLast(fence)), { problem: null })
        assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("is made good by another endpoint at once", () =>
    Effect.gen(function* () {
      const [cluster, backup] = [yield* standInCluster(blocks), yield* standInCluster(blocks)]
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        spoil(cluster, spoilt)
        spoil(
          backup,
          spoilt.map(({ name }, index) => ({ name, one: swaps[4 + 4 * index]! })),
        )
        assert.deepInclude(yield* roundAtLast(fence), { problem: null })
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
        assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
      }).pipe(Effect.provide(reconciledIndex(cluster, backup)))
    }),
  )

  it.live("does not hold up a poll, and is fetched once the endpoint has all of it", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence, landed)
        for (const one of swaps.slice(0, 9))
          cluster.answered.set(signatureOf(one), CUTS["inner instructions null"](one))
        const poll = yield* follower
        yield* Effect.retry(poll, { times: 100 })
        yield* fold(fence)
        assert.notDeepEqual(yield* digest, whole)
        assert.lengthOf(yield* poisonLeft, 9)
        cluster.recover()
        yield* completeAll(fence)
        assert.deepStrictEqual(yield* digest, whole)
        assert.deepStrictEqual(yield* poisonLeft, [])
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("within Helius' bulk call is asked for at the RPC endpoints", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      const gone = swaps.at(-1)!
      const listed = transactions.map((one) =>
        one === swap || one === gone ? (CUTS["no inner instructions"](one) as RawTransaction) : one,
      )
      cluster.answered.set(signatureOf(gone), CUTS["no inner instructions"](gone))
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        const { problem } = yield* roundAtLast(fence)
        assert.include(problem, signatureOf(gone))
        const at = gone.slot - ORIGIN
        const expected =
          at === SLOTS
            ? [[0, at - 1]]
            : [
                [0, at - 1],
                [at + 1, SLOTS],
              ]
        assert.deepStrictEqual(yield* covered, expected as never)
        cluster.recover()
        yield* anHourLater(roundAtLast(fence))
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
        assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
      }).pipe(Effect.provide(reconciledBy(new Bulk(listed, 1_000), cluster)))
    }),
  )
})

describe("What the log holds of a transaction", () => {
  it.live("is replaced by the proof where a part of it is missing", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        const cuts = ANSWERED_CUTS.filter((name) => name !== "no balances")
        const bodies = transactions.map((one, index) =>
          swaps.includes(one) ? CUTS[cuts[index % cuts.length]!](one) : one,
        )
        yield* appendTransactions("follow", bodies)
        yield* sql`update inbox_segments set source = 'webhook'`
        yield* fold(fence)
        assert.notDeepEqual(yield* digest, whole)
        assert.deepInclude(yield* roundAtLast(fence), { problem: null, missing: 0 })
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
        assert.deepStrictEqual(Object.keys(yield* dropped), ["its contents differ from the chain's"])
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )
})
