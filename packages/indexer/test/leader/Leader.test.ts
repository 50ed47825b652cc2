import { assert, describe, it } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Fiber, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { whileLeading } from "../../src/leader/Leader.ts"
import { type Fence, leaseStatements } from "../../src/leader/Lease.ts"
import { until } from "./Until.ts"

const NAME = "indexer"
const SHORT_MILLIS = 150
const LONG_MILLIS = 60_000

const database = TestDatabase.layer.pipe(Layer.provideMerge(Logger.layer([])))

/** A contender, with the terms in which it led. */
class Contender {
  readonly terms: Array<Fence> = []
  isLeading = false
  readonly #holder: string
  readonly #ttlMillis: number

  constructor(holder: string, ttlMillis: number) {
    this.#holder = holder
    this.#ttlMillis = ttlMillis
  }

  /** `work` runs until the term ends. */
  run(work: Effect.Effect<unknown, unknown> = Effect.never) {
    const term = (fence: Fence) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          this.terms.push(fence)
          this.isLeading = true
        }),
        () => work,
        () => Effect.sync(() => void (this.isLeading = false)),
      )
    return Effect.forkScoped(whileLeading({ name: NAME, holder: this.#holder, ttlMillis: this.#ttlMillis }, term))
  }

  get leads() {
    return until(Effect.sync(() => this.isLeading))
  }
}

/** Resolves once this contender has failed to acquire the lease so often. */
const attempts = (count: number) =>
  Effect.forEach(Array.from({ length: count }), () => Effect.sleep(SHORT_MILLIS / 3), { discard: true })

describe("The leader", () => {
  it.live("is one of two processes; when it steps down, the other one leads", () =>
    Effect.gen(function* () {
      const [first, second] = [new Contender("first", LONG_MILLIS), new Contender("second", SHORT_MILLIS)]
      const running = yield* first.run()
      yield* first.leads
      yield* second.run()
      yield* attempts(4)
      assert.isTrue(first.isLeading)
      assert.lengthOf(second.terms, 0)
      // The first lease would last a minute.
      yield* Fiber.interrupt(running)
      assert.isFalse(first.isLeading)
      yield* second.leads
      assert.isTrue(second.terms[0]!.token > first.terms[0]!.token)
    }).pipe(Effect.scoped, Effect.provide(database)),
  )

  it.live("is replaced when it stops renewing", () =>
    Effect.gen(function* () {
      const lease = leaseStatements(yield* SqlClient)
      // Crashed right after acquiring the lease.
      const dead = (yield* lease.acquire(NAME, "dead", SHORT_MILLIS))!
      const next = new Contender("next", SHORT_MILLIS)
      yield* next.run()
      yield* next.leads
      assert.isTrue(next.terms[0]!.token > dead.token)
      assert.strictEqual((yield* Effect.flip(lease.renew(dead, LONG_MILLIS)))._tag, "LeaseLost")
    }).pipe(Effect.scoped, Effect.provide(database)),
  )

  it.live("stops when another process has taken over, and leads again after that one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const contender = new Contender("first", SHORT_MILLIS)
      yield* contender.run()
      yield* contender.leads
      yield* sql`
        update leases set holder = 'other', token = token + 1, expires_at = now() + interval '1 hour' where name = ${NAME}`
      yield* until(Effect.sync(() => !contender.isLeading))
      // Several when this process was too busy to renew in time.
      const terms = contender.terms.length
      yield* attempts(3)
      assert.lengthOf(contender.terms, terms)
      yield* sql`update leases set expires_at = '-infinity' where name = ${NAME}`
      yield* contender.leads
      assert.isTrue(contender.terms[terms]!.token > contender.terms[terms - 1]!.token + 1n)
    }).pipe(Effect.scoped, Effect.provide(database)),
  )

  it.live("stops when it cannot renew the lease, and tries again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const contender = new Contender("first", SHORT_MILLIS)
      yield* contender.run()
      yield* contender.leads
      yield* sql`alter table leases rename to leases_that_cannot_be_read`
      yield* until(Effect.sync(() => !contender.isLeading))
      yield* sql`alter table leases_that_cannot_be_read rename to leases`
      yield* contender.leads
      assert.isTrue(contender.terms.at(-1)!.token > contender.terms[0]!.token)
    }).pipe(Effect.scoped, Effect.provide(database)),
  )

  it.live("starts over when its work fails or ends", () =>
    Effect.gen(function* () {
      const contender = new Contender("first", SHORT_MILLIS)
      const ends = [Effect.fail("failed"), Effect.die(new Error("died")), Effect.void]
      yield* contender.run(Effect.suspend(() => ends[contender.terms.length - 1] ?? Effect.never))
      yield* until(Effect.sync(() => contender.terms.length >= 4))
      const tokens = contender.terms.slice(0, 4).map(({ token }) => token)
      assert.isTrue(
        tokens.every((token, index) => index === 0 || token > tokens[index - 1]!),
        tokens.join(),
      )
    }).pipe(Effect.scoped, Effect.provide(database)),
  )
})
