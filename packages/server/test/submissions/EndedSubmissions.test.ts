import { assert, describe } from "@effect/vitest"
import { SqlClient } from "effect/sql/SqlClient"
import { result, status, untilState } from "../../../chain/test/rpc/StandInNode.ts"
import { onTwoNodes, read, round, rounds, stateOf, submitted } from "./TwoNodes.ts"

describe("A submission", () => {
  onTwoNodes(
    "expires when the finalized chain is past its height and no endpoint knows it, and is not sent any more",
    function* (chain, [primary]) {
      const { signature } = yield* submitted(chain)
      chain.advance(151)
      chain.valid.clear()
      const sent = chain.sentOf(signature).length
      yield* round
      assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
      // Slots go on for ten minutes, and none is finalized.
      chain.slot += 3_000
      chain.height += 3_000
      yield* round
      assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
      chain.advance(30)
      // What one endpoint does not say, another one's denial does not settle.
      primary.behave("getSignatureStatuses", status(500))
      yield* round
      assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
      chain.behave(primary)
      yield* untilState("primary", "closed")
      yield* round
      assert.deepStrictEqual(yield* stateOf(signature), ["expired", true])
      assert.lengthOf(chain.sentOf(signature), sent)
      const sql = yield* SqlClient
      assert.deepStrictEqual(yield* sql`select transaction from launch_submissions`, [{ transaction: null }])
    },
  )

  onTwoNodes("is sent again when the chain goes back to slots that it has discarded", function* (chain) {
    const { signature } = yield* submitted(chain)
    const sent = chain.sentOf(signature).length
    for (const [blocks, sends] of [
      [3_000, 0],
      [-2_990, 2],
    ] as const) {
      chain.slot += blocks
      chain.height += blocks
      yield* round
      assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
      assert.lengthOf(chain.sentOf(signature), sent + sends)
    }
  })

  onTwoNodes("that landed after its last look is found before it expires", function* (chain) {
    const { signature } = yield* submitted(chain)
    chain.land(signature, { confirmationStatus: "finalized" })
    chain.advance(1_000)
    chain.valid.clear()
    yield* round
    assert.deepStrictEqual(yield* stateOf(signature), ["finalized", true])
  })

  onTwoNodes("does not expire by the height that the caller sent while its blockhash is valid", function* (chain) {
    const { signature } = yield* submitted(chain, { lastValidBlockHeight: "5001" })
    assert.strictEqual((yield* read(signature)).lastValidBlockHeight, "5001")
    chain.advance(32)
    const sent = chain.sentOf(signature).length
    yield* round
    assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
    yield* round
    assert.isAbove(chain.sentOf(signature).length, sent)
  })

  onTwoNodes("that fails on chain says so in words, and is final with its slot", function* (chain) {
    const { signature } = yield* submitted(chain)
    const err = { InstructionError: [0, { Custom: 1 }] }
    chain.land(signature, { err, confirmationStatus: "confirmed" })
    yield* round
    assert.deepInclude(yield* read(signature), { state: "failed", isFinal: false, slot: "6000" })
    chain.land(signature, { err, confirmationStatus: "finalized" })
    yield* round
    const { error, ...rest } = yield* read(signature)
    assert.deepInclude(rest, { state: "failed", isFinal: true, slot: "6000" })
    assert.deepInclude(error, { code: "ResultWithNegativeLamports", customCode: 1, instruction: 0 })
  })

  onTwoNodes(
    "that a block holds without having executed it has not landed: it is pending until that block is final",
    function* (chain) {
      const { signature } = yield* submitted(chain)
      const err = "InsufficientFundsForFee"
      const unpaid = { isFinal: false, slot: null, state: "pending" }
      for (const confirmationStatus of ["processed", "confirmed"] as const) {
        chain.land(signature, { err, confirmationStatus })
        yield* round
        assert.deepInclude(yield* read(signature), unpaid)
      }
      // That block is dropped, and in another one it is executed.
      chain.landed.clear()
      chain.land(signature, { confirmationStatus: "finalized" })
      yield* round
      assert.deepInclude(yield* read(signature), { state: "finalized", isFinal: true, slot: "6000", error: null })
      const { signature: other } = yield* submitted(chain)
      chain.land(other, { err, confirmationStatus: "finalized" })
      yield* round
      const { error, ...rest } = yield* read(other)
      assert.deepInclude(rest, { state: "expired", isFinal: true, slot: null })
      assert.deepInclude(error, { code: err, instruction: null })
      assert.match(error.message, /^not executed, and no fee was taken: the fee payer does not hold enough SOL/)
    },
  )

  onTwoNodes(
    "whose fee payer is left with too little for its rent was executed if it paid its fee",
    function* (chain, nodes) {
      const err = { InsufficientFundsForRent: { account_index: 0 } }
      for (const [fee, ended] of [
        [0, { state: "expired", slot: null }],
        [5_000, { state: "failed", slot: "6000" }],
      ] as const) {
        const { signature } = yield* submitted(chain)
        const meta = { err, fee, logMessages: null, innerInstructions: null, preBalances: [], postBalances: [] }
        const message = { accountKeys: ["11111111111111111111111111111111"], instructions: [] }
        const transaction = { slot: 6_000, blockTime: 1, meta, transaction: { message, signatures: [signature] } }
        chain.land(signature, { err, confirmationStatus: "finalized" })
        // Without its fee that is not known.
        for (const unread of [result(null), result({ ...transaction, meta: null })]) {
          for (const node of nodes) node.behave("getTransaction", unread)
          yield* round
          assert.deepInclude(yield* read(signature), { isFinal: false, slot: null, state: "pending" })
        }
        for (const node of nodes) node.behave("getTransaction", result(transaction))
        yield* round
        assert.deepInclude(yield* read(signature), { isFinal: true, ...ended })
      }
    },
  )

  onTwoNodes("that a fork takes back is pending and sent again, and may land in another slot", function* (chain) {
    const { signature, transaction } = yield* submitted(chain)
    chain.land(signature)
    yield* round
    assert.deepStrictEqual(yield* stateOf(signature), ["processed", false])
    chain.landed.clear()
    chain.advance(1)
    const sent = chain.sentOf(signature).length
    yield* round
    assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
    assert.isAbove(chain.sentOf(signature).length, sent)
    assert.deepStrictEqual([...new Set(chain.sentOf(signature))], [transaction])
    chain.land(signature, { confirmationStatus: "finalized" })
    yield* round
    assert.deepInclude(yield* read(signature), { state: "finalized", isFinal: true, slot: "6001" })
  })

  onTwoNodes("is deleted once it is no longer kept, and never before it has ended", function* (chain) {
    const sql = yield* SqlClient
    const { signature } = yield* submitted(chain)
    const { signature: open } = yield* submitted(chain)
    chain.land(signature, { confirmationStatus: "finalized" })
    yield* round
    yield* sql`update launch_submissions set settled_at = settled_at - interval '2 days', created_at = created_at - interval '2 days'`
    const { sweep } = yield* rounds
    const DAY = 86_400_000
    assert.strictEqual(yield* sweep(3 * DAY, 10), 0)
    assert.strictEqual(yield* sweep(DAY, 10), 1)
    assert.deepStrictEqual(yield* sql`select signature from launch_submissions`, [{ signature: open }])
  })
})
