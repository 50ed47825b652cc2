import { assert, describe } from "@effect/vitest"
import { generateKeyPairSigner } from "@solana/kit"
import { Effect } from "effect"
import { failure, result } from "../../../chain/test/rpc/StandInNode.ts"
import { transferOf } from "../../../chain/test/submissions/SignedTransfers.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { onTwoNodes, read, round, stateOf, submitted } from "./TwoNodes.ts"

describe("A signed transaction is checked", () => {
  onTwoNodes(
    "and taken when its blockhash has expired but any endpoint knows that it landed",
    function* (chain, [primary]) {
      primary.behave("getSignatureStatuses", (response, call) =>
        result({ context: { slot: chain.slot }, value: [null] })(response, call),
      )
      const { signature } = yield* submitted(chain, (_wallet, own) => {
        chain.land(own, { confirmationStatus: "finalized" })
        chain.valid.clear()
        return {}
      })
      yield* round
      assert.deepStrictEqual(yield* stateOf(signature), ["finalized", true])
    },
  )

  onTwoNodes(
    "by its simulation alone: what a node answers to another call is not about the transaction",
    function* (chain, nodes) {
      const refused = failure(-32_602, "no such method in this plan")
      for (const node of nodes) node.behave("simulateTransaction", refused)
      const { request } = yield* TestServer
      const wallet = yield* Effect.promise(() => generateKeyPairSigner())
      const { transaction } = yield* transferOf(wallet, chain.lifetime())
      const { body } = yield* request("/api/launch/submit", { json: { transaction } })
      assert.deepInclude(body, { code: "invalid_request" })

      for (const node of nodes) chain.behave(node)
      for (const method of ["isBlockhashValid", "getBalance"]) for (const node of nodes) node.behave(method, refused)
      const { signature } = yield* submitted(chain)
      assert.deepInclude(yield* read(signature), { state: "pending", lastValidBlockHeight: null })
    },
  )

  onTwoNodes("as far as nodes can be asked, where they do not simulate", function* (chain, nodes) {
    for (const node of nodes) node.behave("simulateTransaction", failure(-32_601, "Method not found"))
    const { signature } = yield* submitted(chain)
    assert.deepInclude(yield* read(signature), { state: "pending", lastValidBlockHeight: "5150" })
    for (const node of nodes) node.behave("getBalance", result({ context: { slot: chain.slot }, value: 4_999 }))
    const { request } = yield* TestServer
    const wallet = yield* Effect.promise(() => generateKeyPairSigner())
    const { transaction } = yield* transferOf(wallet, chain.lifetime())
    const { body } = yield* request("/api/launch/submit", { json: { transaction } })
    assert.strictEqual(body.code, "insufficient_funds")
  })
})
