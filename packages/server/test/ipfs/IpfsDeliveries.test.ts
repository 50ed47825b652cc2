import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { IpfsDeliveries } from "../../src/ipfs/IpfsDeliveries.ts"

const content = (cid: string) => ({ cid, contentType: "image/png", sizeBytes: 1 })
const names = (rows: ReadonlyArray<{ readonly cid: string }>) => rows.map(({ cid }) => cid).toSorted()
/** Each test has a database with nothing in it. */
const emptied = Effect.flatMap(SqlClient, (sql) => sql`delete from ipfs_deliveries`)

layer(Layer.provideMerge(IpfsDeliveries.layer, TestDatabase.layer))("The outbox of IPFS", (it) => {
  it.effect("gives each delivery to one of many who ask at the same time", () =>
    Effect.gen(function* () {
      yield* emptied
      const deliveries = yield* IpfsDeliveries
      const all = Array.from({ length: 40 }, (_, index) => `cid-${index}`)
      for (const cid of all) yield* deliveries.add(content(cid), "filebase", false)
      const claims = yield* Effect.all(
        Array.from({ length: 8 }, () => deliveries.claim("filebase", 5)),
        { concurrency: 8 },
      )
      assert.deepStrictEqual(names(claims.flat()), all.toSorted())
      assert.deepStrictEqual(yield* deliveries.claim("filebase", 5), [])
      assert.deepStrictEqual(yield* deliveries.claim("w3up", 5), [])
    }),
  )

  it.effect("gives what was claimed by who died to another", () =>
    Effect.gen(function* () {
      yield* emptied
      const deliveries = yield* IpfsDeliveries
      yield* deliveries.add(content("a"), "filebase", true)
      assert.deepStrictEqual(yield* deliveries.claim("filebase", 5), [])
      yield* TestClock.adjust("2 minutes")
      const [again] = yield* deliveries.claim("filebase", 5)
      assert.deepInclude(again, { cid: "a", attempts: 2, sizeBytes: 1, contentType: "image/png" })
    }),
  )

  it.effect("tries again ever more rarely, never before it was asked to, and what needs somebody rarely", () =>
    Effect.gen(function* () {
      yield* emptied
      const deliveries = yield* IpfsDeliveries
      const sql = yield* SqlClient
      /** Seconds until the next attempt after `attempts` that failed with this fault. */
      const wait = (attempts: number, fault: { isPermanent: boolean; retryAfterMillis?: number }) =>
        Effect.gen(function* () {
          yield* sql`delete from ipfs_deliveries`
          yield* deliveries.add(content("a"), "filebase", true)
          yield* sql`update ipfs_deliveries set attempts = ${attempts}`
          yield* deliveries.postpone("a", "filebase", { reason: "away", ...fault })
          for (let seconds = 0; seconds <= 3600; seconds++) {
            if ((yield* deliveries.claim("filebase", 1)).length > 0) return seconds
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

  it.effect("hastens what failed when the backend is back, and what failed for good after a start only", () =>
    Effect.gen(function* () {
      yield* emptied
      const deliveries = yield* IpfsDeliveries
      for (const cid of ["passing", "permanent"]) {
        yield* deliveries.add(content(cid), "filebase", true)
        yield* deliveries.postpone(cid, "filebase", { reason: "away", isPermanent: cid === "permanent" })
      }
      yield* deliveries.add(content("under way"), "filebase", true)
      yield* deliveries.hasten("filebase", false)
      assert.deepStrictEqual(names(yield* deliveries.claim("filebase", 5)), ["passing"])
      yield* deliveries.hasten("filebase", true)
      assert.deepStrictEqual(names(yield* deliveries.claim("filebase", 5)), ["passing", "permanent"])
    }),
  )

  it.effect("keeps what was confirmed, whatever comes late", () =>
    Effect.gen(function* () {
      yield* emptied
      const deliveries = yield* IpfsDeliveries
      yield* deliveries.confirm(content("a"), "w3up")
      yield* deliveries.add(content("a"), "w3up", false)
      yield* deliveries.postpone("a", "w3up", { reason: "late", isPermanent: true })
      yield* deliveries.confirm(content("a"), "w3up")
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* deliveries.claim("w3up", 5), [])
      assert.isTrue(yield* deliveries.isDelivered("a", "w3up"))
      assert.isFalse(yield* deliveries.isDelivered("a", "filebase"))
      assert.strictEqual((yield* deliveries.outbox("w3up")).pending, 0)
    }),
  )
})
