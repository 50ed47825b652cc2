import { assert, describe, it } from "@effect/vitest"
import { address } from "@solana/kit"
import { Effect, Redacted, Result } from "effect"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { GENESIS } from "../../src/rpc/ProbeRequest.ts"
import { VerifiedConnections } from "../../src/rpc/VerifiedConnections.ts"
import {
  after,
  distinctCall,
  getSlot,
  hang,
  over,
  reportOf,
  result,
  SIGNATURE,
  standInNode,
  StandInNode,
  until,
  untilState,
} from "./StandInNode.ts"

const SLOW_MILLIS = 600
/** A history call is late after 1,500 ms: this is less, but twice this is more. */
const NOT_LATE_MILLIS = 900
const BYTES_MAX = 100_000
const BODY = { body: '{"id":1,"method":"getSlot"}', bytesMax: BYTES_MAX }

/** Verified by whatever hash it shows. */
const connectionsTo = (node: StandInNode) =>
  Effect.acquireRelease(
    Effect.sync(
      () =>
        new VerifiedConnections({
          url: Redacted.make(node.url),
          now: () => performance.now(),
          verify: async (post) => void (await post({ body: GENESIS.body, bytesMax: BYTES_MAX })),
        }),
    ),
    (connections) => Effect.promise(() => connections.end(new Error("over"))),
  )

const post = (connections: VerifiedConnections, signal = new AbortController().signal) =>
  Effect.tryPromise(() => connections.post(BODY, signal))

const send = Effect.flatMap(Rpc, ({ call }) =>
  call((kit) => kit.sendTransaction("AQ==" as never, { encoding: "base64" })),
)

describe("An endpoint", () => {
  it.live("that needs more than half a second for every answer is used", () =>
    Effect.gen(function* () {
      const only = yield* standInNode
      only.behave(
        "*",
        after(SLOW_MILLIS, (response, call) => only.answer(response, call)),
      )
      yield* Effect.gen(function* () {
        yield* until(Effect.map(Effect.result(getSlot), Result.isSuccess), 10_000)
        for (let call = 0; call < 3; call++) yield* distinctCall(call)
        assert.deepInclude(yield* reportOf("primary"), { state: "closed" })
      }).pipe(Effect.provide(over([only.url])))
    }),
  )

  it.live("that accepts connections and never answers delays a call no longer than any other hanging endpoint", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      backup.behave("calls", result(SIGNATURE))
      const fallSilent = Effect.sync(() => {
        primary.behave("*", hang)
        primary.dropConnections()
      })
      yield* Effect.gen(function* () {
        yield* untilState("primary", "closed")
        yield* untilState("backup", "closed")
        yield* fallSilent
        assert.strictEqual(yield* send, SIGNATURE)
        assert.deepInclude(yield* reportOf("primary"), { errors: { TimedOut: 1 } })
      }).pipe(Effect.provide(over([primary.url, backup.url], { probeMillis: 60_000 })))
      primary.recover()
      yield* Effect.gen(function* () {
        yield* untilState("primary", "closed")
        yield* fallSilent
        // A probe may have found out before.
        assert.include(["TimedOut", "TooSlow", "NoEndpoint"], (yield* Effect.flip(getSlot)).reason._tag)
      }).pipe(Effect.provide(over([primary.url], { probeMillis: 60_000 })))
    }),
  )

  it.live("that closes each connection after one answer is out of use, and each call fails", () =>
    Effect.gen(function* () {
      const only = yield* standInNode
      only.answersOnce = true
      yield* Effect.gen(function* () {
        yield* untilState("primary", "open")
        assert.isTrue(Result.isFailure(yield* Effect.result(getSlot)))
        assert.lengthOf(only.calls, 0)
        only.answersOnce = false
        yield* untilState("primary", "closed", 10_000)
      }).pipe(Effect.provide(over([only.url])))
    }),
  )
})

describe("A connection", () => {
  it.live("that has to be established first makes no call late", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      const history = (limit: number) =>
        Effect.flatMap(Rpc, ({ call }) =>
          call((kit) => kit.getSignaturesForAddress(address("11111111111111111111111111111111"), { limit })),
        )
      yield* Effect.gen(function* () {
        yield* untilState("primary", "closed")
        yield* untilState("backup", "closed")
        primary.behave("getSignaturesForAddress", after(NOT_LATE_MILLIS, result([])))
        primary.behave(
          "getGenesisHash",
          after(NOT_LATE_MILLIS, (response, call) => primary.answer(response, call)),
        )
        primary.dropConnections()
        yield* Effect.all([history(1), history(2)], { concurrency: 2 })
        assert.deepStrictEqual([primary.calls.length, backup.calls.length], [2, 0])
      }).pipe(Effect.provide(over([primary.url, backup.url], { probeMillis: 60_000 })))
    }),
  )

  it.live("is reused within the two seconds for which the server keeps it", () =>
    Effect.gen(function* () {
      const node = yield* standInNode
      node.announceKeepAlive(2_000)
      const connections = yield* connectionsTo(node)
      for (let call = 0; call < 3; call++) yield* post(connections)
      assert.deepStrictEqual([node.calls.length, node.connections.size], [3, 1])
    }),
  )

  it.live("survives the cancellation of the call that opened it", () =>
    Effect.gen(function* () {
      const node = yield* standInNode
      const cancel = new AbortController()
      node.behave("getGenesisHash", (response, call) => {
        cancel.abort()
        node.answer(response, call)
      })
      const connections = yield* connectionsTo(node)
      yield* Effect.flip(post(connections, cancel.signal))
      yield* post(connections)
      yield* Effect.flip(post(connections, cancel.signal))
      yield* post(connections)
      assert.deepStrictEqual([node.calls.length, node.connections.size], [2, 1])
    }),
  )
})
