import { assert, describe, it } from "@effect/vitest"
import type { RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import { encodeBase58 } from "@launch-registry/solana/Base58"
import { Effect } from "effect"
import { rpcHistory } from "../../src/sources/RpcHistory.ts"
import { NodeError } from "../NodeParams.ts"
import { signatureOf, standInCluster, type StandInCluster } from "../StandInCluster.ts"
import { digest, fold, lead, receiveTransactions } from "../TestIndex.ts"
import { Bulk, reconciledBy } from "./BulkHistory.ts"
import {
  blocks,
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

describe("A transaction that no endpoint gives", () => {
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
        assert.deepInclude(yield* round(fence), { problem: null })
        assert.deepStrictEqual(yield* open, [])
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
        assert.deepStrictEqual(yield* dropped, { "it does not involve the program": 2 })
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("stops no proof where many are of a newer version, and all others were delivered", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      const newer = landed.slice(0, 40)
      for (const one of newer)
        cluster.answered.set(signatureOf(one), new NodeError(-32015, "Transaction version (2) is not supported"))
      yield* Effect.gen(function* () {
        const fence = yield* lead
        yield* receiveTransactions(transactions.filter((one) => !newer.includes(one)))
        yield* fold(fence)
        assert.include((yield* round(fence)).problem, "Rejected -32015")
        assert.deepStrictEqual(
          yield* open,
          [...new Set(newer.map(({ slot }) => slot - ORIGIN))].toSorted((a, b) => a - b),
        )
      }).pipe(Effect.provide(reconciledBy(new Bulk([], 1), cluster, rpcHistory)))
    }),
  )
})
