import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, Redacted, Result } from "effect"
import { GENESIS } from "../../src/rpc/ProbeRequest.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { VerifiedConnections } from "../../src/rpc/VerifiedConnections.ts"
import {
  distinctCall,
  distinctCalls,
  getSlot,
  hang,
  over,
  reportOf,
  standInNode,
  StandInNode,
  status,
  until,
  untilState,
} from "./StandInNode.ts"

const OTHER_GENESIS = "AnotherGenesisHash1111111111111111111111111"
const CALLERS = 10

/** A node of another cluster, far ahead. It takes over the port of another node. */
const foreignNode = Effect.acquireRelease(
  Effect.sync(() => {
    const node = new StandInNode()
    node.genesisHash = OTHER_GENESIS
    node.balance = 666
    node.lag = -50_000
    return node
  }),
  (node) => Effect.promise(() => node.die()),
)

/** Calls continuously while something happens, and for a moment after it; counts the answers. */
const callingWhile = Effect.fnUntraced(function* (what: Effect.Effect<unknown, never, Rpc>) {
  let [isOver, n] = [false, 0]
  const found = { right: 0, wrong: 0, foreignBlockhashes: 0 }
  const { getLatestBlockhash } = yield* Rpc
  const foreignSlot = BigInt(new StandInNode().slot + 10_000)
  const caller = Effect.gen(function* () {
    while (!isOver) {
      const answer = yield* Effect.option(distinctCall(n++))
      if (Option.isSome(answer)) found[answer.value === 666n ? "wrong" : "right"]++
      const latest = yield* Effect.option(getLatestBlockhash)
      if (Option.isSome(latest) && latest.value.slot > foreignSlot) found.foreignBlockhashes++
      yield* Effect.sleep(1)
    }
  })
  yield* Effect.all(
    [
      Effect.andThen(what, () => Effect.sync(() => void (isOver = true))),
      ...Array.from({ length: CALLERS }, () => caller),
    ],
    { concurrency: "unbounded", discard: true },
  )
  return found
})

describe("A node of another cluster behind a known URL", () => {
  const takeOvers: ReadonlyArray<readonly [how: string, (from: StandInNode, to: StandInNode) => Promise<unknown>]> = [
    ["connection by connection", (from, to) => from.handOverTo(to)],
    ["at once", (from, to) => Promise.all([from.die(), to.start(Number(new URL(from.url).port))])],
  ]
  for (const [how, takeOver] of takeOvers) {
    it.live(`that takes over ${how} serves no call, and stays out of use`, () =>
      Effect.gen(function* () {
        const [primary, backup, foreign] = [yield* standInNode, yield* standInNode, yield* foreignNode]
        yield* Effect.gen(function* () {
          yield* Effect.exit(distinctCalls(CALLERS))
          yield* untilState("backup", "closed")
          const found = yield* callingWhile(
            Effect.andThen(
              Effect.promise(() => takeOver(primary, foreign)),
              untilState("primary", "wrong_cluster"),
            ),
          )
          assert.isAbove(found.right, 0)
          assert.deepInclude(found, { wrong: 0, foreignBlockhashes: 0 })
          assert.deepStrictEqual([...new Set(foreign.probes)], ["getGenesisHash"])
          assert.lengthOf(foreign.calls, 0)
          assert.deepInclude(yield* reportOf("primary"), { genesisHash: OTHER_GENESIS, slot: null })
          assert.deepInclude(yield* reportOf("backup"), { state: "closed", timesOutOfUse: 0 })
          assert.isBelow((yield* reportOf("backup")).slotLag!, 25)
        }).pipe(Effect.provide(over([primary.url, backup.url], { genesisHash: primary.genesisHash })))
      }),
    )
  }

  it.live("is asked again after seconds, and used once it is back on the right cluster", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      primary.genesisHash = OTHER_GENESIS
      yield* Effect.gen(function* () {
        yield* getSlot
        yield* untilState("primary", "wrong_cluster")
        const asked = primary.probes.length
        yield* until(
          Effect.sync(() => primary.probes.length > asked + 1),
          20_000,
        )
        primary.genesisHash = backup.genesisHash
        yield* untilState("primary", "closed", 20_000)
        yield* distinctCall(1)
        assert.lengthOf(primary.calls, 1)
      }).pipe(Effect.provide(over([primary.url, backup.url], { genesisHash: backup.genesisHash })))
    }),
  )

  it.live("ends requests in flight on other connections when one of them leads there", () =>
    Effect.gen(function* () {
      const only = yield* standInNode
      yield* Effect.gen(function* () {
        yield* getSlot
        only.behave("getMinimumBalanceForRentExemption", hang)
        const first = yield* Effect.forkChild(Effect.flip(distinctCall(1)))
        yield* until(Effect.sync(() => only.calls.length === 2))
        only.genesisHash = OTHER_GENESIS
        const errors = [yield* Effect.flip(distinctCall(2)), yield* Fiber.join(first)]
        for (const { reason } of errors)
          assert.deepStrictEqual(reason, { _tag: "WrongCluster", genesisHash: OTHER_GENESIS })
        assert.deepInclude(yield* reportOf("primary"), { state: "wrong_cluster" })
      }).pipe(Effect.provide(over([only.url], { genesisHash: only.genesisHash, probeMillis: 60_000 })))
    }),
  )

  it.live("is accepted for a single endpoint of any cluster", () =>
    Effect.gen(function* () {
      const only = yield* standInNode
      yield* Effect.gen(function* () {
        yield* getSlot
        yield* Effect.promise(() => only.die())
        only.genesisHash = OTHER_GENESIS
        yield* Effect.promise(() => only.start())
        yield* until(Effect.map(Effect.result(getSlot), Result.isSuccess))
        assert.deepInclude(yield* reportOf("primary"), { genesisHash: OTHER_GENESIS })
      }).pipe(Effect.provide(over([only.url])))
    }),
  )
})

describe("A connection", () => {
  it.live("verifies the genesis hash first, and once", () =>
    Effect.gen(function* () {
      const only = yield* standInNode
      yield* Effect.gen(function* () {
        for (let round = 0; round < 3; round++) yield* Effect.exit(distinctCalls(CALLERS))
        const methods = [...only.connections.values()]
        assert.isAbove(methods.length, 1)
        for (const [first, ...others] of methods) {
          // The latest connection may not have been used yet.
          assert.include([undefined, "getGenesisHash"], first)
          assert.notInclude(others, "getGenesisHash")
        }
        assert.isAbove(only.calls.length, methods.length)
      }).pipe(Effect.provide(over([only.url])))
    }),
  )

  it.live("is verified again after a minute", () =>
    Effect.gen(function* () {
      const node = yield* standInNode
      let now = 0
      const seen: Array<string | undefined> = []
      const connections = new VerifiedConnections({
        url: Redacted.make(node.url),
        now: () => now,
        verify: async (post) => {
          const hash = JSON.parse((await post({ body: GENESIS.body, bytesMax: 1_000 })).text).result
          seen.push(hash)
          if (hash === OTHER_GENESIS) throw new Error("another cluster")
        },
      })
      const post = Effect.tryPromise((signal) =>
        connections.post({ body: '{"id":1,"method":"getSlot"}', bytesMax: 1_000 }, signal),
      )
      yield* post
      now = 60_000
      yield* post
      assert.lengthOf(seen, 1)
      node.genesisHash = OTHER_GENESIS
      now = 60_001
      const { cause } = yield* Effect.flip(post)
      assert.strictEqual((cause as Error).message, "another cluster")
      assert.deepStrictEqual([seen.length, node.connections.size, node.calls.length], [2, 1, 2])
      yield* Effect.promise(() => connections.end(new Error("over")))
    }),
  )

  it.live("whose verification is refused is not used, and the called method does not count as refused", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        yield* getSlot
        primary.behave("getGenesisHash", status(403))
        yield* Effect.exit(distinctCalls(CALLERS))
        assert.deepStrictEqual(
          (yield* reportOf("primary")).refusedMethods.filter((method) => method !== "getGenesisHash"),
          [],
        )
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )
})
