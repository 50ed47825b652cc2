import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Rpc } from "../../src/rpc/Rpc.ts"
import {
  after,
  clockMillis,
  DEAD_URL,
  distinctCall,
  failure,
  getSlot,
  hang,
  over,
  reportOf,
  result,
  standInNode,
  StandInNode,
  status,
  until,
  untilState,
} from "./StandInNode.ts"

const OTHER_GENESIS = "AnotherGenesisHash1111111111111111111111111"

describe("Endpoints", () => {
  it.live("return after a cool-down and three good probes, one at a time", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        yield* getSlot
        primary.behave("*", status(500))
        for (let call = 0; call < 3; call++) yield* distinctCall(call)
        assert.deepInclude(yield* reportOf("primary"), { state: "open" })
        const calls = primary.calls.length
        let [underWay, most] = [0, 0]
        primary.behave("*", (response, call) => {
          if (call.method !== "getGenesisHash") most = Math.max(most, ++underWay)
          after(30, () => {
            if (call.method !== "getGenesisHash") underWay--
            primary.answer(response, call)
          })(response, call)
        })
        const failedAt = primary.probes.length
        yield* until(
          Effect.flatMap(reportOf("primary"), ({ state }) =>
            state === "closed" ? Effect.succeed(true) : Effect.as(Effect.orDie(distinctCall(7)), false),
          ),
        )
        assert.isAtLeast(primary.probes.length - failedAt, 3)
        assert.deepStrictEqual([most, primary.calls.length], [1, calls])
        const served = backup.calls.length
        yield* getSlot
        assert.lengthOf(backup.calls, served)
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.live("that die are out of use at once, and used again after they return", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        yield* getSlot
        yield* Effect.promise(() => primary.die())
        for (let call = 0; call < 20; call++) yield* distinctCall(call)
        yield* untilState("primary", "open")
        yield* Effect.promise(() => primary.start())
        yield* untilState("primary", "closed")
        assert.strictEqual((yield* (yield* Rpc).report).switches, 2)
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.live("that fall behind are out of use even if they answer, and provide no blockhash", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        const { call, getLatestBlockhash } = yield* Rpc
        yield* getSlot
        yield* untilState("backup", "closed")
        primary.lag = 26
        yield* untilState("primary", "behind", 3_000)
        assert.strictEqual(yield* call((kit) => kit.getBlockHeight()), 890_880n)
        assert.notInclude(primary.calls, "getBlockHeight")
        const lag = (yield* reportOf("primary")).slotLag!
        assert.isAtLeast(lag, 25)
        for (let round = 0; round < 15; round++) {
          const { slot } = yield* getLatestBlockhash
          assert.isAtLeast(Number(slot), backup.slot - 6)
          yield* Effect.sleep(100)
        }
        primary.lag = 0
        yield* untilState("primary", "closed", 3_000)
      }).pipe(Effect.provide(over([primary.url, backup.url], { probeMillis: 300 })))
    }),
  )

  it.live("of an unknown cluster must agree with each other", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        yield* getSlot
        yield* untilState("backup", "closed")
        backup.genesisHash = OTHER_GENESIS
        yield* Effect.promise(() => backup.die())
        yield* Effect.promise(() => backup.start())
        yield* untilState("backup", "wrong_cluster")
      }).pipe(Effect.provide(over([primary.url, backup.url], { probeMillis: 200 })))
    }),
  )

  it.live("that ask for a pause are not even probed before it is over, and have not failed", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        yield* getSlot
        primary.behave("calls", status(429, "", { "retry-after": "2" }))
        yield* getSlot
        const [seen, pausedAt] = [primary.probes.length + primary.calls.length, yield* clockMillis]
        primary.recover()
        while ((yield* clockMillis) < pausedAt + 1_800) {
          yield* getSlot
          assert.strictEqual(primary.probes.length + primary.calls.length, seen)
          yield* Effect.sleep(100)
        }
        assert.deepInclude(yield* reportOf("primary"), { state: "paused", errors: { RateLimited: 1 } })
        yield* untilState("primary", "closed", 1_000)
        // One ordinary failure afterwards is one failure.
        primary.behave("calls", status(500))
        yield* distinctCall(1)
        assert.deepInclude(yield* reportOf("primary"), { state: "closed" })
        assert.isAtLeast(backup.calls.length, 10)
      }).pipe(Effect.provide(over([primary.url, backup.url], { probeMillis: 100 })))
    }),
  )

  it.live("that refuse our key are never called again", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        yield* getSlot
        primary.behave("*", status(401, '{"jsonrpc":"2.0","error":{"code":-32602}}'))
        yield* getSlot
        yield* Effect.sleep(300)
        const seen = primary.probes.length + primary.calls.length
        primary.recover()
        yield* Effect.sleep(700)
        yield* getSlot
        assert.strictEqual(primary.probes.length + primary.calls.length, seen)
        assert.deepInclude(yield* reportOf("primary"), { state: "forbidden" })
      }).pipe(Effect.provide(over([primary.url, backup.url], { probeMillis: 100 })))
    }),
  )

  it.live("that refuse one method are used for all others", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        yield* distinctCall(0)
        primary.behave("getSlot", status(403))
        yield* getSlot
        yield* untilState("primary", "closed")
        yield* getSlot
        yield* distinctCall(1)
        assert.deepStrictEqual(primary.calls.filter((method) => method === "getSlot").length, 1)
        assert.lengthOf(primary.calls, 3)
        assert.deepStrictEqual(backup.calls, ["getSlot", "getSlot"])
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )
})

describe("One endpoint", () => {
  it.live("gets one more attempt after a moment", () =>
    Effect.gen(function* () {
      const only = yield* standInNode
      yield* Effect.gen(function* () {
        only.behave("calls", (response, call) => {
          if (only.calls.length === 1) response.socket?.destroy()
          else result(5)(response, call)
        })
        assert.strictEqual(yield* getSlot, 5n)
        assert.lengthOf(only.calls, 2)
        only.behave("calls", failure(-32603))
        assert.deepStrictEqual((yield* Effect.flip(getSlot)).reason, { _tag: "NodeFault", code: -32603 })
        assert.lengthOf(only.calls, 4)
      }).pipe(Effect.provide(over([only.url])))
    }),
  )
})

describe("No endpoint", () => {
  const scan = Effect.flatMap(Rpc, ({ call }) =>
    call((kit) => kit.getProgramAccounts("11111111111111111111111111111111" as never)),
  )

  it.live("fails calls in time, then at once, and they work again as soon as one is back", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        yield* getSlot
        yield* untilState("backup", "closed")
        for (const node of [primary, backup]) node.behave("*", hang)
        const startedAt = yield* clockMillis
        const reasons = yield* Effect.all([Effect.flip(getSlot), Effect.flip(scan)], { concurrency: 2 })
        // The goal of 2.5 s holds as a bound on what a caller waits, not as a measurement.
        assert.isBelow((yield* clockMillis) - startedAt, 2_500)
        assert.lengthOf(reasons, 2)
        yield* Effect.all([untilState("primary", "open"), untilState("backup", "open")])
        const calls = primary.calls.length + backup.calls.length
        assert.deepStrictEqual((yield* Effect.flip(getSlot)).reason, { _tag: "NoEndpoint" })
        assert.strictEqual(primary.calls.length + backup.calls.length, calls)
        backup.recover()
        yield* untilState("backup", "closed", 3_000)
        assert.strictEqual(yield* getSlot, 5n)
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.live("from the start is what calls report", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(getSlot)
      assert.deepStrictEqual(error.reason, { _tag: "NoEndpoint" })
    }).pipe(Effect.provide(over([DEAD_URL, DEAD_URL]))),
  )
})

describe("The blockhash", () => {
  it.live("is cached: it costs no request of its own", () =>
    Effect.gen(function* () {
      const only: StandInNode = yield* standInNode
      yield* Effect.gen(function* () {
        const { getLatestBlockhash } = yield* Rpc
        yield* getSlot
        const all = yield* Effect.all(
          Array.from({ length: 20 }, () => getLatestBlockhash),
          { concurrency: 20 },
        )
        assert.deepStrictEqual(only.calls, ["getSlot"])
        assert.deepInclude(all[19], { blockhash: "4QjEBrJnATvydaCoPb7j4cneA5vSJNFsAYHQwRAjAjmQ" })
        assert.strictEqual(all[19]!.lastValidBlockHeight - all[19]!.slot, 150n)
      }).pipe(Effect.provide(over([only.url])))
    }),
  )
})
