import { assert, describe, it } from "@effect/vitest"
import { DBC_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import { Effect } from "effect"
import { fakeHelius } from "./FakeHelius.ts"
import { checked, DELETE, GET, LIST, OURS, PATCH, started } from "./StartedRegistration.ts"

describe("With several webhooks of our URL, the registration", () => {
  it.effect("keeps one, deletes identical ones, and leaves different ones", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const others = [
        { ...OURS, webhookURL: "https://other.example.com/hook" },
        { ...OURS, txnStatus: "all" },
        { ...OURS, accountAddresses: [DBC_PROGRAM, "11111111111111111111111111111111"] },
        { ...OURS, authHeader: "another" },
      ]
      for (const one of [{ ...OURS, active: false }, ...others, OURS, OURS]) helius.add(one)
      const [first] = helius.webhooks
      helius.webhooks = helius.webhooks.toReversed()
      const { check } = yield* started(helius)
      const { calls, detail, webhookId } = yield* checked(helius, check)
      assert.strictEqual(webhookId, first!.webhookID)
      // None is deleted before the remaining one is in order.
      assert.deepStrictEqual(calls, [LIST, PATCH, GET, DELETE, DELETE])
      assert.strictEqual(detail, "switched on; deleted duplicates: 2; 3 more of this URL, which differ, were left")
      const { webhookID } = first!
      const left = helius.webhooks.map((one) => ({ ...one, webhookID }))
      assert.deepStrictEqual(
        left,
        [...others.toReversed(), OURS].map((one) => ({ ...one, webhookID })),
      )
      assert.deepInclude(yield* checked(helius, check), { state: "registered", calls: [LIST] })
    }),
  )

  it.effect("deletes none that may differ in hidden fields, nor while its own is not in order", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      helius.shows.header = "masked"
      for (const one of [OURS, OURS]) helius.add(one)
      const { check } = yield* started(helius)
      yield* check
      assert.lengthOf(helius.webhooks, 2)
      helius.shows.header = "plain"
      helius.change({ active: false })
      helius.forgets = ["active"]
      assert.deepInclude(yield* check, { state: "refused" })
      assert.lengthOf(helius.webhooks, 2)
    }),
  )

  it.effect("treats a duplicate that another replica deletes as deleted", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      for (const one of [OURS, OURS]) helius.add(one)
      const { check } = yield* started(helius)
      helius.failNext(1, "none")
      helius.failNext(1, 404)
      assert.deepInclude(yield* checked(helius, check), {
        state: "repaired",
        detail: "deleted duplicates: 1",
        calls: [LIST, DELETE],
      })
    }),
  )

  it.effect("creates one however many checks run concurrently", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const { check } = yield* started(helius)
      const reports = yield* Effect.all([check, check, check], { concurrency: "unbounded" })
      assert.lengthOf(helius.webhooks, 1)
      assert.deepStrictEqual(reports.map(({ state }) => state).sort(), ["registered", "registered", "repaired"])
    }),
  )
})
