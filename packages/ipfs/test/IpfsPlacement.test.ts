import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { buildDag } from "../src/content/Dag.ts"
import { deliverUploads } from "../src/placement/DeliverUploads.ts"
import { IpfsContent } from "../src/content/IpfsContent.ts"
import { IpfsDeliveries } from "../src/placement/IpfsDeliveries.ts"
import { type BackendName, IpfsPlacement } from "../src/placement/IpfsPlacement.ts"
import { advanceUntil } from "./AdvanceUntil.ts"
import { type ScriptedBackend, scriptedBackend } from "./ScriptedBackend.ts"

const placementOf = (order: ReadonlyArray<BackendName>, backends: ReadonlyArray<ScriptedBackend>) =>
  IpfsPlacement.layer({ order, backends }).pipe(
    Layer.provideMerge(IpfsDeliveries.layer),
    Layer.provideMerge(IpfsContent.layer),
    Layer.provideMerge(TestDatabase.layer),
  )

const INFO = { contentType: "image/png" }
const text = (content: string) => buildDag(new TextEncoder().encode(content))
const large = buildDag(Uint8Array.from({ length: 2_500_000 }, (_, index) => (index * 2_654_435_761) >>> 24))
const store = (dag: ReturnType<typeof buildDag>) => Effect.flatMap(IpfsPlacement, ({ store }) => store(dag, INFO))

/** Delivers everything that the backends accept. */
const deliver = Effect.gen(function* () {
  const { remotes } = yield* IpfsPlacement
  const deliverTo = yield* deliverUploads
  yield* Effect.forEach(remotes, deliverTo)
})
const pending = Effect.flatMap(IpfsPlacement, ({ report }) => Effect.map(report, ({ outboxPending }) => outboxPending))

describe("Placement of uploads", () => {
  it.effect("stores them here when embedded is the only backend", () =>
    Effect.gen(function* () {
      const placed = yield* store(text("a"))
      assert.deepStrictEqual(placed, {
        cid: "bafkreigks6arfsq3xxfpvqrrwonchxcnu6do76auprhhfomao6c273sixm",
        contentType: "image/png",
        sizeBytes: 1,
        backend: "embedded",
      })
      assert.isTrue(Option.isSome(yield* (yield* IpfsContent).find(placed.cid)))
      assert.strictEqual((yield* (yield* IpfsPlacement).health).status, "up")
    }).pipe(Effect.provide(placementOf(["embedded"], []))),
  )

  it.effect("waits for a backend before embedded, and sends it each content once", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      const first = yield* store(large)
      assert.strictEqual(first.backend, "filebase")
      assert.strictEqual((yield* store(large)).backend, "filebase")
      assert.deepStrictEqual(filebase.asked, [first.cid])
      assert.isTrue(Option.isSome(yield* (yield* IpfsContent).find(first.cid)), "kept here as well")
      assert.strictEqual(yield* pending, 0)
    }).pipe(Effect.provide(placementOf(["filebase", "embedded"], [filebase])))
  })

  it.effect("stores here what a backend does not take, says so, and delivers all of it once it is back", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      filebase.fault = { reason: "it is down", retryAfterMillis: 1_000 }
      assert.strictEqual((yield* store(large)).backend, "embedded")
      const { backends, outboxPending } = yield* (yield* IpfsPlacement).report
      assert.deepInclude(backends[0], { name: "filebase", status: "down", lastFailure: "it is down" })
      assert.strictEqual(outboxPending, 1)
      const health = yield* (yield* IpfsPlacement).health
      assert.strictEqual(health.status, "degraded")
      assert.include(health.detail, "1 uploads wait")
      assert.lengthOf(filebase.asked, 1, "asked to wait: not tried again at once")
      // While its breaker is open, the next upload does not wait for it.
      yield* store(text("b"))
      assert.lengthOf(filebase.asked, 1)
      yield* TestClock.adjust("1 minute")
      yield* deliver
      assert.lengthOf(filebase.asked, 2, "one at a time finds out whether it is back")
      filebase.fault = undefined
      for (let round = 0; round < 3; round++) {
        yield* TestClock.adjust("2 minutes")
        yield* deliver
      }
      assert.strictEqual(yield* pending, 0)
      const taken = filebase.taken.get(large.root.toString())!
      assert.deepStrictEqual(
        taken.blocks.map(({ cid }) => cid.toString()).toSorted(),
        large.blocks.map(({ cid }) => cid.toString()).toSorted(),
      )
      for (const { bytes, cid } of taken.blocks) {
        const sent = large.blocks.find((block) => block.cid.equals(cid))!
        assert.isTrue(Buffer.from(bytes).equals(sent.bytes))
      }
      assert.strictEqual(taken.sizeBytes, large.sizeBytes)
    }).pipe(Effect.provide(placementOf(["filebase", "embedded"], [filebase])))
  })

  it.effect("retries a transient failure while the caller waits", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      filebase.faultsLeft = 2
      const fiber = yield* Effect.forkChild(store(text("c")))
      // Time in the database does not count on this clock.
      yield* advanceUntil(() => filebase.asked.length > 0, 0)
      yield* advanceUntil(() => filebase.asked.length === 3)
      assert.strictEqual((yield* Fiber.join(fiber)).backend, "filebase")
    }).pipe(Effect.provide(placementOf(["filebase", "embedded"], [filebase])))
  })

  it.effect("stores nothing without embedded, and refuses what no backend takes", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      const sql = yield* SqlClient
      filebase.fault = { reason: "it refuses the key", isPermanent: true }
      const refused = yield* Effect.flip(store(large))
      const facts = {
        _tag: "Unavailable",
        service: "ipfs",
        reason: "it refuses the key",
        retryAfterSeconds: 300,
      } as const
      assert.deepInclude(refused, facts)
      assert.strictEqual((yield* (yield* IpfsPlacement).health).status, "down")
      filebase.fault = undefined
      const placed = yield* store(large)
      assert.strictEqual(placed.backend, "filebase")
      assert.lengthOf(yield* sql`select from ipfs_blocks union all select from ipfs_uploads`, 0)
      assert.strictEqual(yield* pending, 0)
      // There is no other copy, and a backend may have lost what it confirmed.
      assert.deepStrictEqual(yield* store(large), placed)
      assert.lengthOf(filebase.asked, 3)
      filebase.fault = { reason: "away", retryAfterMillis: 20_500 }
      assert.deepInclude(yield* Effect.flip(store(large)), { reason: "away", retryAfterSeconds: 21 })
      // It is not called before its Retry-After.
      assert.deepInclude(yield* Effect.flip(store(text("c"))), { reason: "away", retryAfterSeconds: 21 })
      assert.lengthOf(filebase.asked, 4)
      const at = (yield* (yield* IpfsPlacement).report).lastUploadAt
      assert.strictEqual(at, new Date(0).toISOString(), "known though nothing is kept here")
    }).pipe(Effect.provide(placementOf(["filebase"], [filebase])))
  })

  it.effect("falls back from the first backend to another, and delivers to the first one later", () => {
    const [filebase, w3up] = [scriptedBackend("filebase"), scriptedBackend("w3up")]
    return Effect.gen(function* () {
      filebase.fault = { reason: "away", retryAfterMillis: 1_000 }
      const placed = yield* store(text("d"))
      assert.strictEqual(placed.backend, "w3up")
      assert.strictEqual(yield* pending, 1)
      filebase.fault = undefined
      yield* TestClock.adjust("1 minute")
      yield* deliver
      assert.deepStrictEqual([...filebase.taken.keys()], [placed.cid])
      assert.lengthOf(w3up.asked, 1)
    }).pipe(Effect.provide(placementOf(["filebase", "w3up", "embedded"], [filebase, w3up])))
  })

  it.effect("copies to a backend after embedded without delaying the caller", () => {
    const filebase = scriptedBackend("filebase")
    return Effect.gen(function* () {
      assert.strictEqual((yield* store(text("e"))).backend, "embedded")
      assert.deepStrictEqual(filebase.asked, [])
      yield* deliver
      assert.lengthOf([...filebase.taken], 1)
      assert.strictEqual(yield* pending, 0)
    }).pipe(Effect.provide(placementOf(["embedded", "filebase"], [filebase])))
  })
})
