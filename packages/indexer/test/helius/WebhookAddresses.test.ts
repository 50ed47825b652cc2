import { assert, describe, it } from "@effect/vitest"
import { DBC_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import { Effect } from "effect"
import { randomAddress } from "../../fixtures/GeneratedWorld.ts"
import { SeededRandom } from "../../fixtures/SeededRandom.ts"
import { fakeHelius } from "./FakeHelius.ts"
import { checked, DELETE, GET, LIST, OURS, POST, PUT, started } from "./StartedRegistration.ts"

const random = new SeededRandom(1)
/** More than a list of webhooks shows of one. */
const POOLS = Array.from({ length: 150 }, () => randomAddress(random).text)

describe("The addresses of the webhook", () => {
  it.effect("are the program and the migrated pools, and are edited as a whole when some are added", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const { checkWith } = yield* started(helius)
      const few = POOLS.slice(0, 3)
      assert.deepInclude(yield* checked(helius, checkWith(few)), { detail: "created", calls: [LIST, POST, GET] })
      assert.deepStrictEqual(helius.webhooks[0]!.accountAddresses, [DBC_PROGRAM, ...few])
      // In another order they are the same.
      assert.deepInclude(yield* checked(helius, checkWith(few.toReversed())), { state: "registered", calls: [LIST] })
      assert.deepInclude(yield* checked(helius, checkWith(POOLS)), {
        ...{ state: "repaired", detail: "set accountAddresses", calls: [LIST, PUT, GET] },
      })
      assert.sameMembers([...helius.webhooks[0]!.accountAddresses], [DBC_PROGRAM, ...POOLS])
      // A list shows a hundred of them, so the webhook itself is asked for.
      assert.deepInclude(yield* checked(helius, checkWith(POOLS)), { state: "registered", calls: [LIST, GET] })
      const again = yield* started(helius)
      assert.deepInclude(yield* checked(helius, again.checkWith(POOLS)), { state: "registered", calls: [LIST, GET] })
    }),
  )

  it.effect("come back when somebody has taken some away beyond those that lists show", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const { checkWith } = yield* started(helius)
      yield* checkWith(POOLS)
      helius.change({ accountAddresses: [DBC_PROGRAM, ...POOLS.slice(0, 120)] })
      assert.deepInclude(yield* checked(helius, checkWith(POOLS)), { detail: "set accountAddresses" })
      assert.sameMembers([...helius.webhooks[0]!.accountAddresses], [DBC_PROGRAM, ...POOLS])
    }),
  )

  it.effect("are all named again after a failed edit, whether Helius has taken it or not", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const { checkWith } = yield* started(helius)
      yield* checkWith(POOLS.slice(0, 2))
      for (const trouble of [429, 503, "cut", "html"] as const) {
        const count = helius.webhooks[0]!.accountAddresses.length
        helius.failNext(1, "none")
        helius.failNext(1, trouble)
        const pools = POOLS.slice(0, count + 1)
        assert.deepInclude(yield* checkWith(pools), { state: trouble === "html" ? "refused" : "unreachable" })
        // Nothing that was named is gone meanwhile.
        assert.includeMembers([...helius.webhooks[0]!.accountAddresses], POOLS.slice(0, count - 1))
        yield* checkWith(pools)
        assert.sameMembers([...helius.webhooks[0]!.accountAddresses], [DBC_PROGRAM, ...pools])
      }
    }),
  )

  it.effect("that Helius does not keep are set in every check", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      helius.add(OURS)
      helius.forgets = ["accountAddresses"]
      const { checkWith } = yield* started(helius)
      const unkept = { state: "refused" as const, detail: "Helius does not keep accountAddresses" }
      assert.deepInclude(yield* checked(helius, checkWith(POOLS)), { ...unkept, calls: [LIST, PUT, GET] })
      assert.deepInclude(yield* checked(helius, checkWith(POOLS)), { ...unkept, calls: [LIST, PUT, GET] })
    }),
  )

  it.effect("that do not fit are said", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const { checkWith } = yield* started(helius)
      yield* checkWith(POOLS)
      const { detail, state } = yield* checkWith(POOLS, 12)
      assert.strictEqual(state, "registered")
      assert.strictEqual(detail, "full: 12 migrated pools, the least active ones, are not in it")
    }),
  )

  it.effect("of a duplicate from before some migrations do not keep it", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      helius.add({ ...OURS, accountAddresses: [DBC_PROGRAM, ...POOLS] })
      helius.add({ ...OURS, accountAddresses: [DBC_PROGRAM, ...POOLS.slice(0, 5)] })
      const { checkWith } = yield* started(helius)
      assert.deepInclude(yield* checked(helius, checkWith(POOLS)), {
        ...{ detail: "deleted duplicates: 1", calls: [LIST, GET, DELETE] },
      })
    }),
  )
})
