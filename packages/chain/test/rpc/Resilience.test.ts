import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Rpc } from "../../src/rpc/Rpc.ts"
import {
  after,
  type Behaviour,
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
  status,
  until,
  untilState,
} from "./StandInNode.ts"
import { KEY } from "./results/SampleResults.ts"

const drop: Behaviour = (response) => void response.socket?.destroy()
/** More than the retry budget holds. */
const MANY = 220

describe("With many calls in flight", () => {
  const faults: ReadonlyArray<readonly [what: string, behaviour: Behaviour]> = [
    ["hangs", hang],
    ["answers 503", status(503)],
    ["drops its connections", drop],
  ]
  for (const [what, behaviour] of faults) {
    it.live(`all are served by the backup when the primary ${what}`, () =>
      Effect.gen(function* () {
        const [primary, backup] = [yield* standInNode, yield* standInNode]
        yield* Effect.gen(function* () {
          yield* getSlot
          yield* untilState("backup", "closed")
          primary.behave("calls", behaviour)
          assert.lengthOf(yield* distinctCalls(MANY), MANY)
        }).pipe(Effect.provide(over([primary.url, backup.url])))
      }),
    )
  }
})

describe("Whatever a node answers", () => {
  const answers = [
    '{"jsonrpc":"2.0","error":{"message":"Blockhash not found"}}',
    '{"jsonrpc":"2.0","error":{"code":1.5,"message":"m"}}',
    '{"jsonrpc":"2.0","error":{"code":"-32002","message":7,"data":{"logs":[1]}}}',
    '{"jsonrpc":"2.0","error":null}',
    '{"jsonrpc":"2.0","error":"no"}',
    '"text"',
    "[]",
    "null",
    "",
  ]
  it.live("the call ends, and succeeds when there is a backup", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        for (const answer of answers) {
          primary.behave("calls", status(200, answer))
          assert.strictEqual(yield* getSlot, 5n, answer)
        }
      }).pipe(Effect.provide(over([primary.url, backup.url])))
      yield* Effect.gen(function* () {
        for (const answer of answers) {
          primary.behave("calls", status(200, answer))
          yield* Effect.flip(getSlot)
        }
      }).pipe(Effect.provide(over([primary.url])))
    }),
  )

  const heads: ReadonlyArray<unknown> = [
    ...[null, "x", [], { context: null, value: null }, { context: { slot: 1.5 }, value: {} }],
    { context: { slot: "x" }, value: { blockhash: "b", lastValidBlockHeight: 1 } },
    { context: { slot: 7 }, value: { blockhash: 5, lastValidBlockHeight: null } },
  ]
  it.live("the endpoint is still probed", () =>
    Effect.gen(function* () {
      const only = yield* standInNode
      yield* Effect.gen(function* () {
        yield* getSlot
        for (const head of heads) {
          only.behave("getLatestBlockhash", result(head))
          const seen = only.probes.length
          yield* until(Effect.sync(() => only.probes.length > seen + 1))
        }
        yield* untilState("primary", "open")
        only.recover()
        yield* untilState("primary", "closed")
      }).pipe(Effect.provide(over([only.url], { probeMillis: 100 })))
    }),
  )

  it.live("the accounts of a mint that are too many for every node take none of them out of use", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      const scan = Effect.flatMap(Rpc, ({ call }) => call((kit) => kit.getProgramAccounts(KEY as never)))
      yield* Effect.gen(function* () {
        for (const node of [primary, backup]) node.behave("getProgramAccounts", status(504))
        for (let call = 0; call < 5; call++)
          assert.deepStrictEqual((yield* Effect.flip(scan)).reason, { _tag: "ServerFault", status: 504 })
        for (const name of ["primary", "backup"])
          assert.deepInclude(yield* reportOf(name), { state: "closed", errors: { ServerFault: 5 }, timesOutOfUse: 0 })
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.live("a request that no node can serve takes none of them out of use", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        for (const node of [primary, backup]) node.behave("getSlot", failure(-32603, "poison"))
        for (let call = 0; call < 10; call++)
          assert.deepStrictEqual((yield* Effect.flip(getSlot)).reason, { _tag: "NodeFault", code: -32603 })
        for (const name of ["primary", "backup"])
          assert.deepInclude(yield* reportOf(name), { state: "closed", errors: { NodeFault: 10 }, timesOutOfUse: 0 })
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )
})

describe("Connections", () => {
  it.live("that are closed cleanly take no endpoint out of use", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        yield* getSlot
        for (let call = 0; call < 20; call++) {
          // With its answer to every second call, the server says that it closes the connection.
          primary.answersOnce = call % 2 === 0
          yield* distinctCall(call)
        }
        assert.lengthOf(backup.calls, 0)
        assert.strictEqual((yield* (yield* Rpc).report).switches, 0)
      }).pipe(Effect.provide(over([primary.url, backup.url], { probeMillis: 60_000 })))
    }),
  )

  it.live("that break at every endpoint are retried once", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        yield* distinctCall(0)
        yield* untilState("backup", "closed")
        for (const node of [primary, backup]) node.behave("calls", drop)
        const fiber = yield* Effect.forkChild(getSlot)
        yield* until(Effect.sync(() => backup.calls.length === 1))
        for (const node of [primary, backup]) node.recover()
        assert.strictEqual(yield* Fiber.join(fiber), 5n)
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )
})

describe("A single failed probe", () => {
  it.live("that was answered does not take an endpoint out of use", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        yield* getSlot
        yield* untilState("backup", "closed")
        let bad = 0
        primary.behave("probes", (response, call) =>
          bad++ === 0 ? status(502)(response, call) : primary.answer(response, call),
        )
        yield* until(Effect.sync(() => bad > 2))
        assert.deepInclude(yield* reportOf("primary"), { state: "closed", timesOutOfUse: 0 })
      }).pipe(Effect.provide(over([primary.url, backup.url], { probeMillis: 100 })))
    }),
  )
})

describe("A third endpoint", () => {
  it.live("that was given less time than its timeout has not failed", () =>
    Effect.gen(function* () {
      const nodes = [yield* standInNode, yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        yield* getSlot
        for (const name of ["backup", "backup-2"]) yield* untilState(name, "closed")
        nodes[0]!.behave("calls", hang)
        nodes[1]!.behave("calls", hang)
        nodes[2]!.behave("calls", after(400, result(SIGNATURE)))
        const { call } = yield* Rpc
        const send = call((kit) => kit.sendTransaction("AQ==" as never, { encoding: "base64" }))
        assert.deepStrictEqual((yield* Effect.flip(send)).reason, { _tag: "TimedOut" })
        assert.deepInclude(yield* reportOf("backup-2"), { calls: 1, errors: {}, state: "closed" })
      }).pipe(Effect.provide(over(nodes.map(({ url }) => url))))
    }),
  )
})
