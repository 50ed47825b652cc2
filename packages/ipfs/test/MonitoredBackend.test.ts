import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Latch, Logger, Option } from "effect"
import { TestClock } from "effect/testing"
import { buildDag } from "../src/content/Dag.ts"
import { type BackendReturn, monitored } from "../src/backends/MonitoredBackend.ts"
import { scriptedBackend } from "./ScriptedBackend.ts"

const INFO = { contentType: "image/png" }
const text = (content: string) => buildDag(new TextEncoder().encode(content))
const cidOf = (content: string) => text(content).root.toString()

/** A monitored backend, and its reports. */
const watched = Effect.gen(function* () {
  const filebase = scriptedBackend("filebase")
  const returns: Array<BackendReturn> = []
  const backend = yield* monitored(filebase, (edge) => Effect.sync(() => void returns.push(edge)))
  const put = (content: string) => Effect.exit(backend.put(text(content), INFO))
  const status = Effect.map(backend.state, (state) => state.status)
  /** Seconds until its breaker admits a call. */
  const rest = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    return Option.match(yield* backend.pause, { onNone: () => 0, onSome: (pause) => (pause.untilMillis - now) / 1000 })
  })
  return { filebase, returns, backend, put, status, rest }
})

describe("A monitored backend", () => {
  it.effect("stays up when it refuses an upload for its content, and no retry is advanced", () =>
    Effect.gen(function* () {
      const { filebase, put, rest, returns, status } = yield* watched
      yield* put("good")
      filebase.refuses.set(cidOf("bad"), { reason: "451", isPermanent: true, scope: "upload" })
      for (const content of ["bad", "other", "bad", "another"]) yield* put(content)
      assert.strictEqual(yield* status, "up")
      assert.strictEqual(yield* rest, 0)
      assert.lengthOf(returns, 1, "only the start")
      assert.strictEqual(filebase.probes, 0)
    }),
  )

  it.effect("stays up when one upload fails like an outage but the probe succeeds, and is down when it does not", () =>
    Effect.gen(function* () {
      const { filebase, put, rest, status } = yield* watched
      yield* put("good")
      filebase.refuses.set(cidOf("bad"), { reason: "500" })
      for (let round = 0; round < 8; round++) yield* put("bad")
      assert.strictEqual(yield* status, "up")
      assert.strictEqual(yield* rest, 0)
      assert.strictEqual(filebase.probes, 8)
      filebase.fault = { reason: "503" }
      yield* put("other")
      assert.strictEqual(yield* status, "down")
    }),
  )

  it.effect("is down after many failures in a row, whatever probes say, until an upload succeeds", () =>
    Effect.gen(function* () {
      const { backend, filebase, put, status } = yield* watched
      yield* put("good")
      const contents = ["1", "2", "3", "4", "5"]
      for (const content of contents) filebase.refuses.set(cidOf(content), { reason: "500" })
      for (const content of contents) yield* put(content)
      assert.strictEqual(yield* status, "down")
      yield* backend.probe
      assert.strictEqual(yield* status, "down")
      yield* put("good")
      assert.strictEqual(yield* status, "up")
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
        for (const content of ["a", "b", "c"]) filebase.holds.set(cidOf(content), latch)
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

  it.effect("is probed by one caller after the cool-down while the others skip it", () =>
    Effect.gen(function* () {
      const { backend, filebase, put, rest } = yield* watched
      filebase.fault = { reason: "503" }
      yield* put("a")
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* rest, 0)
      filebase.fault = undefined
      const latch = yield* Latch.make()
      filebase.holds.set(cidOf("b"), latch)
      const trial = yield* Effect.forkChild(put("b"))
      yield* Effect.yieldNow
      assert.strictEqual(Option.getOrThrow(yield* backend.pause).reason, "503")
      yield* latch.open
      yield* Fiber.join(trial)
      assert.isTrue(Option.isNone(yield* backend.pause))
    }),
  )

  it.effect("counts the puts in flight, and none whose caller left", () =>
    Effect.gen(function* () {
      const { backend, filebase, put } = yield* watched
      const latch = yield* Latch.make()
      for (const content of ["a", "b"]) filebase.holds.set(cidOf(content), latch)
      const [first, second] = [yield* Effect.forkChild(put("a")), yield* Effect.forkChild(put("b"))]
      yield* Effect.yieldNow
      assert.strictEqual(yield* backend.putsUnderWay, 2)
      yield* Fiber.interrupt(first)
      assert.strictEqual(yield* backend.putsUnderWay, 1)
      yield* latch.open
      yield* Fiber.join(second)
      assert.strictEqual(yield* backend.putsUnderWay, 0)
      assert.deepStrictEqual([...filebase.taken.keys()], [cidOf("b")])
    }),
  )

  it.effect("logs when it is down, the cause when that changes, and when it is back", () => {
    const logged: Array<string> = []
    return Effect.gen(function* () {
      const { filebase, put, returns } = yield* watched
      yield* put("a")
      yield* TestClock.adjust("1 second")
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
      assert.deepStrictEqual(returns, [
        { isStart: true, sinceMillis: 0 },
        { isStart: false, sinceMillis: 1_000 },
      ])
    }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])))
  })
})
