import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Rpc } from "../../src/rpc/Rpc.ts"
import {
  type Behaviour,
  failure,
  getSlot,
  over,
  reportOf,
  SIGNATURE,
  result,
  standInNode,
  status,
} from "./StandInNode.ts"

type Fault = readonly [what: string, behaviour: Behaviour]

const drop: Behaviour = (response) => void response.socket?.destroy()

/** Faults of the endpoint: the next one is called, and the breaker counts them. */
const COUNTED: ReadonlyArray<Fault> = [
  ["500", status(500)],
  ["503 with HTML", status(503, "<html>down</html>")],
  ["404", status(404)],
  ["302", status(302, "", { location: "http://127.0.0.1:9/" })],
  ["HTML with 200", status(200, "<html>login</html>")],
  ["truncated JSON", status(200, '{"jsonrpc":"2.0","res')],
  ["JSON that is no answer", status(200, '{"hello":"world"}')],
  ["the answer to another request", (response) => void response.end('{"jsonrpc":"2.0","id":"another","result":7}')],
  ["a slot in quotes", result("5")],
  ["a slot below 0", result(-5)],
  ["a slot with a fraction", result(5.5)],
  ["a slot that no chain has reached", result(2 ** 31)],
  ["a slot of 1e300", result(1e300)],
  ["no slot", result(null)],
  ["a list instead of a slot", result([5])],
  ["a closed connection", drop],
  ["-32603 internal error", failure(-32603)],
  ["an unknown code", failure(-32099)],
]

/** The node is healthy but cannot serve this: another one is called once, and the fault does not count. */
const NOT_COUNTED: ReadonlyArray<Fault> = [
  ...[-32001, -32004, -32007, -32008, -32009, -32010, -32011, -32012, -32014, -32016, -32019, -32601].map(
    (code): Fault => [String(code), failure(code)],
  ),
  ["-32007 with status 500", status(500, '{"jsonrpc":"2.0","error":{"code":-32007,"message":"m"}}')],
]

/** The node's verdict on the request: every node gives the same answer. */
const REJECTED = [-32002, -32003, -32006, -32013, -32015, -32017, -32018, -32600, -32602]

describe("Fault classes", () => {
  for (const [what, behaviour] of COUNTED) {
    it.live(`${what}: the backup is called once, and the primary is out of use after three`, () =>
      Effect.gen(function* () {
        const [primary, backup] = [yield* standInNode, yield* standInNode]
        yield* Effect.gen(function* () {
          primary.behave("getSlot", behaviour)
          assert.strictEqual(yield* getSlot, 5n)
          assert.deepStrictEqual([primary.calls.length, backup.calls.length], [1, 1])
          for (let call = 0; call < 5; call++) yield* getSlot
          assert.deepInclude(yield* reportOf("primary"), { state: "open", timesOutOfUse: 1 })
          assert.deepStrictEqual([primary.calls.length, backup.calls.length], [3, 6])
        }).pipe(Effect.provide(over([primary.url, backup.url])))
      }),
    )
  }

  for (const [what, behaviour] of NOT_COUNTED) {
    it.live(`${what}: the backup is called once, and the primary stays in use`, () =>
      Effect.gen(function* () {
        const [primary, backup] = [yield* standInNode, yield* standInNode]
        yield* Effect.gen(function* () {
          primary.behave("getSlot", behaviour)
          for (let call = 0; call < 5; call++) assert.strictEqual(yield* getSlot, 5n)
          assert.deepStrictEqual([primary.calls.length, backup.calls.length], [5, 5])
          assert.deepInclude(yield* reportOf("primary"), { state: "closed", timesOutOfUse: 0 })
        }).pipe(Effect.provide(over([primary.url, backup.url])))
      }),
    )
  }

  it.live("calls one other endpoint, not all, when a node does not have the data", () =>
    Effect.gen(function* () {
      const nodes = [yield* standInNode, yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        for (const node of nodes) node.behave("getSlot", failure(-32007, "Slot 5 was skipped"))
        const error = yield* Effect.flip(getSlot)
        assert.deepStrictEqual(error.reason, { _tag: "NotHere", code: -32007 })
        assert.deepStrictEqual(
          nodes.map(({ calls }) => calls.length),
          [1, 1, 0],
        )
      }).pipe(Effect.provide(over(nodes.map(({ url }) => url))))
    }),
  )

  it.live("a malformed result from every endpoint is a failed call, and counts against none of them", () =>
    Effect.gen(function* () {
      const nodes = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        for (const node of nodes) node.behave("getSlot", result("5"))
        for (let call = 0; call < 5; call++)
          assert.deepStrictEqual((yield* Effect.flip(getSlot)).reason, { _tag: "Malformed" })
        for (const name of ["primary", "backup"])
          assert.deepInclude(yield* reportOf(name), { state: "closed", timesOutOfUse: 0, errors: { Malformed: 5 } })
        nodes[1]!.recover()
        assert.strictEqual(yield* getSlot, 5n)
      }).pipe(Effect.provide(over(nodes.map(({ url }) => url))))
    }),
  )

  for (const code of REJECTED) {
    it.live(`${code}: is the answer, with its logs, and no other endpoint is called`, () =>
      Effect.gen(function* () {
        const [primary, backup] = [yield* standInNode, yield* standInNode]
        yield* Effect.gen(function* () {
          const data = { err: "BlockhashNotFound", logs: ["Program log: no"], accounts: null, unitsConsumed: 0 }
          primary.behave("getSlot", failure(code, "no", data))
          for (let call = 0; call < 5; call++) {
            const { method, reason } = yield* Effect.flip(getSlot)
            assert.deepStrictEqual(reason, { _tag: "Rejected", code, detail: "no", logs: ["Program log: no"] })
            assert.strictEqual(method, "getSlot")
          }
          assert.deepStrictEqual([primary.calls.length, backup.calls.length], [5, 0])
          assert.deepInclude(yield* reportOf("primary"), { state: "closed", errors: {} })
        }).pipe(Effect.provide(over([primary.url, backup.url])))
      }),
    )
  }

  it.live("-32005: the node reports that it is behind, and is out of use until its slot catches up", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        primary.behave("getSlot", failure(-32005, "Node is behind by 42 slots"))
        for (let call = 0; call < 5; call++) assert.strictEqual(yield* getSlot, 5n)
        assert.deepStrictEqual([primary.calls.length, backup.calls.length], [1, 5])
        assert.deepInclude(yield* reportOf("primary"), { state: "behind" })
      }).pipe(Effect.provide(over([primary.url, backup.url], { probeMillis: 60_000 })))
    }),
  )

  it.live("resends a signed transaction, but never an airdrop or an unknown method", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        const { call } = yield* Rpc
        for (const node of [primary, backup]) {
          node.behave("sendTransaction", result(SIGNATURE))
          node.behave("requestAirdrop", result(SIGNATURE))
        }
        primary.behave("calls", drop)
        const sent = yield* call((kit) => kit.sendTransaction("AQ==" as never, { encoding: "base64" }))
        assert.strictEqual(String(sent), SIGNATURE)
        const lost = yield* Effect.flip(
          call((kit) => kit.requestAirdrop("11111111111111111111111111111111" as never, 1n as never)),
        )
        assert.deepStrictEqual(lost.reason, { _tag: "Disconnected" })
        assert.deepStrictEqual(primary.calls, ["sendTransaction", "requestAirdrop"])
        assert.deepStrictEqual(backup.calls, ["sendTransaction"])
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )
})
