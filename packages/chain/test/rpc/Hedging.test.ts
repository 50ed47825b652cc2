import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Rpc } from "../../src/rpc/Rpc.ts"
import {
  after,
  distinctCall,
  distinctCalls,
  failure,
  getSlot,
  hang,
  over,
  reportOf,
  SIGNATURE,
  result,
  standInNode,
  until,
} from "./StandInNode.ts"

describe("Hedged reads", () => {
  it.live("call the backup when the primary is late; the loser is cancelled and counted as failed", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      let cancelled = 0
      yield* Effect.gen(function* () {
        primary.behave("calls", (response) => void response.on("close", () => cancelled++))
        assert.strictEqual(yield* getSlot, 5n)
        assert.deepStrictEqual([primary.calls.length, backup.calls.length], [1, 1])
        yield* until(Effect.sync(() => cancelled === 1))
        assert.deepInclude(yield* reportOf("primary"), { errors: { TooSlow: 1 }, state: "closed" })
        assert.deepInclude(yield* reportOf("backup"), { hedgesWon: 1, hedgesLost: 0 })
        for (let call = 0; call < 4; call++) yield* distinctCall(call)
        assert.deepInclude(yield* reportOf("primary"), { errors: { TooSlow: 3 }, state: "open" })
        assert.deepStrictEqual([primary.calls.length, backup.calls.length], [3, 5])
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.live("do not count against a backup that was not faster", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        primary.behave("calls", after(350, result(5)))
        backup.behave("calls", hang)
        assert.strictEqual(yield* getSlot, 5n)
        assert.deepInclude(yield* reportOf("primary"), { errors: {}, hedgesWon: 0 })
        assert.deepInclude(yield* reportOf("backup"), { errors: {}, hedgesLost: 1, calls: 1 })
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.live("wait for the later answer when the earlier one is a fault", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        primary.behave("calls", after(300, result(7)))
        backup.behave("calls", failure(-32603))
        assert.strictEqual(yield* getSlot, 7n)
        assert.deepStrictEqual([primary.calls.length, backup.calls.length], [1, 1])
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.live("find a hanging endpoint with few hedges; the other calls move on", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        yield* getSlot
        primary.behave("calls", hang)
        yield* distinctCalls(200)
        const { errors, state } = yield* reportOf("primary")
        assert.strictEqual(state, "open")
        assert.isAtMost(errors.TooSlow ?? 0, 20)
        assert.lengthOf(backup.calls, 200)
        assert.deepInclude(yield* reportOf("backup"), { errors: {} })
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.live("never happen for requests that must not be sent twice", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        const { call } = yield* Rpc
        primary.behave("calls", after(400, result(SIGNATURE)))
        yield* call((kit) => kit.sendTransaction("AQ==" as never, { encoding: "base64" }))
        yield* call((kit) => kit.requestAirdrop("11111111111111111111111111111111" as never, 1n as never))
        assert.deepStrictEqual([primary.calls.length, backup.calls.length], [2, 0])
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.live("adapt to the usual latency of a method", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        // Slower than the initial delay: until the latency is learned, some of these are hedged.
        primary.behave("calls", after(120, result(5)))
        for (let call = 0; call < 32; call++) yield* distinctCall(call)
        const before = backup.calls.length
        primary.behave("calls", after(180, result(5)))
        for (let call = 0; call < 5; call++) yield* distinctCall(call)
        assert.deepStrictEqual([before, backup.calls.length], [0, 0])
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )
})

describe("Identical reads in flight", () => {
  it.live("share one request and its failure", () =>
    Effect.gen(function* () {
      const only = yield* standInNode
      yield* Effect.gen(function* () {
        yield* distinctCall(0)
        only.behave("getSlot", after(60, result(5)))
        const first = yield* Effect.forkChild(getSlot)
        yield* Effect.sleep(20)
        const slots = yield* Effect.all([getSlot, getSlot, Fiber.join(first)], { concurrency: 3 })
        assert.deepStrictEqual([...slots], [5n, 5n, 5n])
        assert.lengthOf(only.calls, 2)
        only.behave("getSlot", after(60, failure(-32602)))
        const errors = yield* Effect.all([Effect.flip(getSlot), Effect.flip(getSlot)], { concurrency: 2 })
        assert.deepStrictEqual([errors.length, only.calls.length], [2, 3])
        yield* Effect.flip(getSlot)
        assert.lengthOf(only.calls, 4)
      }).pipe(Effect.provide(over([only.url])))
    }),
  )

  it.live("are cancelled when the last caller has left, and not before", () =>
    Effect.gen(function* () {
      const only = yield* standInNode
      let cancelled = 0
      yield* Effect.gen(function* () {
        yield* distinctCall(0)
        only.behave("getSlot", (response, call) => {
          response.on("close", () => void (response.writableEnded ? undefined : cancelled++))
          after(80, result(5))(response, call)
        })
        const [leaving, staying] = [yield* Effect.forkChild(getSlot), yield* Effect.forkChild(getSlot)]
        yield* Effect.sleep(30)
        yield* Fiber.interrupt(leaving)
        assert.strictEqual(yield* Fiber.join(staying), 5n)
        assert.deepStrictEqual([only.calls.length, cancelled], [2, 0])
        const last = yield* Effect.forkChild(getSlot)
        yield* Effect.sleep(30)
        yield* Fiber.interrupt(last)
        yield* until(Effect.sync(() => cancelled === 1))
        assert.deepInclude(yield* reportOf("primary"), { state: "closed", errors: {} })
      }).pipe(Effect.provide(over([only.url])))
    }),
  )
})
