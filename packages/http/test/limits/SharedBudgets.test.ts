import * as Database from "@launch-registry/postgres/Database"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { TestDoor } from "@launch-registry/migrations/TestDoor"
import { assert, it as itAlone, layer } from "@effect/vitest"
import { ofProcess } from "@launch-registry/postgres/SharedClock"
import { Effect, Exit, Fiber, Layer, Logger, Scope } from "effect"
import { TestClock } from "effect/testing"
import { sharedBudgets } from "../../src/limits/SharedBudgets.ts"
import { databaseAside, untilRows } from "../DatabaseAside.ts"

const WINDOW = 60_000
/** Ends before ended windows are deleted. */
const SHORT = 10_000

type Budgets = Effect.Success<ReturnType<typeof sharedBudgets>>

/** How many of so many requests are allowed; `replica` says which one gets the request. */
const allowedOf = (
  replicas: ReadonlyArray<Budgets>,
  client: string,
  sent: number,
  replica: (request: number) => number,
) =>
  Effect.map(
    Effect.forEach(
      Array.from({ length: sent }, (_, request) => request),
      (request) => replicas[replica(request)]!.spend(client, 1),
    ),
    (spendings) => spendings.filter(({ isAllowed }) => isAllowed).length,
  )

layer(TestDatabase.layer)("The budget of a client", (it) => {
  it.effect("is one over two replicas: never exceeded, and all of it spent, however requests come", () =>
    Effect.gen(function* () {
      const requests = 100
      const replicas = yield* Effect.all([1, 2].map(() => sharedBudgets({ requests, windowMillis: WINDOW })))
      for (const [name, replica] of [
        ["in turn", (request: number) => request % 2],
        ["one after the other", (request: number) => (request < requests / 2 ? 0 : 1)],
        ["mostly to one", (request: number) => (request % 10 === 0 ? 1 : 0)],
        ["at random", (request: number) => (Math.imul(request, 2_654_435_761) >>> 16) % 2],
      ] as const) {
        const allowed = yield* allowedOf(replicas, name, 2 * requests, replica)
        assert.strictEqual(allowed, requests, name)
      }
    }),
  )

  it.effect("is never exceeded by requests of different weights", () =>
    Effect.gen(function* () {
      const replicas = yield* Effect.all([1, 2].map(() => sharedBudgets({ requests: 60, windowMillis: WINDOW })))
      for (let client = 0; client < 40; client++) {
        let spent = 0
        for (let request = 0; request < 40; request++) {
          const draw = Math.imul(client * 40 + request + 1, 2_654_435_761) >>> 8
          const weight = 1 + (draw % 20)
          const { isAllowed } = yield* replicas[(draw >>> 8) % 2]!.spend(`weights ${client}`, weight)
          if (isAllowed) spent += weight
        }
        assert.isAtMost(spent, 60, `client ${client}`)
      }
    }),
  )

  it.effect("is not exceeded by requests that come at once", () =>
    Effect.gen(function* () {
      const replicas = yield* Effect.all([1, 2].map(() => sharedBudgets({ requests: 200, windowMillis: WINDOW })))
      const spendings = yield* Effect.forEach(
        Array.from({ length: 600 }, (_, request) => request),
        (request) => replicas[request % 2]!.spend("at once", 1),
        { concurrency: "unbounded" },
      )
      const allowed = spendings.filter(({ isAllowed }) => isAllowed).length
      assert.strictEqual(allowed, 200)
    }),
  )

  it.effect("is whole again when its window has ended, on every replica", () =>
    Effect.gen(function* () {
      const replicas = yield* Effect.all([1, 2].map(() => sharedBudgets({ requests: 10, windowMillis: SHORT })))
      assert.strictEqual(yield* allowedOf(replicas, "again", 30, (request) => request % 2), 10)
      yield* TestClock.adjust(SHORT - 1_000)
      assert.strictEqual(yield* allowedOf(replicas, "again", 30, (request) => request % 2), 0)
      assert.strictEqual((yield* replicas[0]!.spend("again", 1)).endsInMillis, 1_000)
      yield* TestClock.adjust(1_000)
      assert.strictEqual(yield* allowedOf(replicas, "again", 30, (request) => request % 2), 10)
    }),
  )

  it.effect("pays for costly requests, and what is left of it for cheap ones", () =>
    Effect.gen(function* () {
      const { spend } = yield* sharedBudgets({ requests: 25, windowMillis: WINDOW })
      assert.isTrue((yield* spend("costly", 10)).isAllowed)
      assert.isTrue((yield* spend("costly", 10)).isAllowed)
      assert.deepInclude(yield* spend("costly", 10), { isAllowed: false, remaining: 5 })
      assert.strictEqual(yield* allowedOf([{ spend }], "costly", 10, () => 0), 5)
    }),
  )

  it.effect(
    "is asked for by one statement at a time, whatever number of clients waits, and not at all once it is spent",
    () =>
      Effect.gen(function* () {
        const { spend } = yield* sharedBudgets({ requests: 4, windowMillis: WINDOW })
        for (let request = 0; request < 4; request++) assert.isTrue((yield* spend("spent", 1)).isAllowed)
        assert.isFalse((yield* spend("spent", 1)).isAllowed)
        const { hold, waiting } = yield* databaseAside
        const letGo = yield* hold("rate_limit_windows")
        const many = yield* Effect.forkChild(
          Effect.forEach(
            Array.from({ length: 1_000 }, (_, client) => `client ${client}`),
            (client) => spend(client, 1),
            { concurrency: "unbounded" },
          ),
        )
        const statements = yield* untilRows(waiting("insert into rate_limit_windows"))
        assert.lengthOf(statements, 1)
        assert.isFalse((yield* spend("spent", 1)).isAllowed)
        yield* letGo
        for (const { isAllowed } of yield* Fiber.join(many)) assert.isTrue(isAllowed)
      }).pipe(Effect.scoped),
  )

  it.effect("is not renewed when a client is evicted", () =>
    Effect.gen(function* () {
      const { spend } = yield* sharedBudgets({ requests: 20, windowMillis: WINDOW }, 10)
      let allowed = 0
      for (let round = 0; round < 30; round++) {
        if ((yield* spend("forgotten", 1)).isAllowed) allowed++
        for (let other = 0; other < 10; other++) yield* spend(`other ${round} ${other}`, 1)
      }
      assert.strictEqual(allowed, 20)
    }),
  )

  it.effect("is given by the process alone when it closes, so that no request is left waiting", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { spend } = yield* Scope.provide(sharedBudgets({ requests: 4, windowMillis: WINDOW }), scope)
      const { hold, waiting } = yield* databaseAside
      const letGo = yield* hold("rate_limit_windows")
      const early = yield* Effect.forkChild(spend("closing", 1))
      yield* untilRows(waiting("insert into rate_limit_windows"))
      yield* Scope.close(scope, Exit.void)
      assert.isTrue((yield* Fiber.join(early)).isAllowed)
      assert.isTrue((yield* spend("closing", 1)).isAllowed)
      yield* letGo
    }).pipe(Effect.scoped),
  )
})

itAlone.effect("While the database is away, a process counts alone, and shares again when it is back", () =>
  Effect.gen(function* () {
    const door = yield* TestDoor.make
    const name = yield* TestDatabase.migrated
    const connect = Effect.map(
      Layer.build(Layer.provideMerge(Database.layer(door.addressOf(name)), ofProcess)),
      (context) => Effect.provideContext(sharedBudgets({ requests: 10, windowMillis: WINDOW }), context),
    )
    const replicas = [yield* Effect.flatten(connect), yield* Effect.flatten(connect)]
    const inTurn = (client: string) => allowedOf(replicas, client, 40, (request) => request % 2)
    assert.strictEqual(yield* inTurn("before"), 10)
    door.shut("")
    assert.strictEqual(yield* inTurn("before"), 0)
    assert.strictEqual(yield* inTurn("meanwhile"), 20)
    door.open()
    yield* TestClock.adjust(WINDOW)
    assert.strictEqual(yield* inTurn("meanwhile"), 10)
  }).pipe(Effect.provide(Logger.layer([]))),
)
