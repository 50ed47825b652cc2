import { assert, describe, it } from "@effect/vitest"
import { Effect, Pool } from "effect"

interface Session {
  isDead: boolean
}

const CALLERS = 14
const OUTAGES = 6
/** Without `patches/`, callers of several of these wait forever. */
const SEEDS = Array.from({ length: 40 }, (_, at) => at + 1)

/** Numbers from 0 to 1, the same for a seed: the order of everything below depends on nothing else. */
const randomOf = (seed: number) => () => (seed = (seed * 1_664_525 + 1_013_904_223) >>> 0) / 2 ** 32

const turn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

const turns = (count: number) => Effect.repeat(turn, { times: count })

/** How many callers of a pool still wait for a session long after a server has come back from outages. */
const strandedBy = (seed: number) =>
  Effect.gen(function* () {
    const random = randomOf(seed)
    const pause = Effect.suspend(() => (random() < 0.4 ? Effect.void : random() < 0.5 ? Effect.yieldNow : turn))
    const open = new Set<Session>()
    let isDown = false
    const refusedWhenDown = Effect.suspend(() => (isDown ? Effect.fail("refused") : Effect.void))
    const session = Effect.acquireRelease(
      Effect.sync(() => {
        const opened = { isDead: false }
        open.add(opened)
        return opened
      }),
      (opened) => Effect.sync(() => open.delete(opened)),
    )
    // As the pool of @effect/sql-pg is made.
    const pool = yield* Pool.makeWithTTL({
      acquire: pause.pipe(
        Effect.andThen(refusedWhenDown),
        Effect.andThen(session),
        Effect.tap(pause),
        Effect.tap(refusedWhenDown),
      ),
      ...{ min: 0, max: 10, concurrency: 32, timeToLive: 60_000, timeToLiveStrategy: "usage" },
    })
    const statement = (on: Session) =>
      Effect.andThen(
        pause,
        Effect.suspend(() => (on.isDead ? Effect.fail("closed") : Effect.void)),
      )
    const transaction = Effect.gen(function* () {
      const on = yield* Pool.get(pool)
      yield* Pool.reserve(pool, on)
      yield* statement(on)
    }).pipe(Effect.scoped)
    let isOver = false
    let waiting = 0
    const caller = Effect.gen(function* () {
      while (!isOver) {
        waiting++
        yield* Effect.exit(random() < 0.6 ? Pool.use(pool, statement) : transaction)
        waiting--
        yield* pause
      }
    })
    yield* Effect.replicateEffect(Effect.forkScoped(caller), CALLERS)
    const aWhile = Effect.suspend(() => turns(Math.floor(random() * 30)))
    for (let outage = 0; outage < OUTAGES; outage++) {
      yield* aWhile
      isDown = true
      for (const one of [...open]) {
        one.isDead = true
        yield* Effect.forkScoped(Pool.invalidate(pool, one))
      }
      yield* aWhile
      isDown = false
    }
    isOver = true
    yield* turns(200)
    return waiting
  }).pipe(Effect.scoped)

describe("A pool of connections", () => {
  it.live("strands no caller when connections cannot be opened for a while", () =>
    Effect.gen(function* () {
      const stranded = yield* Effect.filter(SEEDS, (seed) => Effect.map(strandedBy(seed), (callers) => callers > 0))
      assert.deepStrictEqual(stranded, [])
    }),
  )
})
