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

  it.live("goes on over one endpoint when the other is gone, and is empty without any", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      for (const node of [primary, backup]) node.behave("sendTransaction", result(SIGNATURE))
      yield* Effect.gen(function* () {
        for (const name of ["primary", "backup"]) yield* untilState(name, "closed")
        yield* Effect.promise(() => primary.die())
        yield* untilState("primary", "open")
        const answers = yield* send
        assert.deepStrictEqual(
          answers.map(({ name }) => name),
          ["backup"],
        )
        yield* Effect.promise(() => backup.die())
        yield* untilState("backup", "open")
        assert.deepStrictEqual(yield* send, [])
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.live("gives a cordoned endpoint nothing", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      for (const node of [primary, backup]) node.behave("sendTransaction", result(SIGNATURE))
      yield* Effect.gen(function* () {
        const { cordon } = yield* Rpc
        for (const name of ["primary", "backup"]) yield* untilState(name, "closed")
        yield* cordon(new Map([["primary", { reason: "test", since: new Date(0) }]]))
        yield* send
      }).pipe(Effect.provide(over([primary.url, backup.url])))
      assert.strictEqual(sends(primary.calls), 0)
      assert.strictEqual(sends(backup.calls), 1)
    }),
  )
})
