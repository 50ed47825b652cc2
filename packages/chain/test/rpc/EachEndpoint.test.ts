import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { failure, hang, over, reportOf, result, standInNode, status, until, untilState } from "./StandInNode.ts"

/** The slot of each endpoint, or its fault. */
const slots = Effect.flatMap(Rpc, ({ onEach }) =>
  Effect.map(
    onEach((call) => call((kit) => kit.getSlot())),
    (answers) =>
      Object.fromEntries(
        answers.map(({ name, result }) => [
          name,
          Result.isSuccess(result) ? Number(result.success) : result.failure.reason._tag,
        ]),
      ),
  ),
)

const bothInUse = Effect.andThen(untilState("primary", "closed"), untilState("backup", "closed"))

describe("A call to each endpoint", () => {
  it.live("is answered by each endpoint separately", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        yield* bothInUse
        primary.behave("getSlot", result(7))
        backup.behave("getSlot", result(8))
        assert.deepStrictEqual(yield* slots, { primary: 7, backup: 8 })
        assert.deepStrictEqual([primary.calls, backup.calls], [["getSlot"], ["getSlot"]])
        assert.deepInclude(yield* reportOf("backup"), { calls: 1, hedgesWon: 0, hedgesLost: 0 })
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.live("is neither retried nor sent elsewhere when an endpoint fails", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        yield* bothInUse
        primary.behave("getSlot", failure(-32011))
        assert.deepStrictEqual(yield* slots, { primary: "NotHere", backup: 5 })
        primary.behave("getSlot", status(500))
        assert.deepStrictEqual(yield* slots, { primary: "ServerFault", backup: 5 })
        assert.deepStrictEqual([primary.calls.length, backup.calls.length], [2, 2])
        // Failures count for the endpoint's health like those of any call, and endpoints out of use are not called.
        for (let round = 0; round < 2; round++) yield* slots
        assert.deepInclude(yield* reportOf("primary"), { state: "open" })
        assert.deepStrictEqual(yield* slots, { backup: 5 })
        assert.strictEqual(primary.calls.length, 4)
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.live("may consist of several calls, all to the same endpoint", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      primary.behave("getBlockHeight", result(70))
      backup.behave("getBlockHeight", result(80))
      yield* Effect.gen(function* () {
        yield* bothInUse
        const { onEach } = yield* Rpc
        const answers = yield* onEach((call) =>
          Effect.all([call((kit) => kit.getBlockHeight()), call((kit) => kit.getSlot())]),
        )
        assert.deepStrictEqual(
          answers.map(({ name, result }) => [name, Result.getOrUndefined(result)]),
          [
            ["primary", [70n, 5n]],
            ["backup", [80n, 5n]],
          ],
        )
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.live("lists an endpoint that is not in use yet, without calling it", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      backup.behave("getGenesisHash", hang)
      yield* Effect.gen(function* () {
        yield* untilState("primary", "closed")
        assert.strictEqual((yield* reportOf("backup")).state, "unverified")
        assert.deepStrictEqual(yield* slots, { primary: 5, backup: "NoEndpoint" })
        assert.lengthOf(backup.calls, 0)
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.live("does not repeat a method that the endpoint refuses", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      backup.behave("getSlot", status(403))
      yield* Effect.gen(function* () {
        yield* bothInUse
        assert.deepStrictEqual(yield* slots, { primary: 5, backup: "Forbidden" })
        yield* untilState("backup", "closed")
        assert.deepStrictEqual(yield* slots, { primary: 5, backup: "Forbidden" })
        assert.lengthOf(backup.calls, 1)
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.live("cancels its requests when it is interrupted, without counting that as a failure", () =>
    Effect.gen(function* () {
      const primary = yield* standInNode
      let cancelled = 0
      primary.behave("getSlot", (response) => void response.on("close", () => cancelled++))
      yield* Effect.gen(function* () {
        yield* untilState("primary", "closed")
        const round = yield* Effect.forkChild(slots)
        yield* until(Effect.sync(() => primary.calls.length === 1))
        yield* Fiber.interrupt(round)
        yield* until(Effect.sync(() => cancelled === 1))
        assert.deepInclude(yield* reportOf("primary"), { errors: {} })
      }).pipe(Effect.provide(over([primary.url])))
    }),
  )
})
