import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Logger, Option } from "effect"
import { TestClock } from "effect/testing"
import { monitored } from "../../src/backends/MonitoredBackend.ts"
import { textCid, textDag } from "../placement/PlacedOn.ts"
import { scriptedBackend } from "./ScriptedBackend.ts"

/** A monitored backend, and what is asked of it. */
const watched = Effect.sync(() => {
  const filebase = scriptedBackend("filebase")
  const backend = monitored(filebase)
  const put = (content: string) => Effect.exit(backend.put(textDag(content), { contentType: "image/png" }))
  const status = Effect.map(backend.state, (state) => state.status)
  /** Seconds until uploads that can be stored elsewhere are sent to it. */
  const rest = Effect.map(backend.pause, (pause) => (Option.isSome(pause) ? pause.value.millis / 1000 : 0))
  return { filebase, backend, put, status, rest }
})

describe("A monitored backend", () => {
  it.effect("stays up when it refuses an upload for its content", () =>
    Effect.gen(function* () {
      const { filebase, put, rest, status } = yield* watched
      yield* put("good")
      filebase.refuses.set(textCid("bad"), { reason: "451", isPermanent: true, scope: "upload" })
      for (const content of ["bad", "other", "bad", "another"]) yield* put(content)
      assert.strictEqual(yield* status, "up")
      assert.strictEqual(yield* rest, 0)
    }),
  )

  it.effect("is down when a put is late, and while a probe fails for any reason", () =>
    Effect.gen(function* () {
      const { backend, filebase, put, status } = yield* watched
      filebase.holds.set(textCid("slow"), yield* Latch.make())
      const late = yield* Effect.forkChild(Effect.flip(backend.put(textDag("slow"), { contentType: "image/png" }, 500)))
      yield* TestClock.adjust("500 millis")
      assert.strictEqual((yield* Fiber.join(late)).reason, "filebase did not answer in time")
      assert.strictEqual(yield* status, "down")
      yield* put("good")
      assert.strictEqual(yield* status, "up")
      filebase.fault = { reason: "403", scope: "upload" }
      yield* Effect.flip(backend.probe)
      assert.strictEqual(yield* status, "down")
    }),
  )

  it.effect("cools down longer with each outage, not with each concurrent failure, up to a minute", () =>
    Effect.gen(function* () {
      const { filebase, put, rest } = yield* watched
      filebase.fault = { reason: "503" }
      for (const content of ["a", "b", "c", "d"]) yield* put(content)
      assert.strictEqual(yield* rest, 5)
      for (const seconds of [10, 20, 40, 60, 60]) {
        yield* TestClock.adjust(`${yield* rest} seconds`)
        // All of these began before the next cool-down.
        const latch = yield* Latch.make()
        for (const content of ["a", "b", "c"]) filebase.holds.set(textCid(content), latch)
        const fibers = yield* Effect.forEach(["a", "b", "c"], (content) => Effect.forkChild(put(content)))
        yield* Effect.yieldNow
        yield* latch.open
        yield* Effect.forEach(fibers, Fiber.join)
        assert.strictEqual(yield* rest, seconds)
      }
      filebase.fault = undefined
      yield* put("a")
      filebase.fault = { reason: "503" }
      yield* put("b")
      assert.strictEqual(yield* rest, 5, "another outage")
    }),
  )

  it.effect("pauses as long as it asked for, at most 10 minutes", () =>
    Effect.gen(function* () {
      const { backend, filebase, put, rest } = yield* watched
      filebase.fault = { reason: "429", retryAfterMillis: 90_000 }
      yield* put("a")
      assert.strictEqual(yield* rest, 90)
      assert.isTrue(Option.isSome(yield* backend.askedPause))
      yield* TestClock.adjust("90 seconds")
      assert.isTrue(Option.isNone(yield* backend.askedPause))
      filebase.fault = { reason: "429", retryAfterMillis: 9e9 }
      yield* put("a")
      assert.strictEqual(yield* rest, 600)
    }),
  )

  it.effect("is tried by one caller after the cool-down while the others skip it, also when that one leaves", () =>
    Effect.gen(function* () {
      const { backend, filebase, put, rest } = yield* watched
      filebase.fault = { reason: "503" }
      yield* put("a")
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* rest, 0)
      filebase.fault = undefined
      const latch = yield* Latch.make()
      filebase.holds.set(textCid("b"), latch)
      for (const end of [Fiber.interrupt, Fiber.join] as const) {
        const trial = yield* Effect.forkChild(put("b"))
        yield* Effect.yieldNow
        assert.strictEqual(Option.getOrThrow(yield* backend.pause).reason, "503")
        if (end === Fiber.join) yield* latch.open
        yield* end(trial)
        assert.isTrue(Option.isNone(yield* backend.pause))
      }
    }),
  )

  it.effect("logs when it is down, the cause when that changes, and when it is back", () => {
    const logged: Array<string> = []
    return Effect.gen(function* () {
      const { filebase, put } = yield* watched
      yield* put("a")
      for (const reason of ["key refused", "key refused", "no bucket", "no bucket"]) {
        filebase.fault = { reason, isPermanent: true }
        yield* put("a")
      }
      filebase.fault = undefined
      yield* put("a")
      assert.deepStrictEqual(logged, [
        "IPFS backend filebase is down: key refused",
        "IPFS backend filebase is down: no bucket",
        "IPFS backend filebase accepts uploads again",
      ])
    }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])))
  })
})
