import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { assert, layer } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { ipfsDeliveries } from "../../src/placement/IpfsDeliveries.ts"

const content = (cid: string) => ({ cid, contentType: "image/png", sizeBytes: 1 })
const filebase = { name: "filebase", destination: "a bucket" } as const
const other = { name: "filebase", destination: "another bucket" } as const
const w3up = { name: "w3up", destination: "a space" } as const
const away = { reason: "away", isPermanent: false, scope: "backend" } as const

/** The outbox, which is empty at first. */
const emptied = Effect.gen(function* () {
  yield* (yield* SqlClient)`delete from ipfs_deliveries`
  return yield* ipfsDeliveries
})

layer(TestDatabase.layer)("The outbox of IPFS", (it) => {
  it.effect("gives each delivery to one of many concurrent claims, which take no more than they want", () =>
    Effect.gen(function* () {
      const deliveries = yield* emptied
      const all = Array.from({ length: 40 }, (_, index) => `cid-${index}`)
      for (const cid of all) yield* deliveries.add(content(cid), filebase, 0)
      const claims = yield* Effect.all(
        Array.from({ length: 8 }, () => deliveries.claim(filebase, 4)),
        { concurrency: 8 },
      )
      assert.isTrue(claims.every(({ length }) => length <= 4))
      claims.push(yield* deliveries.claim(filebase, 40))
      assert.deepStrictEqual(claims.flatMap((rows) => rows.map(({ cid }) => cid)).toSorted(), all.toSorted())
      assert.deepStrictEqual(yield* deliveries.claim(w3up, 5), [])
    }),
  )

  it.effect("gives the claims of a crashed process to another one, and released ones at once without an attempt", () =>
    Effect.gen(function* () {
      const deliveries = yield* emptied
      yield* deliveries.add(content("a"), filebase, 0)
      yield* deliveries.claim(filebase, 1)
      yield* deliveries.release("a", filebase)
      assert.deepInclude((yield* deliveries.claim(filebase, 1))[0], { cid: "a", attempts: 1 })
      assert.deepStrictEqual(yield* deliveries.claim(filebase, 5), [])
      yield* TestClock.adjust("2 minutes")
      const [again] = yield* deliveries.claim(filebase, 5)
      assert.deepInclude(again, { cid: "a", attempts: 2, sizeBytes: 1, contentType: "image/png" })
    }),
  )

  it.effect("retries with backoff, never before the requested time, and rarely when an operator is needed", () =>
    Effect.gen(function* () {
      const deliveries = yield* emptied
      const sql = yield* SqlClient
      /** Seconds until the next attempt after `attempts` failures with this fault. */
      const wait = (attempts: number, fault: { isPermanent: boolean; retryAfterMillis?: number }) =>
        Effect.gen(function* () {
          yield* sql`delete from ipfs_deliveries`
          yield* deliveries.add(content("a"), filebase, 0)
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

  it.effect("logs a failing CID after 5, 10, 20 ... attempts, with the total", () => {
    const logged: Array<string> = []
    return Effect.gen(function* () {
      const deliveries = yield* emptied
      yield* deliveries.add(content("bad"), filebase, 0)
      for (let attempt = 1; attempt <= 45; attempt++) {
        yield* TestClock.adjust("10 minutes")
        yield* deliveries.claim(filebase, 1)
        yield* deliveries.postpone("bad", filebase, { ...away, reason: `away ${attempt}` })
      }
      assert.deepStrictEqual(
        logged,
        [5, 10, 20, 40].map((n) => `bad was not delivered to filebase in ${n} attempts: away ${n}`),
      )
      yield* deliveries.add(content("new"), filebase, 0)
      assert.deepInclude(yield* deliveries.outbox(filebase), { pending: 2, failing: 1, lastError: "away 45" })
    }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])))
  })

  it.effect("keeps confirmed deliveries, whatever arrives late, each for its place", () =>
    Effect.gen(function* () {
      const deliveries = yield* emptied
      yield* deliveries.confirm(content("a"), filebase)
      yield* deliveries.add(content("a"), filebase, 0)
      yield* deliveries.postpone("a", filebase, { ...away, isPermanent: true })
      yield* deliveries.confirm(content("a"), filebase)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* deliveries.claim(filebase, 5), [])
      assert.isTrue(yield* deliveries.isDelivered("a", filebase))
      assert.isFalse(yield* deliveries.isDelivered("a", other))
      yield* deliveries.add(content("a"), other, 0)
      assert.strictEqual((yield* deliveries.outbox(filebase)).pending, 0)
      assert.deepStrictEqual(
        (yield* deliveries.strays(filebase)).map(({ destination, pending }) => [destination, pending]),
        [[other.destination, 1]],
      )
      assert.deepStrictEqual(yield* deliveries.strays(other), [])
    }),
  )
})
