import { it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { leaseStatements } from "../../src/leader/Lease.ts"
import { testIndex } from "../TestIndex.ts"
const t0 = Date.now()
const say = (...a: Array<unknown>) => Effect.sync(() => process.stderr.write(`${Date.now() - t0} ${a.join(" ")}\n`))
it.live("x", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const lease = leaseStatements(sql)
    const fence = (yield* lease.acquire("n", "first", -1000))!
    const [isWriting, mayEnd] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()]
    const writing = yield* Effect.forkChild(Effect.gen(function* () {
      yield* lease.hold(fence)
      yield* say("held")
      yield* Deferred.succeed(isWriting, undefined)
      yield* Deferred.await(mayEnd)
      yield* say("ending")
    }).pipe(sql.withTransaction))
    yield* Deferred.await(isWriting)
    yield* say("renewing")
    yield* Effect.exit(lease.renew(fence, -1000)).pipe(Effect.tap((e) => say("renewed", JSON.stringify(e).slice(0, 300))))
    const taking = yield* Effect.forkChild(Effect.exit(lease.acquire("n", "second", 60000)).pipe(Effect.tap((e) => say("acquire", JSON.stringify(e, (_, v) => typeof v === "bigint" ? String(v) : v).slice(0, 600)))))
    yield* Effect.sleep(500)
    yield* say("asking")
    const r = yield* Effect.exit(sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    yield* say("asked", JSON.stringify(r).slice(0, 300))
    yield* Deferred.succeed(mayEnd, undefined)
    yield* Fiber.await(writing)
    yield* Fiber.await(taking)
  }).pipe(Effect.provide(testIndex)), 40000)
