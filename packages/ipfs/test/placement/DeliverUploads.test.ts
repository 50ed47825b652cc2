import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import { DeliverUploadsLayer, outboxWork, probeWhenQuiet } from "../../src/placement/DeliverUploads.ts"
import { ipfsDeliveries } from "../../src/placement/IpfsDeliveries.ts"
import { IpfsPlacement } from "../../src/placement/IpfsPlacement.ts"
import { scriptedBackend } from "../backends/ScriptedBackend.ts"
import { advanceUntil } from "./AdvanceUntil.ts"
import { placedOn, storeText, textCid, withDatabase } from "./PlacedOn.ts"

const COPIES = ["embedded", "filebase"] as const
/** The delivering process, for the duration of the test. */
const delivering = Layer.build(DeliverUploadsLayer)
/** The backend of a placement on one, and a worker that delivers to it. */
const only = Effect.gen(function* () {
  const backend = (yield* IpfsPlacement).remote!
  const { deliver } = yield* outboxWork
  return { backend, deliver: (worker?: number) => deliver(backend, worker) }
})

describe("Delivering uploads", () => {
  it.effect("continues while one upload is slow", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      yield* storeText("first")
      yield* delivering
      yield* advanceUntil(() => filebase.taken.size === 1)
      const latch = yield* Latch.make()
      filebase.holds.set(textCid("slow"), latch)
      yield* storeText("slow")
      for (let index = 0; index < 10; index++) yield* storeText(`fast ${index}`)
      yield* advanceUntil(() => filebase.taken.size === 11)
      assert.isFalse(filebase.taken.has(textCid("slow")))
      yield* latch.open
      yield* advanceUntil(() => filebase.taken.size === 12)
    }).pipe(Effect.scoped, Effect.provide(withDatabase(placedOn(COPIES, filebase))))
  })

  it.effect("tries a backend that is down with one upload at a time", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      const { deliver } = yield* only
      for (const content of ["a", "b", "c", "d"]) yield* storeText(content)
      filebase.fault = { reason: "503" }
      for (const tried of [1, 2]) {
        yield* Effect.forEach([0, 1, 2], deliver, { concurrency: 3 })
        assert.lengthOf(filebase.asked, tried)
        yield* TestClock.adjust("5 seconds")
      }
    }).pipe(Effect.provide(withDatabase(placedOn(COPIES, filebase))))
  })

  it.effect("retries what fails with growing waits while everything else is delivered", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      const { deliver } = yield* only
      filebase.refuses.set(textCid("bad"), { reason: "500" })
      yield* storeText("bad")
      for (let second = 0; second < 60; second++) {
        if (second % 5 === 0) yield* storeText(`good ${second}`)
        yield* deliver()
        yield* TestClock.adjust("1 second")
      }
      assert.strictEqual(filebase.taken.size, 12)
      const tries = filebase.asked.filter((cid) => cid === textCid("bad")).length
      assert.isTrue(tries >= 4 && tries <= 5, `${tries} times`)
    }).pipe(Effect.provide(withDatabase(placedOn(COPIES, filebase))))
  })

  it.effect("releases its claim when it stops", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      const { deliver } = yield* only
      filebase.holds.set(textCid("a"), yield* Latch.make())
      yield* storeText("a")
      const worker = yield* Effect.forkChild(deliver())
      yield* advanceUntil(() => filebase.asked.length === 1, 0)
      yield* Fiber.interrupt(worker)
      assert.lengthOf(yield* (yield* ipfsDeliveries).claim(filebase, 5), 1)
    }).pipe(Effect.provide(withDatabase(placedOn(COPIES, filebase))))
  })

  it.effect("probes an idle backend, but not during a put or a requested pause", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      const { backend, deliver } = yield* only
      yield* TestClock.adjust("1 minute")
      const latch = yield* Latch.make()
      filebase.holds.set(textCid("a"), latch)
      yield* storeText("a")
      const worker = yield* Effect.forkChild(deliver())
      yield* advanceUntil(() => filebase.asked.length === 1, 0)
      yield* probeWhenQuiet(backend)
      assert.strictEqual(filebase.probes, 0)
      yield* latch.open
      yield* Fiber.join(worker)
      yield* TestClock.adjust("30 seconds")
      filebase.fault = { reason: "429", retryAfterMillis: 120_000 }
      yield* probeWhenQuiet(backend)
      assert.strictEqual(filebase.probes, 1)
      yield* TestClock.adjust("1 minute")
      yield* probeWhenQuiet(backend)
      assert.strictEqual(filebase.probes, 1)
    }).pipe(Effect.provide(withDatabase(placedOn(COPIES, filebase))))
  })

  it.effect("delivers uploads that were stored before the backend was configured, each once", () => {
    const [filebase, other] = [scriptedBackend("filebase"), scriptedBackend("filebase", "another bucket")]
    return Effect.gen(function* () {
      const contents = Array.from({ length: 7 }, (_, index) => `old ${index}`)
      for (const content of contents) yield* storeText(content)
      const deliveries = yield* ipfsDeliveries
      for (let times = 0; times < 2; times++) yield* deliveries.addMissing(other, "", 3)
      assert.strictEqual((yield* deliveries.outbox(other)).pending, 3, "a batch, and each once")
      for (const backend of [filebase, other]) {
        const all = Effect.andThen(
          delivering,
          advanceUntil(() => backend.taken.size === 7),
        )
        yield* all.pipe(Effect.provide(placedOn(["filebase", "embedded"], backend)), Effect.scoped)
        assert.deepStrictEqual([...backend.taken.keys()].toSorted(), contents.map(textCid).toSorted())
      }
      assert.lengthOf(filebase.asked, 7, "what it has is not delivered again")
    }).pipe(Effect.provide(withDatabase(placedOn(["embedded"]))))
  })

  it.effect("shows in metrics how much waits and since when", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      yield* storeText("a")
      yield* TestClock.adjust("90 seconds")
      yield* storeText("b")
      yield* (yield* outboxWork).measure((yield* only).backend)
      const shown = (yield* Metric.snapshot)
        .filter(({ attributes }) => attributes?.backend === "filebase")
        .map(({ id, state }) => [id, "value" in state ? state.value : undefined])
      assert.deepInclude(shown, ["ipfs_outbox_pending", 2])
      assert.deepInclude(shown, ["ipfs_outbox_oldest_seconds", 90])
    }).pipe(Effect.provide(withDatabase(placedOn(COPIES, filebase))))
  })
})
