import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer, Logger, Metric } from "effect"
import { TestClock } from "effect/testing"
import { deliverUploads, DeliverUploadsLayer, measureOutbox, probeWhenQuiet } from "../src/placement/DeliverUploads.ts"
import { IpfsDeliveries } from "../src/placement/IpfsDeliveries.ts"
import { IpfsPlacement } from "../src/placement/IpfsPlacement.ts"
import { advanceUntil } from "./AdvanceUntil.ts"
import { placedOn, storeText, textCid, withDatabase } from "./PlacedOn.ts"
import { scriptedBackend } from "./ScriptedBackend.ts"

const COPIES = ["embedded", "filebase"] as const
/** The delivering process, for the duration of the test. */
const delivering = Effect.andThen(Effect.context<IpfsPlacement | IpfsDeliveries>(), Layer.build(DeliverUploadsLayer))

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
    }).pipe(Effect.scoped, Effect.provide(withDatabase(placedOn(COPIES, [filebase]))))
  })

  it.effect("probes a backend that is down with one upload at a time", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      const { remotes } = yield* IpfsPlacement
      const deliver = yield* deliverUploads
      for (const content of ["a", "b", "c", "d"]) yield* storeText(content)
      filebase.fault = { reason: "503" }
      yield* Effect.forEach([0, 1, 2], (worker) => deliver(remotes[0]!, worker), { concurrency: 3 })
      assert.lengthOf(filebase.asked, 1)
      yield* TestClock.adjust("5 seconds")
      yield* Effect.forEach([0, 1, 2], (worker) => deliver(remotes[0]!, worker), { concurrency: 3 })
      assert.lengthOf(filebase.asked, 2)
    }).pipe(Effect.provide(withDatabase(placedOn(COPIES, [filebase]))))
  })

  it.effect("retries what fails like an outage with growing waits while everything else is delivered", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      const { remotes } = yield* IpfsPlacement
      const deliver = yield* deliverUploads
      filebase.refuses.set(textCid("bad"), { reason: "500" })
      yield* storeText("good")
      yield* deliver(remotes[0]!)
      yield* storeText("bad")
      for (let second = 0; second < 60; second++) {
        if (second % 5 === 0) yield* storeText(`good ${second}`)
        yield* deliver(remotes[0]!)
        yield* TestClock.adjust("1 second")
      }
      assert.strictEqual(filebase.taken.size, 13)
      assert.lengthOf(
        filebase.asked.filter((cid) => cid === textCid("bad")),
        5,
        "after 0, 2, 6, 14 and 30 s",
      )
    }).pipe(Effect.provide(withDatabase(placedOn(COPIES, [filebase]))))
  })

  it.effect("releases its claim when it stops", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      const { remotes } = yield* IpfsPlacement
      filebase.holds.set(textCid("a"), yield* Latch.make())
      yield* storeText("a")
      const worker = yield* Effect.forkChild((yield* deliverUploads)(remotes[0]!))
      yield* advanceUntil(() => filebase.asked.length === 1, 0)
      yield* Fiber.interrupt(worker)
      assert.lengthOf(yield* (yield* IpfsDeliveries).claim(filebase, 5), 1)
    }).pipe(Effect.provide(withDatabase(placedOn(COPIES, [filebase]))))
  })

  it.effect("probes an idle backend, but not during a put or a requested pause", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      const [backend] = (yield* IpfsPlacement).remotes
      yield* TestClock.adjust("1 minute")
      const latch = yield* Latch.make()
      filebase.holds.set(textCid("a"), latch)
      yield* storeText("a")
      const worker = yield* Effect.forkChild((yield* deliverUploads)(backend!))
      yield* advanceUntil(() => filebase.asked.length === 1, 0)
      yield* probeWhenQuiet(backend!)
      assert.strictEqual(filebase.probes, 0)
      yield* latch.open
      yield* Fiber.join(worker)
      yield* TestClock.adjust("30 seconds")
      filebase.fault = { reason: "429", retryAfterMillis: 120_000 }
      yield* probeWhenQuiet(backend!)
      assert.strictEqual(filebase.probes, 1)
      yield* TestClock.adjust("1 minute")
      yield* probeWhenQuiet(backend!)
      assert.strictEqual(filebase.probes, 1)
    }).pipe(Effect.provide(withDatabase(placedOn(COPIES, [filebase]))))
  })

  it.effect("delivers uploads that were stored before the backend was configured", () => {
    const [filebase, other] = [scriptedBackend("filebase"), scriptedBackend("filebase", "another bucket")]
    return Effect.gen(function* () {
      const contents = Array.from({ length: 7 }, (_, index) => `old ${index}`)
      for (const content of contents) yield* storeText(content)
      const first = placedOn(["filebase", "embedded"], [filebase])
      yield* Effect.provide(
        Effect.andThen(
          delivering,
          advanceUntil(() => filebase.taken.size === 7),
        ),
        first,
      ).pipe(Effect.scoped)
      const deliveries = yield* IpfsDeliveries
      yield* deliveries.addMissing(other, "", 3)
      yield* deliveries.addMissing(other, "", 3)
      assert.strictEqual((yield* deliveries.outbox(other)).pending, 3, "a batch, and each once")
      yield* Effect.provide(
        Effect.andThen(
          delivering,
          advanceUntil(() => other.taken.size === 7),
        ),
        placedOn(COPIES, [other]),
      ).pipe(Effect.scoped)
      assert.deepStrictEqual([...other.taken.keys()].toSorted(), contents.map(textCid).toSorted())
      assert.lengthOf(filebase.asked, 7, "what it has is not delivered again")
    }).pipe(Effect.provide(withDatabase(placedOn(["embedded"], []))))
  })

  it.effect("still reports what waits for a backend that is no longer configured", () => {
    const logged: Array<string> = []
    return Effect.gen(function* () {
      yield* Effect.provide(storeText("a"), placedOn(COPIES, [scriptedBackend("filebase", "old")]))
      const now = scriptedBackend("filebase", "new")
      yield* Effect.gen(function* () {
        const { backends, outboxPending } = yield* (yield* IpfsPlacement).report
        assert.strictEqual(outboxPending, 0)
        const note = "had another place before, which never got 1 uploads"
        assert.deepInclude(backends[2], { name: "filebase", status: "unknown", note })
      }).pipe(Effect.provide(placedOn(COPIES, [now])))
      yield* delivering
      const warning = "IPFS backend filebase is not in the order any more and never got 1 uploads"
      yield* advanceUntil(() => logged.includes(warning))
      assert.include((yield* (yield* IpfsPlacement).health).detail, "never got 1 uploads")
    }).pipe(
      Effect.scoped,
      Effect.provide(withDatabase(placedOn(["embedded"], []))),
      Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])),
    )
  })

  it.effect("shows in metrics how much waits and since when", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      yield* storeText("a")
      yield* TestClock.adjust("90 seconds")
      yield* storeText("b")
      yield* measureOutbox((yield* IpfsPlacement).remotes[0]!)
      const shown = (yield* Metric.snapshot)
        .filter(({ attributes }) => attributes?.backend === "filebase")
        .map(({ id, state }) => [id, "value" in state ? state.value : undefined])
      assert.deepInclude(shown, ["ipfs_outbox_pending", 2])
      assert.deepInclude(shown, ["ipfs_outbox_oldest_seconds", 90])
    }).pipe(Effect.provide(withDatabase(placedOn(COPIES, [filebase]))))
  })
})
