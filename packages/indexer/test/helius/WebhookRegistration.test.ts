import { assert, describe, it } from "@effect/vitest"
import { DBC_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { assertNoCanary, SECRET } from "./Canaries.ts"
import { fakeHelius, type StoredWebhook } from "./FakeHelius.ts"
import { checked, GET, LIST, OURS, PATCH, POST, PUT, started } from "./StartedRegistration.ts"

describe("The registration of the webhook", () => {
  it.effect("creates a missing webhook, reads it back, and makes one call when nothing is wrong", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const { check, logged } = yield* started(helius)
      yield* TestClock.setTime(Date.parse("2026-11-21T10:00:00Z"))
      const { calls, ...report } = yield* checked(helius, check)
      const webhookId = helius.webhooks[0]!.webhookID
      assert.deepStrictEqual(calls, [LIST, POST, GET])
      assert.deepStrictEqual(helius.webhooks, [{ ...OURS, webhookID: webhookId }])
      const lastCheckedAt = "2026-11-21T10:00:00.000Z"
      assert.deepStrictEqual(report, { state: "repaired", webhookId, active: true, lastCheckedAt, detail: "created" })

      const stored = helius.webhooks
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* checked(helius, check), {
        ...{ state: "registered", webhookId, active: true, lastCheckedAt: "2026-11-21T11:00:00.000Z" },
        ...{ detail: "as desired", calls: [LIST] },
      })
      assert.strictEqual(helius.webhooks, stored)
      assertNoCanary(report, logged)
      assert.isNotEmpty(logged)
    }),
  )

  const DRIFTS: ReadonlyArray<readonly [name: string, changes: Partial<StoredWebhook>]> = [
    ["webhookType", { webhookType: "enhanced" }],
    ["transactionTypes", { transactionTypes: ["SWAP"] }],
    ["accountAddresses", { accountAddresses: [] }],
    ["accountAddresses", { accountAddresses: [DBC_PROGRAM, "11111111111111111111111111111111"] }],
    ["txnStatus", { txnStatus: "all" }],
    ["encoding", { encoding: "jsonParsed" }],
    ["authHeader", { authHeader: "somebody else's" }],
    ["authHeader", { authHeader: "" }],
  ]
  for (const [name, changes] of DRIFTS) {
    it.effect(`repairs ${name} when it is ${JSON.stringify(Object.values(changes)[0])}, and reads it back`, () =>
      Effect.gen(function* () {
        const helius = yield* fakeHelius
        helius.add({ ...OURS, ...changes })
        const { check, logged } = yield* started(helius)
        const { webhookID } = helius.webhooks[0]!
        const { calls, detail, state } = yield* checked(helius, check)
        assert.deepStrictEqual(
          { state, detail, calls },
          { state: "repaired", detail: `set ${name}`, calls: [LIST, PUT, GET] },
        )
        assert.deepStrictEqual(helius.webhooks, [{ ...OURS, webhookID }])
        assert.deepInclude(yield* checked(helius, check), { state: "registered", calls: [LIST] })
        assertNoCanary(detail, logged)
      }),
    )
  }

  it.effect("enables a webhook that Helius disabled, also when other fields need a repair", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      helius.add(OURS)
      const { check } = yield* started(helius)
      helius.change({ active: false })
      assert.deepInclude(yield* checked(helius, check), {
        ...{ state: "repaired", active: true, detail: "switched on", calls: [LIST, PATCH, GET] },
      })
      helius.change({ active: false, txnStatus: "all", accountAddresses: [] })
      assert.deepInclude(yield* checked(helius, check), {
        ...{
          state: "repaired",
          detail: "set accountAddresses, txnStatus; switched on",
          calls: [LIST, PUT, PATCH, GET],
        },
      })
      assert.isTrue(helius.webhooks[0]!.active)
      assert.deepInclude(yield* checked(helius, check), { state: "registered", calls: [LIST] })
    }),
  )

  for (const header of ["not", "masked"] as const) {
    it.effect(`sets a header that is shown ${header === "not" ? "not at all" : "masked"} once per start`, () =>
      Effect.gen(function* () {
        const helius = yield* fakeHelius
        helius.shows.header = header
        helius.add({ ...OURS, authHeader: "an old secret" })
        for (let starts = 1; starts <= 2; starts++) {
          const { check } = yield* started(helius)
          assert.deepInclude(yield* checked(helius, check), { detail: "set authHeader", calls: [LIST, PUT, GET] })
          assert.strictEqual(helius.webhooks[0]!.authHeader, SECRET)
          assert.deepInclude(yield* checked(helius, check), { state: "registered", calls: [LIST] })
        }
        // Setting it on one webhook says nothing about another.
        const { check } = yield* started(helius)
        yield* check
        helius.webhooks = []
        helius.add({ ...OURS, authHeader: "an old secret" })
        assert.deepInclude(yield* checked(helius, check), { detail: "set authHeader" })
      }),
    )
  }

  it.effect("accepts fields that Helius does not show, and makes one call", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      helius.shows = { header: "plain", status: false, active: false }
      const { check } = yield* started(helius)
      assert.deepInclude(yield* checked(helius, check), { state: "repaired", detail: "created" })
      assert.deepInclude(yield* checked(helius, check), { state: "registered", active: true, calls: [LIST] })
    }),
  )

  it.effect("reports fields that Helius does not store, and sets them only once", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      helius.add({ ...OURS, encoding: "jsonParsed" })
      helius.forgets = ["encoding"]
      const { check } = yield* started(helius)
      const unkept = { state: "refused" as const, detail: "Helius does not keep encoding" }
      assert.deepInclude(yield* checked(helius, check), { ...unkept, calls: [LIST, PUT, GET] })
      assert.deepInclude(yield* checked(helius, check), { ...unkept, calls: [LIST] })
      // Another field is set as well, and this one with it.
      helius.change({ txnStatus: "all" })
      assert.deepInclude(yield* checked(helius, check), { ...unkept, calls: [LIST, PUT, GET] })
      helius.change({ encoding: "json" })
      assert.deepInclude(yield* checked(helius, check), { state: "registered", calls: [LIST] })
      helius.forgets = ["active"]
      helius.change({ active: false })
      for (let times = 1; times <= 2; times++)
        assert.deepInclude(yield* checked(helius, check), {
          ...{ state: "refused", active: false, detail: "Helius does not keep active", calls: [LIST, PATCH, GET] },
        })
    }),
  )

  it.effect("is refused with a key that is unknown or lacks rights", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const wrong = yield* started(helius, {}, "CANARY-wrong-key")
      const { calls, lastCheckedAt: _, ...report } = yield* checked(helius, wrong.check)
      assert.deepStrictEqual(calls, [LIST])
      assert.deepStrictEqual(report, {
        ...{ state: "refused", webhookId: undefined, active: undefined, detail: "Helius refused (HTTP 401)" },
      })
      const { check, logged } = yield* started(helius)
      helius.failNext(1, 403)
      assert.deepInclude(yield* check, { state: "refused", detail: "Helius refused (HTTP 403)" })
      // About the request, not the key.
      helius.failNext(1, "none")
      helius.failNext(1, 400)
      assert.deepInclude(yield* check, { state: "refused", detail: "Helius refused (HTTP 400)" })
      assertNoCanary(report, logged, wrong.logged)
      assert.lengthOf(logged, 2)
    }),
  )

  it.effect("is unknown while Helius gives no usable answer, and recovers", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      helius.add(OURS)
      const { check, logged } = yield* started(helius)
      const reports: Array<unknown> = []
      for (const trouble of [429, 500, 503, 504, 302, "cut", "html"] as const) {
        helius.failNext(1, trouble)
        const report = yield* checked(helius, check)
        assert.deepInclude(report, { state: "unreachable", active: undefined, calls: [LIST] })
        assert.deepInclude(yield* check, { state: "registered" })
        reports.push(report)
      }
      helius.failNext(1, "hang")
      const received = helius.nextCall()
      const hanging = yield* Effect.forkChild(check)
      yield* Effect.promise(() => received)
      yield* TestClock.adjust("4999 millis")
      assert.isUndefined(hanging.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      const { webhookID } = helius.webhooks[0]!
      assert.deepInclude(yield* Fiber.join(hanging), {
        ...{ state: "unreachable", webhookId: webhookID, detail: "Helius gave no usable answer: deadline" },
      })
      assert.deepInclude(yield* check, { state: "registered" })
      assertNoCanary(reports, logged)
    }),
  )

  it.effect("does not count as repaired before it has been read back", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      helius.shows.header = "not"
      const { check } = yield* started(helius)
      helius.failNext(2, "none")
      helius.failNext(1, 503)
      assert.deepInclude(yield* checked(helius, check), {
        ...{ state: "unreachable", webhookId: helius.webhooks[0]!.webhookID, calls: [LIST, POST, GET] },
      })
      assert.deepInclude(yield* checked(helius, check), { state: "registered", calls: [LIST] })
    }),
  )
})
