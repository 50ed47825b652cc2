import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { result } from "../../../chain/test/rpc/StandInNode.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { askOf, endOf, EXPIRED, PENDING, record } from "./Expiring.ts"
import { landed, recordNode } from "./RecordNode.ts"

/** The ledger of a node that starts at slot 10. */
const KEPT = { firstSlot: 10, firstHeight: 10, firstMillis: 0 }

layer(TestServer.layer(), { excludeTestServices: true })("A record for which a node answers nonsense", (it) => {
  it.effect("stays pending, however the status is malformed", () =>
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

  it.effect("does not expire because of that node", () =>
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
