import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { type HolderOptions, Holders } from "../../src/holders/Holders.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { failure, hang, type StandInNode, standInNode, status } from "../rpc/StandInNode.ts"
import { rpcOver, seededDirectory } from "./CountedChain.ts"
import { heldMint, ownerOf, withHeldMints } from "./HeldMints.ts"

const SCANNED = ["getMultipleAccounts", "getProgramAccounts"]
const LARGEST = ["getTokenLargestAccounts", "getMultipleAccounts"]

/** A node with such mints, and holders over it. */
const overNode = <A, E>(
  use: (node: StandInNode) => Effect.Effect<A, E, Holders>,
  options: HolderOptions = {},
): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const node = withHeldMints(yield* standInNode)
    const services = Holders.layer(options).pipe(
      Layer.provide(Layer.provide(Pools.layer, seededDirectory)),
      Layer.provide(rpcOver(node.url)),
    )
    return yield* Effect.provide(use(node), Layer.fresh(services))
  }).pipe(Effect.scoped)

const list = (accounts: number) => Effect.flatMap(Holders, (holders) => holders.list(heldMint(accounts)))

/** What was called since it was last asked. */
const taken = (node: StandInNode) => node.calls.splice(0)

describe("What holders cost", () => {
  it.effect("is one answer where all accounts are in it", () =>
    overNode((node) =>
      Effect.gen(function* () {
        const { beginsWithLargest, holders, isWhole } = yield* list(3_000)
        assert.deepStrictEqual([holders.length, isWhole, beginsWithLargest], [3_000, true, true])
        assert.deepInclude(holders[0], { address: ownerOf(3_000, 2_999), amount: "3000" })
        assert.deepInclude(holders.at(-1), { address: ownerOf(3_000, 0), amount: "1" })
        assert.deepStrictEqual(taken(node), SCANNED)
      }),
    ),
  )

  it.effect("has a bound where there are more, and then the 20 largest are known, and said not to be all", () =>
    overNode((node) =>
      Effect.gen(function* () {
        for (const accounts of [5_000, 20_000]) {
          const { beginsWithLargest, freshUntilMillis, holders, isWhole, readAtMillis } = yield* list(accounts)
          assert.deepStrictEqual(
            holders.map(({ address }) => String(address)),
            Array.from({ length: 20 }, (_, nth) => ownerOf(accounts, accounts - 1 - nth)),
          )
          assert.deepStrictEqual([isWhole, beginsWithLargest], [false, true])
          assert.includeMembers(taken(node), [...SCANNED, ...LARGEST])
          // Not asked for again before.
          yield* TestClock.adjust(freshUntilMillis - readAtMillis - 1)
          yield* list(accounts)
          assert.isEmpty(taken(node))
        }
      }),
    ),
  )

  it.effect("is shared by those who ask at once", () =>
    overNode((node) =>
      Effect.gen(function* () {
        const lists = yield* Effect.all(
          Array.from({ length: 50 }, () => list(100)),
          { concurrency: "unbounded" },
        )
        assert.lengthOf(new Set(lists), 1)
        assert.deepStrictEqual(taken(node), SCANNED)
      }),
    ),
  )

  it.effect("is that of the largest where nodes give no scan", () =>
    overNode((node) =>
      Effect.gen(function* () {
        for (const [accounts, refusal] of [failure(-32010), failure(-32603), status(403), status(504)].entries()) {
          node.behave("getProgramAccounts", refusal)
          const { holders, isWhole } = yield* list(accounts + 18)
          assert.deepStrictEqual([holders.length, isWhole], [Math.min(20, accounts + 18), accounts + 18 < 20])
        }
      }),
    ),
  )

  it.effect("is that of the largest where a mint is not followed", () =>
    overNode(
      (node) =>
        Effect.gen(function* () {
          for (const [accounts, holders, isWhole] of [
            [0, 0, true],
            [7, 7, true],
            [20, 20, false],
            [500, 20, false],
          ] as const) {
            const found = yield* list(accounts)
            assert.deepStrictEqual([found.holders.length, found.isWhole], [holders, isWhole])
            assert.deepStrictEqual(taken(node), ["getMultipleAccounts", ...LARGEST].slice(0, accounts === 0 ? 2 : 3))
          }
        }),
      { isFollowed: () => Effect.succeed(false) },
    ),
  )

  it.effect("is nothing for a while after nothing could be read", () =>
    overNode((node) =>
      Effect.gen(function* () {
        for (const method of ["getProgramAccounts", "getTokenLargestAccounts"]) node.behave(method, failure(-32010))
        assert.strictEqual((yield* Effect.flip(list(30)))._tag, "Unavailable")
        withHeldMints(node)
        taken(node)
        for (let times = 0; times < 5; times++) assert.strictEqual((yield* Effect.flip(list(30)))._tag, "Unavailable")
        assert.isEmpty(taken(node))
        yield* TestClock.adjust("5 seconds")
        assert.lengthOf((yield* list(30)).holders, 30)
      }),
    ),
  )

  it.effect("has a bound at once: who waits too long is told so, and nothing is left behind", () =>
    overNode((node) =>
      Effect.gen(function* () {
        node.behave("getProgramAccounts", hang)
        const begun = yield* Effect.forEach([31, 32, 33, 34], (accounts) => Effect.forkChild(list(accounts)))
        while (node.calls.filter((method) => method === "getProgramAccounts").length < 4) yield* Effect.yieldNow
        taken(node)
        const late = yield* Effect.forkChild(Effect.flip(list(35)))
        // It waits from when it knows that there is such a mint.
        while (late.pollUnsafe() === undefined) yield* TestClock.adjust("2 seconds")
        assert.strictEqual((yield* Fiber.join(late))._tag, "Busy")
        assert.deepStrictEqual(taken(node), ["getMultipleAccounts"])
        // Those who asked have gone.
        yield* Effect.forEach(begun, Fiber.interrupt)
        withHeldMints(node)
        for (const accounts of [31, 32, 33, 34, 35]) assert.lengthOf((yield* list(accounts)).holders, accounts)
      }),
    ),
  )

  it.effect("is not waited for by a mint that is followed, where others are not", () =>
    overNode(
      (node) =>
        Effect.gen(function* () {
          node.behave("getTokenLargestAccounts", hang)
          const others = Array.from({ length: 10 }, (_, index) => Effect.forkChild(list(60 + index)))
          yield* Effect.all(others)
          while (node.calls.filter((method) => method === "getTokenLargestAccounts").length < 4) yield* Effect.yieldNow
          assert.lengthOf((yield* list(31)).holders, 31)
        }),
      { isFollowed: (mint) => Effect.succeed(mint === heldMint(31)) },
    ),
  )
})
