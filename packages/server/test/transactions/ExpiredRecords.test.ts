import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { failure, over, result, status, untilState } from "../../../chain/test/rpc/StandInNode.ts"
import { followIndex } from "../../src/tokens/FollowIndex.ts"
import { pollStatuses } from "../../src/transactions/PollStatuses.ts"
import { commitChanges } from "../stream/IndexChanges.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { age, askOf, endOf, EXPIRED, indexTradeOf, PENDING, read, record } from "./Expiring.ts"
import { failed, landed, processed, recordNode, tradedAnswer, unexecuted } from "./RecordNode.ts"

/** The ledger of a node that starts at slot 10. */
const KEPT = { firstSlot: 10, firstHeight: 10, firstMillis: 0 }

layer(TestServer.layer(), { excludeTestServices: true })("A record whose block height is past", (it) => {
  it.effect("fails with the reason when no node knows it, and not a block earlier", () =>
    Effect.gen(function* () {
      const past = yield* record({ lastValidBlockHeight: "3999" })
      const present = yield* record({ lastValidBlockHeight: 4_000 })
      yield* askOf([yield* recordNode(), yield* recordNode()])
      assert.deepStrictEqual(yield* endOf(past), EXPIRED)
      assert.deepStrictEqual(yield* endOf(present), PENDING)
    }),
  )

  it.effect("ends by the one node that knows it", () =>
    Effect.gen(function* () {
      const [good, bad, young] = [
        yield* record({ lastValidBlockHeight: 3_999 }),
        yield* record({ lastValidBlockHeight: 3_999 }),
        yield* record({ lastValidBlockHeight: 3_999 }),
      ]
      const idle = yield* record({ lastValidBlockHeight: 3_999 })
      const statuses = {
        ...{ [good.txHash]: landed, [bad.txHash]: failed, [young.txHash]: processed, [idle.txHash]: unexecuted },
      }
      yield* askOf([yield* recordNode(), yield* recordNode({ statuses })])
      assert.deepStrictEqual(yield* endOf(good), ["success", null])
      assert.deepStrictEqual(yield* endOf(bad), ["failed", "failed on chain: InstructionError 2, Custom 6002"])
      assert.deepStrictEqual(yield* endOf(young), PENDING)
      assert.deepStrictEqual(yield* endOf(idle), ["failed", "not executed: InsufficientFundsForFee"])
    }),
  )

  it.effect("stays pending while a lagging node might know it", () =>
    Effect.gen(function* () {
      const one = yield* record({ lastValidBlockHeight: 3_999 })
      // The primary has finalized a block that the backup has not processed, or has not finalized.
      const nodes = [yield* recordNode(), yield* recordNode({ slot: 4_999 })] as const
      yield* askOf(nodes)
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      nodes[1].slot = 5_032
      nodes[1].finalizedHeight = 3_999
      yield* askOf(nodes)
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      nodes[1].finalizedHeight = 4_000
      yield* askOf(nodes)
      assert.deepStrictEqual(yield* endOf(one), EXPIRED)
    }),
  )

  it.effect("stays pending while a node's history begins too late to know it", () =>
    Effect.gen(function* () {
      const one = yield* record({ lastValidBlockHeight: 3_999 })
      // It can have landed from block height 3850 on.
      const pruned = yield* recordNode({ firstSlot: 4_800, firstHeight: 3_850, firstMillis: Date.now() })
      yield* askOf([yield* recordNode(), pruned])
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      pruned.firstHeight = 3_849
      yield* askOf([yield* recordNode(), pruned])
      assert.deepStrictEqual(yield* endOf(one), EXPIRED)
    }),
  )

  it.effect("stays pending when no node answers, or one in use does not answer", () =>
    Effect.gen(function* () {
      const one = yield* record({ lastValidBlockHeight: 3_999 })
      const nodes = [yield* recordNode(), yield* recordNode()] as const
      for (const { node } of nodes) node.behave("getSignatureStatuses", status(503))
      yield* askOf(nodes)
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      nodes[0].recover()
      yield* askOf(nodes)
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      // Its oldest block is unknown as well.
      nodes[1].recover()
      nodes[1].node.behave("getFirstAvailableBlock", status(503))
      yield* askOf(nodes)
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      // A node that is out of use does not delay expiry.
      yield* Effect.promise(() => nodes[1].node.die())
      const sql = yield* SqlClient
      yield* Effect.gen(function* () {
        yield* untilState("primary", "closed")
        yield* untilState("backup", "open")
        yield* sql`update server_progress set done_at = '-infinity' where name = 'statuses'`
        yield* yield* pollStatuses
      }).pipe(Effect.provide(over(nodes.map(({ node }) => node.url))))
      assert.deepStrictEqual(yield* endOf(one), EXPIRED)
    }),
  )

  it.effect("ignores nodes that do not support the methods", () =>
    Effect.gen(function* () {
      const one = yield* record({ lastValidBlockHeight: 3_999 })
      const mute = yield* recordNode()
      mute.node.behave("getFirstAvailableBlock", failure(-32601))
      yield* askOf([mute])
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      yield* askOf([mute, yield* recordNode()])
      assert.deepStrictEqual(yield* endOf(one), EXPIRED)
    }),
  )

  it.effect("becomes success when it landed after all: by its trade, or when it is checked again", () =>
    Effect.gen(function* () {
      const [traded, asked] = [
        yield* record({ lastValidBlockHeight: 3_999 }),
        yield* record({ lastValidBlockHeight: 3_999 }),
      ]
      yield* askOf([yield* recordNode()])
      assert.deepStrictEqual([yield* endOf(traded), yield* endOf(asked)], [EXPIRED, EXPIRED])
      yield* commitChanges(yield* indexTradeOf(traded))
      const step = yield* followIndex
      while (yield* step) continue
      assert.deepStrictEqual(yield* endOf(traded), ["success", null])
      // Of the same transaction, so the chain is asked about that again.
      yield* record({ txHash: asked.txHash, action: "SELL", userAddress: (yield* read(asked)).userAddress })
      const transactions = { [asked.txHash]: tradedAnswer(asked.txHash, yield* read(asked)) }
      yield* askOf([yield* recordNode({ statuses: { [asked.txHash]: landed }, transactions })])
      assert.deepStrictEqual(yield* endOf(asked), ["success", null])
    }),
  )

  it.effect("is left alone when it is of another chain, a launch or a bridge transfer", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const elsewhere = yield* record({ lastValidBlockHeight: 3_999, chain: "near" })
      const own = yield* Effect.forEach(
        ["DEPLOY", "BRIDGE"],
        Effect.fnUntraced(function* (action) {
          const made = yield* record({ lastValidBlockHeight: 3_999 })
          yield* sql`update transactions set action = ${action} where id = ${made.id}::uuid`
          return made
        }),
      )
      const nameless = yield* record({ txHash: "launch" })
      yield* sql`update transactions set action = 'DEPLOY' where id = ${nameless.id}::uuid`
      for (const one of [elsewhere, ...own, nameless]) {
        yield* age(one, 30)
        yield* askOf([yield* recordNode()])
        assert.deepStrictEqual(yield* endOf(one), PENDING)
      }
    }),
  )

  it.effect("stays pending, however a status is malformed", () =>
    Effect.gen(function* () {
      const one = yield* record()
      const { err: _, ...silent } = landed
      const wrong = [silent, { ...landed, slot: "90" }, { ...landed, slot: -1 }, { ...landed, err: 5 }, "finalized"]
      for (const status of wrong) {
        yield* askOf([yield* recordNode({ statuses: { [one.txHash]: status as object } })])
        assert.deepStrictEqual(yield* endOf(one), PENDING, JSON.stringify(status))
      }
      yield* askOf([yield* recordNode({ statuses: { [one.txHash]: landed } })])
      assert.deepStrictEqual(yield* endOf(one), ["success", null])
    }),
  )

  it.effect("does not expire because of a node that answers nonsense", () =>
    Effect.gen(function* () {
      const one = yield* record({ lastValidBlockHeight: 3_999 })
      const epoch = { absoluteSlot: 5_000, blockHeight: "4000" }
      const lies: ReadonlyArray<readonly [method: string, result: unknown]> = [
        ["getSignatureStatuses", { context: { slot: 5_032 }, value: [] }],
        ["getSignatureStatuses", { context: { slot: 1e300 }, value: [null] }],
        ["getSignatureStatuses", { context: { slot: "5032" }, value: [null] }],
        ["getEpochInfo", epoch],
        ["getEpochInfo", { ...epoch, blockHeight: 1e300 }],
        ["getFirstAvailableBlock", -5],
        ["getFirstAvailableBlock", null],
        ["getBlock", { blockHeight: -5_000, blockTime: 0 }],
        ["getBlock", { blockHeight: "0", blockTime: 0 }],
      ]
      for (const [method, lie] of lies) {
        const liar = yield* recordNode(KEPT)
        liar.node.behave(method, result(lie))
        yield* askOf([liar])
        assert.deepStrictEqual(yield* endOf(one), PENDING, `${method} ${JSON.stringify(lie)}`)
      }
      yield* askOf([yield* recordNode(KEPT)])
      assert.deepStrictEqual(yield* endOf(one), EXPIRED)
    }),
  )
})
