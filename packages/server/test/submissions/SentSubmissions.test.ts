import { assert, describe } from "@effect/vitest"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { hang, result, untilState } from "../../../chain/test/rpc/StandInNode.ts"
import { makeDue, NAMES, onTwoNodes, read, round, rounds, stateOf, submitted } from "./TwoNodes.ts"

describe("A submission", () => {
  onTwoNodes("is sent to every endpoint, again and as the same bytes, until it is confirmed", function* (chain) {
    const { signature, transaction } = yield* submitted(chain)
    assert.deepStrictEqual(chain.sentOf(signature), [transaction, transaction])
    yield* round
    assert.lengthOf(chain.sentOf(signature), 4)
    chain.land(signature)
    yield* round
    assert.deepStrictEqual(yield* stateOf(signature), ["processed", false])
    chain.land(signature, { confirmationStatus: "confirmed" })
    yield* round
    assert.deepStrictEqual(yield* stateOf(signature), ["confirmed", false])
    const sent = chain.sentOf(signature)
    yield* round
    assert.deepStrictEqual(chain.sentOf(signature), sent)
    assert.deepStrictEqual([...new Set(sent)], [transaction])
    chain.land(signature, { confirmationStatus: "finalized" })
    yield* round
    assert.deepStrictEqual(yield* stateOf(signature), ["finalized", true])
  })

  onTwoNodes("is looked for beyond the recent slots of a node once 150 of them have passed", function* (chain, nodes) {
    const sql = yield* SqlClient
    // Its slots stand still, so that none is measured: each is taken for 200 ms.
    const head = { context: { slot: 2_000_000 }, value: { ...chain.lifetime(), lastValidBlockHeight: 5_150 } }
    const areDeep: Array<boolean> = []
    for (const node of nodes) {
      node.behave("getLatestBlockhash", result(head))
      node.behave("getSignatureStatuses", (response, call) => {
        areDeep.push((call.params[1] as { searchTransactionHistory?: boolean }).searchTransactionHistory === true)
        result({ context: { slot: chain.slot }, value: [null] })(response, call)
      })
    }
    yield* submitted(chain)
    yield* sql`update launch_submissions set created_at = now() - interval '1 second'`
    yield* round
    yield* sql`update launch_submissions set created_at = now() - interval '31 seconds'`
    yield* round
    assert.deepStrictEqual(areDeep, [false, false, true, true])
  })

  onTwoNodes("goes on over the other endpoint when one dies in the middle", function* (chain, [primary, backup]) {
    const { signature, transaction } = yield* submitted(chain)
    yield* Effect.promise(() => primary.die())
    yield* round
    assert.deepStrictEqual(chain.sent.get(primary), [[signature, transaction]])
    assert.deepStrictEqual(chain.sent.get(backup), [
      [signature, transaction],
      [signature, transaction],
    ])
    chain.land(signature, { confirmationStatus: "finalized" })
    yield* round
    assert.deepStrictEqual(yield* stateOf(signature), ["finalized", true])
  })

  onTwoNodes("is not held up by an endpoint that hangs", function* (chain, [primary]) {
    const { signature } = yield* submitted(chain)
    for (const method of ["getSignatureStatuses", "sendTransaction"]) primary.behave(method, hang)
    yield* round
    assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
    chain.land(signature, { confirmationStatus: "finalized" })
    yield* round
    assert.deepStrictEqual(yield* stateOf(signature), ["finalized", true])
  })

  onTwoNodes("is stored while no endpoint answers, and sent as soon as one does", function* (chain, nodes) {
    for (const node of nodes) yield* Effect.promise(() => node.die())
    for (const name of NAMES) yield* untilState(name, "open")
    const { signature, transaction } = yield* submitted(chain)
    assert.deepInclude(yield* read(signature), { state: "pending", sends: 0, lastValidBlockHeight: null })
    yield* round
    for (const node of nodes) yield* Effect.promise(() => node.start())
    for (const name of NAMES) yield* untilState(name, "closed")
    yield* round
    assert.deepStrictEqual(chain.sentOf(signature), [transaction, transaction])
    assert.deepInclude(yield* read(signature), { state: "pending", sends: 1, lastValidBlockHeight: "5150" })
  })

  onTwoNodes("is not sent to a cordoned endpoint", function* (chain, [primary, backup]) {
    const { cordon } = yield* Rpc
    yield* cordon(new Map([["primary", { reason: "test", since: new Date(0) }]]))
    yield* submitted(chain)
    yield* round
    assert.lengthOf(chain.sent.get(primary)!, 0)
    assert.lengthOf(chain.sent.get(backup)!, 2)
  })

  onTwoNodes("is worked on by one process at a time", function* (chain, [primary]) {
    const signatures = yield* Effect.forEach(Array.from({ length: 12 }), () => submitted(chain))
    yield* makeDue
    const processes = yield* Effect.all([rounds, rounds, rounds])
    yield* Effect.all(
      processes.map(({ next }) => next),
      { concurrency: "unbounded" },
    )
    const seen = chain.sent.get(primary)!.map(([signature]) => signature)
    for (const { signature } of signatures)
      assert.lengthOf(
        seen.filter((one) => one === signature),
        2,
      )
  })

  onTwoNodes("that another process has claimed since is left to it", function* (chain, nodes) {
    const sql = yield* SqlClient
    const { signature } = yield* submitted(chain)
    chain.land(signature, { confirmationStatus: "finalized" })
    let isTaken = false
    for (const node of nodes)
      node.behave("getBlockHeight", (response, call) => {
        const answer = () => response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, result: chain.height }))
        if (isTaken) return void answer()
        isTaken = true
        void Effect.runPromise(sql`update launch_submissions set attempts = attempts + 1`).then(answer)
      })
    yield* round
    assert.isTrue(isTaken)
    assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
    yield* round
    assert.deepStrictEqual(yield* stateOf(signature), ["finalized", true])
  })
})
