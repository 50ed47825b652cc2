import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { IpfsDeliveries } from "../src/placement/IpfsDeliveries.ts"
import { IpfsPlacement } from "../src/placement/IpfsPlacement.ts"
import { advanceUntil } from "./AdvanceUntil.ts"
import { placedOn, storeText, textCid, withDatabase } from "./PlacedOn.ts"
import { scriptedBackend } from "./ScriptedBackend.ts"

const ORDER = ["filebase", "embedded"] as const

describe("Callers that wait for a backend", () => {
  it.effect("are answered within 7 seconds, whatever it does", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      yield* storeText("good")
      filebase.holds.set(textCid("slow"), yield* Latch.make())
      const slow = yield* Effect.forkChild(storeText("slow"))
      // Time in the database does not count on this clock.
      yield* advanceUntil(() => filebase.asked.length === 2, 0)
      assert.isUndefined(slow.pollUnsafe())
      yield* TestClock.adjust("7 seconds")
      assert.strictEqual((yield* Fiber.join(slow)).backend, "embedded")
      const { backends, outboxPending } = yield* (yield* IpfsPlacement).report
      assert.strictEqual(outboxPending, 1)
      assert.strictEqual(backends[0]!.outbox.lastError, "filebase did not answer in time")
      // The probe succeeded: other uploads use the backend as before.
      assert.strictEqual(filebase.probes, 1)
      assert.strictEqual((yield* storeText("other")).backend, "filebase")
    }).pipe(Effect.provide(withDatabase(placedOn(ORDER, [filebase]))))
  })

  it.effect("do not lose the backend because of one content that it refuses, which is not retried in a loop", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      filebase.refuses.set(textCid("bad"), { reason: "451", isPermanent: true, scope: "upload" })
      for (let index = 0; index < 20; index++) {
        assert.strictEqual((yield* storeText(`good ${index}`)).backend, "filebase")
        if (index % 5 === 0) assert.strictEqual((yield* storeText("bad")).backend, "embedded")
      }
      const due = yield* (yield* IpfsDeliveries).claim({ ...filebase }, 5)
      assert.deepStrictEqual(due, [])
    }).pipe(Effect.provide(withDatabase(placedOn(ORDER, [filebase]))))
  })

  it.effect("are at most four; the next ones are answered at once, and their deliveries are due at once", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      const latch = yield* Latch.make()
      const slow = ["1", "2", "3", "4"]
      for (const content of slow) filebase.holds.set(textCid(content), latch)
      const waiting = yield* Effect.forEach(slow, (content) => Effect.forkChild(storeText(content)))
      yield* advanceUntil(() => filebase.asked.length === 4, 0)
      assert.strictEqual((yield* storeText("5")).backend, "embedded")
      assert.lengthOf(filebase.asked, 4)
      const due = yield* (yield* IpfsDeliveries).claim({ ...filebase }, 5)
      assert.deepStrictEqual(
        due.map(({ attempts, cid }) => ({ attempts, cid })),
        [{ attempts: 1, cid: textCid("5") }],
      )
      yield* latch.open
      for (const fiber of waiting) assert.strictEqual((yield* Fiber.join(fiber)).backend, "filebase")
      assert.strictEqual((yield* storeText("6")).backend, "filebase")
    }).pipe(Effect.provide(withDatabase(placedOn(ORDER, [filebase]))))
  })

  it.effect("probe it one at a time after a pause; the others get the reason why it is down", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      filebase.fault = { reason: "the bucket is gone", isPermanent: true }
      yield* storeText("a")
      yield* storeText("b")
      assert.lengthOf(filebase.asked, 1)
      const sql = yield* SqlClient
      const [row] = yield* sql`select last_error, attempts from ipfs_deliveries where cid = ${textCid("b")}`
      assert.deepStrictEqual({ ...row }, { lastError: "the bucket is gone", attempts: 0 })
      yield* TestClock.adjust("5 seconds")
      filebase.fault = undefined
      const latch = yield* Latch.make()
      for (const content of ["c", "d", "e"]) filebase.holds.set(textCid(content), latch)
      const stores = yield* Effect.forEach(["c", "d", "e"], (content) => Effect.forkChild(storeText(content)))
      const answered = () => stores.filter((fiber) => fiber.pollUnsafe() !== undefined).length
      yield* advanceUntil(() => answered() === 2, 0)
      assert.lengthOf(filebase.asked, 2)
      yield* latch.open
      const backends = yield* Effect.forEach(stores, (fiber) => Effect.map(Fiber.join(fiber), ({ backend }) => backend))
      assert.deepStrictEqual(backends.toSorted(), ["embedded", "embedded", "filebase"])
    }).pipe(Effect.provide(withDatabase(placedOn(ORDER, [filebase]))))
  })

  it.effect("and disconnect leave their content to the outbox at once", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      filebase.holds.set(textCid("a"), yield* Latch.make())
      const leaving = yield* Effect.forkChild(storeText("a"))
      yield* advanceUntil(() => filebase.asked.length === 1, 0)
      yield* Fiber.interrupt(leaving)
      const [due] = yield* (yield* IpfsDeliveries).claim({ ...filebase }, 5)
      assert.deepInclude(due, { cid: textCid("a"), attempts: 1 })
    }).pipe(Effect.provide(withDatabase(placedOn(ORDER, [filebase]))))
  })

  it.effect("at another destination upload again what only the first destination has", () => {
    const [first, second] = [scriptedBackend("filebase", "one"), scriptedBackend("filebase", "two")]
    const both = Effect.gen(function* () {
      yield* Effect.provide(storeText("a"), placedOn(ORDER, [first]))
      assert.strictEqual((yield* Effect.provide(storeText("a"), placedOn(ORDER, [second]))).backend, "filebase")
      assert.deepStrictEqual(second.asked, [textCid("a")])
    })
    return Effect.provide(both, withDatabase(placedOn(["embedded"], [])))
  })
})
