import { assert, describe, it } from "@effect/vitest"
import { DBC_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import { Clock, Effect, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomAddress } from "../../fixtures/GeneratedWorld.ts"
import { SeededRandom } from "../../fixtures/SeededRandom.ts"
import { followWebhook } from "../../src/pools/FollowWebhook.ts"
import { testIndex } from "../TestIndex.ts"
import { fakeHelius } from "../helius/FakeHelius.ts"
import { checked, GET, LIST, PUT, started } from "../helius/StartedRegistration.ts"

const random = new SeededRandom(2)
const POOLS = Array.from({ length: 12 }, () => randomAddress(random).text)
const START = Date.parse("2026-11-21T10:00:00Z")

/** Everything happens at the time that a test sets; deadlines pass as ever. */
const atSetTime = Effect.gen(function* () {
  let now = START
  const clock = Object.assign(Object.create(yield* Clock.Clock) as Clock.Clock, {
    currentTimeMillis: Effect.sync(() => now),
    currentTimeMillisUnsafe: () => now,
  })
  return {
    adjust: (seconds: number) => Effect.sync(() => void (now += seconds * 1000)),
    at: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.provideService(work, Clock.Clock, clock),
  }
})

/** Pools whose migration was indexed at a time. */
const migrate = Effect.fnUntraced(function* (pools: ReadonlyArray<string>, millis: number) {
  const sql = yield* SqlClient
  const at = new Date(START + millis)
  yield* sql`
    insert into followed_pools (pool, venue, from_slot, active_slot, followed_at, due_at)
    select pool, 'damm_v2', 1, 1, ${at}, ${at} from unnest(${pools}::text[]) as pool`
})

const report = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ readonly state: string; readonly detail: string }>`
    select report ->> 'state' as state, report ->> 'detail' as detail from indexer_reports where name = 'webhook'`
  return row
})

describe("The webhook of a service whose pools migrate", () => {
  it.live("names a burst of migrations in one edit, soon, and costs nothing while there are none", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const { checkWith } = yield* started(helius)
      const { adjust, at } = yield* atSetTime
      const follow = yield* followWebhook(Option.some({ check: checkWith }))
      const calls = Effect.map(checked(helius, at(Effect.as(follow, {}))), (found) => found.calls)
      assert.lengthOf(yield* calls, 3)
      assert.deepStrictEqual(helius.webhooks[0]!.accountAddresses, [DBC_PROGRAM])
      assert.deepStrictEqual(yield* calls, [])

      // A pool of a program whose trades are not derived is not named.
      const sql = yield* SqlClient
      yield* sql`
        insert into followed_pools (pool, venue, from_slot, active_slot, followed_at, due_at)
        values ('unknown', null, 1, 1, now(), now())`
      yield* migrate(POOLS.slice(0, 4), 1_000)
      yield* migrate(POOLS.slice(4, 7), 2_000)
      yield* adjust(10)
      assert.deepStrictEqual(yield* calls, [])
      yield* adjust(20)
      assert.deepStrictEqual(yield* calls, [LIST, PUT, GET])
      assert.sameMembers([...helius.webhooks[0]!.accountAddresses], [DBC_PROGRAM, ...POOLS.slice(0, 7)])
      assert.deepStrictEqual(yield* calls, [])
      assert.deepStrictEqual(yield* report, { state: "repaired", detail: "set accountAddresses" })
      yield* adjust(3_600)
      assert.deepStrictEqual(yield* calls, [LIST])
      assert.deepInclude(yield* report, { state: "registered" })
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("names them later when Helius does not answer, without asking all the time", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const { checkWith } = yield* started(helius)
      const { adjust, at } = yield* atSetTime
      const follow = yield* followWebhook(Option.some({ check: checkWith }))
      const calls = Effect.map(checked(helius, at(Effect.as(follow, {}))), (found) => found.calls)
      yield* calls
      yield* migrate(POOLS, 1_000)
      yield* adjust(30)
      helius.failNext(1, "none")
      helius.failNext(1, 503)
      assert.deepStrictEqual(yield* calls, [LIST, PUT])
      assert.deepInclude(yield* report, { state: "unreachable" })
      yield* adjust(30)
      assert.deepStrictEqual(yield* calls, [])
      yield* adjust(30)
      assert.deepStrictEqual(yield* calls, [LIST, PUT, GET])
      assert.sameMembers([...helius.webhooks[0]!.accountAddresses], [DBC_PROGRAM, ...POOLS])

      // The next leader finds the webhook as it should be.
      const other = yield* started(helius)
      const next = yield* followWebhook(Option.some({ check: other.checkWith }))
      const found = yield* checked(helius, Effect.as(next, {}))
      assert.deepStrictEqual(found.calls, [LIST])
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("is left alone by a process that does not register it", () =>
    Effect.gen(function* () {
      yield* migrate(POOLS, 0)
      yield* yield* followWebhook(Option.none())
      assert.isUndefined(yield* report)
    }).pipe(Effect.provide(testIndex)),
  )
})
