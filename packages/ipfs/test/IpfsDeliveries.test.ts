import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer, Logger, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { type DeliveryFault, IpfsDeliveries } from "../src/placement/IpfsDeliveries.ts"

const content = (cid: string) => ({ cid, contentType: "image/png", sizeBytes: 1 })
const filebase = { name: "filebase", destination: "a bucket" } as const
const w3up = { name: "w3up", destination: "a space" } as const
const away = { reason: "away", isPermanent: false, scope: "backend" } as const
const START = { isStart: true, sinceMillis: 0 }
const names = (rows: ReadonlyArray<{ readonly cid: string }>) => rows.map(({ cid }) => cid).toSorted()
/** Each test has an empty database. */
const emptied = Effect.flatMap(SqlClient, (sql) => sql`delete from ipfs_deliveries`)

layer(Layer.provideMerge(IpfsDeliveries.layer, TestDatabase.layer))("The outbox of IPFS", (it) => {
  it.effect("gives each delivery to one of many concurrent claims", () =>
    Effect.gen(function* () {
      yield* emptied
      const deliveries = yield* IpfsDeliveries
      const all = Array.from({ length: 40 }, (_, index) => `cid-${index}`)
      for (const cid of all) yield* deliveries.add(content(cid), filebase, false)
      const claims = yield* Effect.all(
        Array.from({ length: 8 }, () => deliveries.claim(filebase, 5)),
        { concurrency: 8 },
      )
      assert.deepStrictEqual(names(claims.flat()), all.toSorted())
      assert.deepStrictEqual(yield* deliveries.claim(filebase, 5), [])
      assert.deepStrictEqual(yield* deliveries.claim(w3up, 5), [])
    }),
  )

  it.effect("claims no more than requested", () =>
    Effect.gen(function* () {
      yield* emptied
      const deliveries = yield* IpfsDeliveries
      const all = ["a", "b", "c"]
      for (const cid of all) yield* deliveries.add(content(cid), filebase, false)
      for (let claimed = 0; claimed < all.length; claimed++)
        assert.lengthOf(yield* deliveries.claim(filebase, 1), 1, `after ${claimed}`)
    }),
  )

  it.effect("gives the claims of a crashed process to another one", () =>
    Effect.gen(function* () {
      yield* emptied
      const deliveries = yield* IpfsDeliveries
      yield* deliveries.add(content("a"), filebase, true)
      assert.deepStrictEqual(yield* deliveries.claim(filebase, 5), [])
      yield* TestClock.adjust("2 minutes")
      const [again] = yield* deliveries.claim(filebase, 5)
      assert.deepInclude(again, { cid: "a", attempts: 2, sizeBytes: 1, contentType: "image/png" })
    }),
  )

  it.effect("retries with backoff, never before the requested time, and rarely when an operator is needed", () =>
    Effect.gen(function* () {
      yield* emptied
      const deliveries = yield* IpfsDeliveries
      const sql = yield* SqlClient
      /** Seconds until the next attempt after `attempts` failures with this fault. */
      const wait = (attempts: number, fault: { isPermanent: boolean; retryAfterMillis?: number }) =>
        Effect.gen(function* () {
          yield* sql`delete from ipfs_deliveries`
          yield* deliveries.add(content("a"), filebase, true)
          yield* sql`update ipfs_deliveries set attempts = ${attempts}`
          yield* deliveries.postpone("a", filebase, { ...away, ...fault })
          for (let seconds = 0; seconds <= 3600; seconds++) {
            if ((yield* deliveries.claim(filebase, 1)).length > 0) return seconds
            yield* TestClock.adjust("1 second")
          }
          return Number.POSITIVE_INFINITY
        })
      const passing = { isPermanent: false }
      assert.deepStrictEqual(yield* Effect.forEach([1, 2, 3, 5], (attempts) => wait(attempts, passing)), [2, 4, 8, 32])
      assert.strictEqual(yield* wait(60, passing), 600)
      assert.strictEqual(yield* wait(1, { isPermanent: false, retryAfterMillis: 45_000 }), 45)
      assert.strictEqual(yield* wait(1, { isPermanent: false, retryAfterMillis: 1e12 }), 600)
      assert.strictEqual(yield* wait(1, { isPermanent: true }), 300)
    }),
  )

  it.effect("retries outage failures at once when the outage is over, and all failures after a start", () =>
    Effect.gen(function* () {
      yield* emptied
      const deliveries = yield* IpfsDeliveries
      const fail = Effect.fnUntraced(function* (cid: string, fault: Partial<DeliveryFault> = {}) {
        yield* deliveries.add(content(cid), filebase, true)
        yield* deliveries.postpone(cid, filebase, { ...away, ...fault })
      })
      yield* fail("before")
      yield* TestClock.adjust("1 second")
      const sinceMillis = yield* Clock.currentTimeMillis
      yield* fail("of the outage")
      yield* fail("permanent", { isPermanent: true })
      yield* fail("refused", { scope: "upload" })
      yield* deliveries.add(content("in flight"), filebase, true)
      yield* deliveries.hasten(filebase, { isStart: false, sinceMillis })
      assert.deepStrictEqual(names(yield* deliveries.claim(filebase, 9)), ["of the outage"])
      yield* deliveries.hasten(filebase, START)
      const all = ["before", "of the outage", "permanent", "refused"]
      assert.deepStrictEqual(names(yield* deliveries.claim(filebase, 9)), all)
    }),
  )

  it.effect("releases what was not attempted, at once or after the pause, without counting an attempt", () =>
    Effect.gen(function* () {
      yield* emptied
      const deliveries = yield* IpfsDeliveries
      yield* deliveries.add(content("a"), filebase, true)
      yield* deliveries.release("a", filebase)
      assert.deepInclude((yield* deliveries.claim(filebase, 1))[0], { cid: "a", attempts: 1 })
      const now = yield* Clock.currentTimeMillis
      yield* deliveries.release("a", filebase, { reason: "it rests", untilMillis: now + 20_000 })
      assert.deepStrictEqual((yield* deliveries.outbox(filebase)).lastError, Option.some("it rests"))
      yield* TestClock.adjust("19 seconds")
      assert.deepStrictEqual(yield* deliveries.claim(filebase, 1), [])
      yield* TestClock.adjust("1 second")
      assert.deepInclude((yield* deliveries.claim(filebase, 1))[0], { cid: "a", attempts: 1 })
    }),
  )

  it.effect("logs a failing CID after 5, 10, 20 ... attempts, with the total", () => {
    const logged: Array<string> = []
    return Effect.gen(function* () {
      yield* emptied
      const deliveries = yield* IpfsDeliveries
      yield* deliveries.add(content("bad"), filebase, false)
      for (let attempt = 1; attempt <= 45; attempt++) {
        yield* TestClock.adjust("10 minutes")
        yield* deliveries.claim(filebase, 1)
        yield* deliveries.postpone("bad", filebase, { ...away, reason: `away ${attempt}` })
      }
      assert.deepStrictEqual(
        logged,
        [5, 10, 20, 40].map((n) => `bad was not delivered to filebase in ${n} attempts: away ${n}`),
      )
      yield* deliveries.add(content("new"), filebase, true)
      const outbox = yield* deliveries.outbox(filebase)
      assert.deepInclude(outbox, { pending: 2, failing: 1, lastError: Option.some("away 45") })
    }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])))
  })

  it.effect("does not mix places at the same backend, nor count places that are no longer configured", () =>
    Effect.gen(function* () {
      yield* emptied
      const deliveries = yield* IpfsDeliveries
      const other = { name: "filebase", destination: "another bucket" } as const
      yield* deliveries.confirm(content("a"), filebase)
      assert.isFalse(yield* deliveries.isDelivered("a", other))
      assert.isTrue(yield* deliveries.add(content("a"), other, false))
      assert.isFalse(yield* deliveries.add(content("a"), other, false))
      assert.deepStrictEqual(yield* deliveries.claim(filebase, 5), [])
      yield* deliveries.add(content("b"), w3up, false)
      const oldestAt = new Date(yield* Clock.currentTimeMillis)
      assert.deepStrictEqual(yield* deliveries.strays([filebase]), [
        { ...other, pending: 1, oldestAt },
        { ...w3up, pending: 1, oldestAt },
      ])
      assert.deepStrictEqual(yield* deliveries.strays([other, w3up]), [])
    }),
  )

  it.effect("keeps confirmed deliveries, whatever arrives late", () =>
    Effect.gen(function* () {
      yield* emptied
      const deliveries = yield* IpfsDeliveries
      yield* deliveries.confirm(content("a"), w3up)
      yield* deliveries.add(content("a"), w3up, false)
      yield* deliveries.postpone("a", w3up, { ...away, isPermanent: true })
      yield* deliveries.confirm(content("a"), w3up)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* deliveries.claim(w3up, 5), [])
      assert.isTrue(yield* deliveries.isDelivered("a", w3up))
      assert.isFalse(yield* deliveries.isDelivered("a", filebase))
      assert.strictEqual((yield* deliveries.outbox(w3up)).pending, 0)
    }),
  )
})
