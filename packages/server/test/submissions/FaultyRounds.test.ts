import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { result } from "../../../chain/test/rpc/StandInNode.ts"
import { sampleAddress, SOL } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { indexTradeOf } from "../transactions/Expiring.ts"
import { onTwoNodes, read, round, rounds, stateOf, submitted } from "./TwoNodes.ts"

const RECORD = {
  ...{ action: "BUY", baseToken: sampleAddress(), quoteToken: SOL, amountIn: "1.5", amountOut: "1000" },
  ...{ pricePerToken: "0.0015", slippageBps: 100, fee: "0.01", feeToken: SOL, poolAddress: sampleAddress() },
}

const recordOf = (id: string) =>
  Effect.flatMap(TestServer, ({ request }) =>
    Effect.map(request(`/api/transactions/${id}`), ({ body }) => body.transaction),
  )

describe("A submission", () => {
  onTwoNodes(
    "whose confirmed block a fork takes back has a record that is pending again, and follows it",
    function* (chain) {
      const { signature } = yield* submitted(chain, (userAddress) => ({ record: { ...RECORD, userAddress } }))
      const { recordId } = yield* read(signature)
      for (const err of [null, { InstructionError: [0, { Custom: 1 }] }]) {
        chain.land(signature, { err, confirmationStatus: "confirmed" })
        yield* round
        assert.strictEqual((yield* recordOf(recordId)).status, err === null ? "pending" : "failed")
        chain.landed.clear()
        chain.advance(33)
        yield* round
        assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
        assert.deepInclude(yield* recordOf(recordId), { status: "pending", statusReason: null })
      }
      const { slot } = yield* indexTradeOf({ id: recordId })
      chain.land(signature, { confirmationStatus: "finalized", slot: Number(slot) })
      yield* round
      assert.deepInclude(yield* recordOf(recordId), { status: "success", statusReason: null })
    },
  )

  onTwoNodes(
    "that was confirmed is reverted by the finalized chain alone, in the next slot or after thousands",
    function* (chain) {
      for (const slots of [1, 3_000]) {
        const { signature } = yield* submitted(chain)
        chain.land(signature, { confirmationStatus: "confirmed" })
        yield* round
        chain.landed.clear()
        // Slots go on, and nothing is finalized.
        chain.slot += slots
        chain.finalizedLag = slots + 1
        const sent = chain.sentOf(signature).length
        yield* round
        assert.deepStrictEqual(yield* stateOf(signature), ["confirmed", false])
        assert.isAbove(chain.sentOf(signature).length, sent)
        chain.finalizedLag = 0
        yield* round
        assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
        chain.land(signature, { confirmationStatus: "finalized" })
        yield* round
        assert.deepStrictEqual(yield* stateOf(signature), ["finalized", true])
      }
    },
  )

  onTwoNodes("ends although an endpoint once reported a height that cannot be true", function* (chain, nodes) {
    for (const node of nodes) node.behave("getBlockHeight", result(2_000_000_000))
    const { signature } = yield* submitted(chain)
    assert.strictEqual((yield* read(signature)).lastValidBlockHeight, "2000000150")
    for (const node of nodes) chain.behave(node)
    yield* round
    assert.strictEqual((yield* read(signature)).lastValidBlockHeight, "5150")
    chain.advance(181)
    chain.valid.clear()
    yield* round
    assert.deepStrictEqual(yield* stateOf(signature), ["expired", true])
  })

  onTwoNodes("is looked at again at once when a round could not be written", function* (chain) {
    const sql = yield* SqlClient
    const { signature } = yield* submitted(chain)
    chain.land(signature, { confirmationStatus: "finalized" })
    yield* sql`alter table launch_submissions add constraint refusing check (state <> 'finalized') not valid`
    assert.isTrue((yield* Effect.exit(round))._tag === "Failure")
    yield* sql`alter table launch_submissions drop constraint refusing`
    yield* (yield* rounds).next
    assert.deepStrictEqual(yield* stateOf(signature), ["finalized", true])
  })

  onTwoNodes("that fails gets the words of its log once nodes have it", function* (chain, nodes) {
    const { signature } = yield* submitted(chain)
    const err = { InstructionError: [0, { Custom: 77 }] }
    chain.land(signature, { err })
    yield* round
    assert.deepInclude(yield* read(signature), { state: "processed" })
    const program = sampleAddress()
    const logMessages = [
      "Program log: AnchorError occurred. Error Code: TooEarly. Error Number: 77. Error Message: It is too early.",
      `Program ${program} failed: custom program error: 0x4d`,
    ]
    let reads = 0
    for (const node of nodes)
      node.behave("getTransaction", (response, call) => {
        reads++
        result({
          ...{ slot: 6_000, blockTime: null, meta: { err, logMessages } },
          transaction: { message: { accountKeys: [program], instructions: [] }, signatures: [signature] },
        })(response, call)
      })
    chain.land(signature, { err, confirmationStatus: "confirmed" })
    yield* round
    const { error } = yield* read(signature)
    assert.deepInclude(error, { code: "TooEarly", message: "It is too early", program, customCode: 77 })
    chain.land(signature, { err, confirmationStatus: "finalized" })
    yield* round
    assert.deepStrictEqual((yield* read(signature)).error, error)
    assert.strictEqual(reads, 1)
  })
})
