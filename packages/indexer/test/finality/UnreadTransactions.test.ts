import { assert, describe, it } from "@effect/vitest"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { rpcHistory } from "../../src/sources/RpcHistory.ts"
import { gapsOf } from "../../src/sources/SlotRanges.ts"
import { NodeError } from "../NodeParams.ts"
import { signatureOf, standInCluster, type StandInCluster } from "../StandInCluster.ts"
import { digest, fold, lead, receiveTransactions } from "../TestIndex.ts"
import { Bulk, reconciledBy } from "./BulkHistory.ts"
import {
  anHourLater,
  blocks,
  coverageRows,
  covered,
  digestOfAll,
  dropped,
  forged,
  landed,
  LAST,
  ORIGIN,
  randomSignature,
  reconciledIndex,
  round,
  transactions,
} from "./ReconciledIndex.ts"

const SLOTS = LAST - ORIGIN
const LISTING = "getSignaturesForAddress"
const TRANSACTION = "getTransaction"
const inSlot = (slot: number) => landed.find((one) => one.slot === ORIGIN + slot)!

const UNKNOWN = { version: 2 }

/** On the chain in this slot, of another program, and of a version that is not known yet. */
const strange = (slot: number): RawTransaction => {
  const from = inSlot(slot)
  const message = { accountKeys: [encodeBase58(new Uint8Array(32).fill(slot))], instructions: [] }
  const transaction = { message, signatures: [randomSignature(slot)] }
  const meta = { err: null, innerInstructions: [] }
  return Object.assign({ slot: from.slot, blockTime: from.blockTime, indexWithinBlock: 99, meta, transaction }, UNKNOWN)
}

/** A delivery that claims to be such a one, with the contents of a transaction of the program. */
const claiming = (one: RawTransaction) => forged(inSlot(one.slot - ORIGIN), { signature: signatureOf(one) })

const putStrange = (cluster: StandInCluster, all: ReadonlyArray<RawTransaction>) =>
  cluster.put(
    all.map(({ slot }, index) => {
      const block = blocks.find((one) => one.slot === slot)!
      return { slot, transactions: [...block.transactions, all[index]!] }
    }),
  )

/** Slots that are not proven. */
const open = Effect.map(covered, (ranges) =>
  Array.from({ length: SLOTS + 1 }, (_, slot) => slot).filter(
    (slot) => !ranges.some(([from, to]) => from! <= slot && slot <= to!),
  ),
)

const slotsOf = (all: ReadonlyArray<RawTransaction>) =>
  [...new Set(all.map(({ slot }) => slot - ORIGIN))].toSorted((one, other) => one - other)

describe("A transaction that no endpoint gives", () => {
  it.live("is not asked for again before its pause is over, and stays named", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      const unread = [inSlot(5), inSlot(12)]
      for (const one of unread) cluster.withheld.add(signatureOf(one))
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const { problem } = yield* round(fence)
        assert.include(problem, "listed but not available")
        const calls = () => [LISTING, TRANSACTION].map((method) => cluster.callsOf(method))
        const asked = calls()
        assert.deepInclude(yield* round(fence), { problem })
        assert.deepStrictEqual(calls(), asked)
        assert.deepInclude(yield* anHourLater(round(fence)), { problem })
        assert.strictEqual(cluster.callsOf(TRANSACTION), asked[1]! + 4)
        assert.deepStrictEqual(yield* open, slotsOf(unread))
        cluster.recover()
        assert.deepInclude(yield* anHourLater(anHourLater(round(fence))), { problem: null })
        assert.deepStrictEqual(yield* open, [])
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("has a bounded share of a round, however many slots there are", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      cluster.withheld.add(signatureOf(inSlot(5)))
      const origin = ORIGIN - 300
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const sql = yield* SqlClient
        yield* round(fence)
        yield* sql`
          insert into coverage (from_slot, to_slot, proven_by, proven_at, log_offset)
          select slot, slot, 'rpc', now(), 0 from generate_series(${origin}::bigint, ${ORIGIN - 2}::bigint, 2) as slot`
        const gaps = Effect.map(
          coverageRows,
          (rows) => gapsOf(rows, { fromSlot: BigInt(origin), toSlot: BigInt(LAST) }).length,
        )
        assert.strictEqual(yield* gaps, 151)
        // What was not tried yet comes first.
        for (const left of [51, 1, 1]) {
          assert.include((yield* anHourLater(round(fence, origin))).problem, signatureOf(inSlot(5)))
          assert.strictEqual(yield* gaps, left)
        }
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("ends the round where none of many is given, and the next ones go on behind them", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      for (const one of landed) cluster.withheld.add(signatureOf(one))
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        const calls = () => cluster.callsOf(TRANSACTION)
        assert.include((yield* Effect.flip(round(fence))).message, "listed but not available")
        assert.isAtMost(calls(), 2 * 110)
        const asked = calls()
        yield* round(fence)
        assert.strictEqual(calls(), 2 * landed.length)
        assert.isBelow(asked, calls())
        cluster.recover()
        assert.deepInclude(yield* anHourLater(round(fence)), { problem: null })
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("leaves its slot unproven and is named, while all others are proven", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      const [early, late] = [strange(30), strange(34)]
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        putStrange(cluster, [early, late])
        const [absent, refused, failing] = [inSlot(5), inSlot(12), inSlot(20)]
        const unread = [absent, refused, failing].map(signatureOf)
        cluster.withheld.add(unread[0]!)
        cluster.answered.set(unread[1]!, new NodeError(-32015, "Transaction version (2) is not supported"))
        cluster.answered.set(unread[2]!, new NodeError(-32603, "Internal error"))
        yield* receiveTransactions([
          ...transactions.filter((one) => one.slot % 3 === 0 && !unread.includes(signatureOf(one))),
          claiming(early),
        ])
        yield* fold(fence)
        const found = yield* round(fence)
        assert.strictEqual(
          found.problem,
          `${signatureOf(early)} is refused by the endpoints (Rejected -32015: Transaction version (2) is not supported by the requesting client.)`,
        )
        assert.deepStrictEqual(yield* open, [5, 12, 20, 30])

        // What arrives late takes its slot out of what is proven.
        yield* receiveTransactions([claiming(late)])
        yield* fold(fence)
        assert.include((yield* round(fence)).problem, signatureOf(late))
        assert.deepStrictEqual(yield* open, [5, 12, 20, 30, 34])
        cluster.recover()
        putStrange(
          cluster,
          [early, late].map((one) => ({ ...one, version: "legacy" })),
        )
        assert.deepInclude(yield* anHourLater(round(fence)), { problem: null })
        assert.deepStrictEqual(yield* open, [])
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
        assert.deepStrictEqual(yield* dropped, { "it does not involve the program": 2 })
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live.each([
    ["of a newer version", new NodeError(-32015, "Transaction version (2) is not supported"), "Rejected -32015"],
    ["refused", new NodeError(-32603, "Internal error"), "NodeFault -32603"],
    ["absent", null, "listed but not available"],
  ] as const)("stops no proof where many are %s, and all others were delivered", ([, answer, reason]) =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      const unread = landed.slice(0, 40)
      for (const one of unread) cluster.answered.set(signatureOf(one), answer)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        yield* receiveTransactions(transactions.filter((one) => !unread.includes(one)))
        yield* fold(fence)
        assert.include((yield* round(fence)).problem, reason)
        assert.deepStrictEqual(yield* open, slotsOf(unread))
      }).pipe(Effect.provide(reconciledBy(new Bulk([], 1), cluster, rpcHistory())))
    }),
  )
})
