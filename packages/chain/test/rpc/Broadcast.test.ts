import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { broadcast } from "../../src/rpc/Broadcast.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { failure, hang, over, result, SIGNATURE, standInNode, untilState } from "./StandInNode.ts"

const WIRE = "AQ=="

const send = Effect.flatMap(Rpc, (rpc) => broadcast(rpc, WIRE, { skipPreflight: true }))

const sends = (calls: ReadonlyArray<string>) => calls.filter((method) => method === "sendTransaction").length

describe("A broadcast", () => {
  it.live("goes to every endpoint once, and says what each one answered", () =>
    Effect.gen(function* () {
      const [taking, refusing, hanging] = [yield* standInNode, yield* standInNode, yield* standInNode]
      taking.behave("sendTransaction", result(SIGNATURE))
      refusing.behave("sendTransaction", failure(-32_003, "Transaction signature verification failure"))
      hanging.behave("sendTransaction", hang)
      const answers = yield* Effect.gen(function* () {
        for (const name of ["primary", "backup", "backup-2"]) yield* untilState(name, "closed")
        return yield* send
      }).pipe(Effect.provide(over([taking.url, refusing.url, hanging.url])))
      assert.deepStrictEqual(
        answers.map(({ name, result: one }) => [name, Result.isSuccess(one) ? one.success : one.failure.reason._tag]),
        [
          ["primary", SIGNATURE],
          ["backup", "Rejected"],
          ["backup-2", "TimedOut"],
        ],
      )
      for (const node of [taking, refusing, hanging]) assert.strictEqual(sends(node.calls), 1)
    }),
  )
})
