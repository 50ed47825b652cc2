import { assert, describe, it } from "@effect/vitest"
import type { Swapped } from "@launch-registry/chain/transactions/DbcEvent"
import { decodeTransaction } from "@launch-registry/chain/events/DecodeTransaction"
import { missingPart } from "@launch-registry/chain/events/MissingPart"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { hintsOfTransactions } from "@launch-registry/chain/pools/TransactionHints"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { getProgramDerivedAddress, type Address } from "@solana/kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import captured from "../fixtures/graduation-damm-v1.json" with { type: "json" }
import graduations from "../fixtures/graduations.json" with { type: "json" }
import type { Graduation } from "../fixtures/Graduation.ts"
import { capturedTransactions } from "../src/sources/CapturedTransactions.ts"
import { followerWith } from "../src/sources/Follower.ts"
import { covered, ORIGIN, reconciledIndex, round } from "./finality/ReconciledIndex.ts"
import { asVersion1, relayed } from "./LaterTransactions.ts"
import { NodeError } from "./NodeParams.ts"
import { signatureOf, standInCluster } from "./StandInCluster.ts"
import { fold, forget, lead, receive } from "./TestIndex.ts"

const launched = capturedTransactions.filter(({ launch }) => launch === capturedTransactions[0]!.launch)
const [first, ...others] = graduations as unknown as ReadonlyArray<Graduation>
const dammSteps = [first!, ...others, captured as unknown as Graduation].flatMap(({ steps }) => steps)

const swapsOf = (transaction: RawTransaction) =>
  decodeTransaction(transaction).filter((event): event is Swapped & typeof event => event.type === "Swapped")
const withoutPlace = ({ at: _at, ...swap }: ReturnType<typeof swapsOf>[number]) => swap

/** An address of a program: it signs nothing itself. */
const programAddress = Effect.promise(async () => {
  const [found] = await getProgramDerivedAddress({
    programAddress: "dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN" as Address,
    seeds: ["trader"],
  })
  return found as string
})

/** Deepest are calls of height 9: the network lets programs nest 8 calls (SIMD-0268), of which the events of a swap are the last. */
const HEIGHTS = 7

const traded = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql<{ readonly signature: string; readonly trader: string; readonly side: string }>`
    select signature, trader, side from trades order by ordinal`
})

describe("A transaction as the network has them since the autumn of 2026", () => {
  it.effect(
    "is of whom the swap names, whoever pays and signs and however deep it is called, on curves and pools",
    () =>
      Effect.gen(function* () {
        const trader = yield* programAddress
        const all = [...launched, ...dammSteps].filter((one) => swapsOf(one).length > 0)
        assert.sameMembers(
          [...new Set(all.flatMap((one) => swapsOf(one).map(({ venue }) => venue)))],
          [...["dbc", "damm_v2", "damm_v1"]],
        )
        for (const one of all) {
          const [{ trader: wallet }] = swapsOf(one) as [Swapped & ReturnType<typeof swapsOf>[number]]
          for (const heights of [1, HEIGHTS]) {
            const sent = relayed(one, { heights, trader, wallet })
            const later = asVersion1(sent)
            assert.lengthOf(later.transaction.message.accountKeys, 96)
            const depth = later.meta.innerInstructions!.flatMap(({ instructions }) =>
              instructions.map(({ stackHeight }) => stackHeight!),
            )
            if (heights === HEIGHTS) assert.isAtLeast(Math.max(...depth), 9)
            for (const body of [sent, later]) {
              assert.deepStrictEqual(
                swapsOf(body).map(withoutPlace),
                swapsOf(one).map((swap) => ({ ...withoutPlace(swap), trader })),
              )
              assert.isUndefined(missingPart(body))
            }
          }
        }
      }),
  )

  it.live("is received, indexed and proven in version 1, by webhook and by poll", () =>
    Effect.gen(function* () {
      const trader = yield* programAddress
      const bodies = launched.map((one) => {
        const wallet = swapsOf(one)[0]?.trader
        return asVersion1(wallet === undefined ? one : relayed(one, { heights: HEIGHTS, trader, wallet }))
      })
      const blocks = [...Map.groupBy(bodies, ({ slot }) => slot)].map(([slot, transactions]) => ({
        slot,
        transactions,
      }))
      const cluster = yield* standInCluster(blocks.toSorted((one, other) => one.slot - other.slot))
      yield* Effect.gen(function* () {
        const fence = yield* lead
        yield* receive([JSON.stringify(bodies)])
        yield* fold(fence)
        const received = yield* traded
        assert.strictEqual(received.length, bodies.flatMap(swapsOf).length)
        assert.deepStrictEqual([...new Set(received.map((one) => one.trader))], [trader])
        assert.deepInclude(yield* round(fence), { missing: 0, dropped: 0, problem: null })
        assert.deepStrictEqual(yield* covered, [[0, cluster.finalizedSlot - ORIGIN]])

        yield* forget
        yield* yield* followerWith()
        yield* fold(fence)
        assert.deepStrictEqual(yield* traded, received)
        yield* forget
        assert.isAbove((yield* round(fence)).missing, received.length)
        yield* fold(fence)
        assert.deepStrictEqual(yield* traded, received)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("tells where the pool of a mint is, and one that no endpoint gives does not keep the others from it", () =>
    Effect.gen(function* () {
      const bodies = launched.filter((one) => swapsOf(one).length > 0).map(asVersion1)
      const [{ baseMint, pool }] = bodies.flatMap(swapsOf) as unknown as [Swapped]
      const cluster = yield* standInCluster(bodies.map((one) => ({ slot: one.slot, transactions: [one] })))
      cluster.put([{ slot: cluster.finalizedSlot, transactions: bodies.slice(-3) }])
      yield* Effect.gen(function* () {
        const rpc = yield* Rpc
        assert.deepInclude((yield* hintsOfTransactions(rpc, baseMint))[0], { pool })
        const newest = bodies.slice(-3).map(signatureOf)
        const unknown = new NodeError(-32015, "Transaction version (2) is not supported")
        for (const unread of [new NodeError(-32603, "Internal error"), unknown]) {
          for (const signature of newest.slice(1)) cluster.answered.set(signature, unread)
          assert.deepInclude((yield* hintsOfTransactions(rpc, baseMint))[0], { pool })
        }
        // What no endpoint can read names no pool: anybody can send it.
        const absent = new NodeError(-32009, "Slot 1 was skipped, or missing in long-term storage")
        for (const unreadable of [unknown, absent]) {
          cluster.answered.set(newest[0]!, unreadable)
          assert.deepStrictEqual(yield* hintsOfTransactions(rpc, baseMint), [])
        }
        // Where the endpoints failed, or left out a part, it is not known.
        const cut = { ...bodies.at(-3)!, meta: { ...bodies.at(-3)!.meta, innerInstructions: null } }
        for (const failed of [new NodeError(-32603, "Internal error"), { meta: "of another form" }, cut, null]) {
          cluster.answered.set(newest[0]!, failed)
          assert.strictEqual((yield* Effect.flip(hintsOfTransactions(rpc, baseMint)))._tag, "Unavailable")
        }
        // One that may be cut tells what it has.
        const [{ trader: wallet }] = swapsOf(bodies.at(-3)!) as [Swapped & ReturnType<typeof swapsOf>[number]]
        const sent = relayed(bodies.at(-3)!, { heights: 1, trader: wallet, wallet })
        const logMessages = [sent.meta.logMessages![0]!, "Log truncated"]
        const routed = asVersion1({ ...sent, meta: { ...sent.meta, logMessages } })
        assert.deepStrictEqual(missingPart(routed), { part: "inner instructions", isCertain: false })
        cluster.answered.set(newest[0]!, routed)
        assert.deepInclude((yield* hintsOfTransactions(rpc, baseMint))[0], { pool })
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )
})
