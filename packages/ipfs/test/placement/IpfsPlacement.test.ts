import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { buildDag } from "../../src/content/Dag.ts"
import { IpfsContent } from "../../src/content/IpfsContent.ts"
import { outboxWork } from "../../src/placement/DeliverUploads.ts"
import { IpfsPlacement } from "../../src/placement/IpfsPlacement.ts"
import { scriptedBackend } from "../backends/ScriptedBackend.ts"
import { noise } from "../Noise.ts"
import { advanceUntil } from "./AdvanceUntil.ts"
import { placedOn, storeText, textCid, withDatabase } from "./PlacedOn.ts"

const ORDER = ["filebase", "embedded"] as const
const large = buildDag(noise(2_500_000))
const storeLarge = Effect.flatMap(IpfsPlacement, ({ store }) => store(large, { contentType: "image/png" }))

/** Delivers everything that is due and that the backend accepts. */
const deliver = Effect.gen(function* () {
  const { remote } = yield* IpfsPlacement
  const { deliver } = yield* outboxWork
  yield* deliver(remote!)
})
const report = Effect.flatMap(IpfsPlacement, ({ report }) => report)
const pending = Effect.map(report, ({ outboxPending }) => outboxPending)

describe("Placement of uploads", () => {
  it.effect("stores them here when embedded is the only backend", () =>
    Effect.gen(function* () {
      const placed = yield* storeText("a")
      assert.deepStrictEqual(placed, {
        cid: "bafkreigks6arfsq3xxfpvqrrwonchxcnu6do76auprhhfomao6c273sixm",
        contentType: "text/plain",
        sizeBytes: 1,
        backend: "embedded",
      })
      assert.isTrue(Option.isSome(yield* (yield* IpfsContent).find(placed.cid)))
      assert.strictEqual((yield* (yield* IpfsPlacement).health).status, "up")
    }).pipe(Effect.provide(withDatabase(placedOn(["embedded"])))),
  )

  it.effect("waits for a backend before embedded, and sends it each content once", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      const first = yield* storeLarge
      assert.strictEqual(first.backend, "filebase")
      assert.strictEqual((yield* storeLarge).backend, "filebase")
      assert.deepStrictEqual(filebase.asked, [first.cid])
      assert.isTrue(Option.isSome(yield* (yield* IpfsContent).find(first.cid)), "kept here as well")
      assert.strictEqual(yield* pending, 0)
    }).pipe(Effect.provide(withDatabase(placedOn(ORDER, filebase))))
  })

  it.effect("stores here what a backend does not take, says so, and delivers all of it once it is back", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      filebase.fault = { reason: "it is down", retryAfterMillis: 1_000 }
      assert.strictEqual((yield* storeLarge).backend, "embedded")
      const { backends, outboxPending } = yield* report
      assert.deepInclude(backends[0], { name: "filebase", status: "down", lastFailure: "it is down" })
      assert.strictEqual(outboxPending, 1)
      const health = yield* (yield* IpfsPlacement).health
      assert.strictEqual(health.status, "degraded")
      assert.include(health.detail, "1 uploads wait")
      assert.lengthOf(filebase.asked, 1, "asked to wait: not tried again at once")
      // While its breaker is open, the next upload does not wait for it.
      yield* storeText("b")
      assert.lengthOf(filebase.asked, 1)
      yield* TestClock.adjust("1 minute")
      yield* deliver
      assert.lengthOf(filebase.asked, 2, "one at a time finds out whether it is back")
      filebase.fault = undefined
      yield* TestClock.adjust("2 minutes")
      yield* deliver
      assert.strictEqual(yield* pending, 0)
      const taken = filebase.taken.get(large.root.toString())!
      assert.strictEqual(taken.sizeBytes, large.sizeBytes)
      assert.lengthOf(taken.blocks, large.blocks.length)
      for (const { bytes, cid } of taken.blocks)
        assert.isTrue(large.blocks.some((sent) => sent.cid.equals(cid) && Buffer.from(bytes).equals(sent.bytes)))
    }).pipe(Effect.provide(withDatabase(placedOn(ORDER, filebase))))
  })

  it.effect("retries a transient failure while the caller waits", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      filebase.faultsLeft = 2
      const fiber = yield* Effect.forkChild(storeText("c"))
      // Time in the database does not count on this clock.
      yield* advanceUntil(() => filebase.asked.length > 0, 0)
      yield* advanceUntil(() => filebase.asked.length === 3)
      assert.strictEqual((yield* Fiber.join(fiber)).backend, "filebase")
    }).pipe(Effect.provide(withDatabase(placedOn(ORDER, filebase))))
  })

  it.effect("answers within 7 seconds, whatever the backend does, and leaves the upload to the outbox", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      filebase.holds.set(textCid("slow"), yield* Latch.make())
      const slow = yield* Effect.forkChild(storeText("slow"))
      yield* advanceUntil(() => filebase.asked.length === 1, 0)
      yield* deliver
      assert.lengthOf(filebase.asked, 1, "not due while the caller waits")
      assert.isUndefined(slow.pollUnsafe())
      yield* TestClock.adjust("7 seconds")
      assert.strictEqual((yield* Fiber.join(slow)).backend, "embedded")
      const { backends, outboxPending } = yield* report
      assert.strictEqual(outboxPending, 1)
      assert.strictEqual(backends[0]!.lastFailure, "filebase did not answer in time")
      filebase.holds.clear()
      yield* TestClock.adjust("5 seconds")
      yield* deliver
      assert.strictEqual(yield* pending, 0)
    }).pipe(Effect.provide(withDatabase(placedOn(ORDER, filebase))))
  })

  it.effect("keeps a backend that refuses one content, which is not retried in a loop", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      filebase.refuses.set(textCid("bad"), { reason: "451", isPermanent: true, scope: "upload" })
      for (let index = 0; index < 10; index++) {
        assert.strictEqual((yield* storeText(`good ${index}`)).backend, "filebase")
        if (index % 5 === 0) assert.strictEqual((yield* storeText("bad")).backend, "embedded")
      }
      yield* TestClock.adjust("7 seconds")
      for (let times = 0; times < 3; times++) yield* deliver
      assert.lengthOf(
        filebase.asked.filter((cid) => cid === textCid("bad")),
        3,
      )
    }).pipe(Effect.provide(withDatabase(placedOn(ORDER, filebase))))
  })

  it.effect("lets four callers wait for a backend; the next ones are answered at once", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      const latch = yield* Latch.make()
      const slow = ["1", "2", "3", "4"]
      for (const content of slow) filebase.holds.set(textCid(content), latch)
      const waiting = yield* Effect.forEach(slow, (content) => Effect.forkChild(storeText(content)))
      yield* advanceUntil(() => filebase.asked.length === 4, 0)
      assert.strictEqual((yield* storeText("5")).backend, "embedded")
      assert.lengthOf(filebase.asked, 4)
      yield* latch.open
      for (const fiber of waiting) assert.strictEqual((yield* Fiber.join(fiber)).backend, "filebase")
      assert.strictEqual((yield* storeText("6")).backend, "filebase")
    }).pipe(Effect.provide(withDatabase(placedOn(ORDER, filebase))))
  })

  it.effect("stores nothing without embedded, and refuses what the backend does not take", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      const sql = yield* SqlClient
      filebase.fault = { reason: "it refuses the key", isPermanent: true }
      const facts = {
        _tag: "Unavailable",
        service: "ipfs",
        reason: "it refuses the key",
        retryAfterSeconds: 300,
      } as const
      assert.deepInclude(yield* Effect.flip(storeLarge), facts)
      assert.strictEqual((yield* (yield* IpfsPlacement).health).status, "down")
      filebase.fault = undefined
      const placed = yield* storeLarge
      assert.strictEqual(placed.backend, "filebase")
      assert.lengthOf(yield* sql`select from ipfs_blocks union all select from ipfs_uploads`, 0)
      assert.strictEqual(yield* pending, 0)
      // There is no other copy, and a backend may have lost what it confirmed.
      assert.deepStrictEqual(yield* storeLarge, placed)
      assert.lengthOf(filebase.asked, 3)
      filebase.fault = { reason: "away", retryAfterMillis: 20_500 }
      assert.deepInclude(yield* Effect.flip(storeLarge), { reason: "away", retryAfterSeconds: 21 })
      // It is not called before its Retry-After.
      assert.deepInclude(yield* Effect.flip(storeText("c")), { reason: "away", retryAfterSeconds: 21 })
      assert.lengthOf(filebase.asked, 4)
      assert.strictEqual((yield* report).lastUploadAt, new Date(0).toISOString(), "known though nothing is kept here")
    }).pipe(Effect.provide(withDatabase(placedOn(["filebase"], filebase))))
  })

  it.effect("copies to a backend after embedded without delaying the caller", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      assert.strictEqual((yield* storeText("e")).backend, "embedded")
      assert.deepStrictEqual(filebase.asked, [])
      yield* deliver
      assert.lengthOf([...filebase.taken], 1)
      assert.strictEqual(yield* pending, 0)
    }).pipe(Effect.provide(withDatabase(placedOn(["embedded", "filebase"], filebase))))
  })

  it.effect("sends to another place what only the first one has, and reports what that still misses", () => {
    const [first, second] = [scriptedBackend("filebase", "one"), scriptedBackend("filebase", "two")]
    return Effect.gen(function* () {
      yield* Effect.provide(storeText("a"), placedOn(ORDER, first))
      first.fault = { reason: "away", isPermanent: true }
      yield* Effect.provide(storeText("b"), placedOn(ORDER, first))
      yield* Effect.gen(function* () {
        assert.strictEqual((yield* storeText("a")).backend, "filebase")
        assert.deepStrictEqual(second.asked, [textCid("a")])
        const { backends, outboxPending } = yield* report
        assert.strictEqual(outboxPending, 0)
        const note = "had another place before, which never got 1 uploads"
        assert.deepInclude(backends[2], { name: "filebase", status: "unknown", note })
      }).pipe(Effect.provide(placedOn(ORDER, second)))
      const { detail } = yield* (yield* IpfsPlacement).health
      assert.include(detail, "is not in the order any more and never got 1 uploads")
    }).pipe(Effect.provide(withDatabase(placedOn(["embedded"]))))
  })
})
