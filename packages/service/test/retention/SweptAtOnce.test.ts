import { buildDag, type FileDag } from "@launch-registry/ipfs/content/Dag"
import { IpfsContent } from "@launch-registry/ipfs/content/IpfsContent"
import { sweepUploads } from "@launch-registry/ipfs/retention/SweepUploads"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomOf } from "../Random.ts"
import { assertStored, cidOf, isWhole, contentOverUpIndex } from "./SweptContent.ts"

const KEPT_DAYS = 30
const ROUNDS = 6
const UPLOADS = 16
const CHUNK_BYTES = 4

/** Random files, most blocks of which are shared. */
const files = (seed: number): ReadonlyArray<FileDag> => {
  const random = randomOf(seed)
  const text = () => Array.from({ length: 2 + random(8) }, () => `${random(9)}xyz`).join("")
  return Array.from({ length: UPLOADS }, () => buildDag(new TextEncoder().encode(text()), CHUNK_BYTES))
}

const store = (dag: FileDag) =>
  Effect.flatMap(IpfsContent, (content) => content.store(dag, { contentType: "image/png" }))

/** Everything that is stored was last used long ago. */
const age = Effect.flatMap(SqlClient, (sql) => sql`update ipfs_uploads set used_at = now() - interval '40 days'`)

const sweepNow = Effect.flatMap(sweepUploads, (sweep) => sweep(KEPT_DAYS))

it.live("An upload is whole once it is stored, whatever is deleted at that moment, by two sweeps", () =>
  Effect.gen(function* () {
    for (let round = 0; round < ROUNDS; round++) {
      yield* Effect.forEach(files(round), store)
      yield* age
      const others = files(round + 1_000)
      // Some of the same, some that share blocks with what is deleted.
      const again = files(round).map((dag, index) => (index % 2 === 0 ? dag : others[index]!))
      const uploads = Effect.forEach(again, store, { concurrency: 6 })
      const sweeping = Effect.repeat(sweepNow, { times: 2 })
      yield* Effect.all([uploads, sweeping, sweeping], { concurrency: 3 })
      yield* sweepNow
      for (const dag of again) assert.isTrue(yield* isWhole(dag), `round ${round}: ${cidOf(dag)}`)
      yield* assertStored(again)
    }
  }).pipe(Effect.provide(contentOverUpIndex)),
)

/** Statements on these tables that wait for a lock. */
const waiting = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ readonly pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%ipfs_%'`,
)

/** Until so many wait, or the work is done all the same. */
const untilWaiting = Effect.fnUntraced(function* (count: number, fiber: Fiber.Fiber<unknown, unknown>) {
  while ((yield* waiting).length < count && fiber.pollUnsafe() === undefined) yield* Effect.sleep(5)
})

/** The last statement of a sweep, which has deleted everything then, waits for whoever has this lock. */
const LOCK = 1
const holdAtTheEnd = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe(`
    create function wait_for_lock() returns trigger language plpgsql
    as 'begin perform pg_advisory_xact_lock(${LOCK}); return null; end'`)
  yield* sql`
    create trigger held after delete on ipfs_blocks for each statement execute function wait_for_lock()`
  return sql`select pg_advisory_xact_lock(${LOCK})`
})

/** Does this in a transaction that stays open; the returned effect ends it. */
const holding = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient
  const [isHeld, isOver] = [yield* Latch.make(), yield* Latch.make()]
  const held = Effect.andThen(work, Effect.andThen(isHeld.open, isOver.await)).pipe(sql.withTransaction)
  const fiber = yield* Effect.forkChild(held)
  yield* isHeld.await
  return Effect.andThen(isOver.open, Fiber.join(fiber))
})

const [OLD, NEW] = ["sharedOLD!", "sharedNEW!"].map((text) =>
  buildDag(new TextEncoder().encode(text), CHUNK_BYTES),
) as [FileDag, FileDag]

it.live("An upload that shares blocks with what a sweep deletes stores them again", () =>
  Effect.gen(function* () {
    yield* store(OLD)
    yield* age
    const release = yield* holding(yield* holdAtTheEnd)
    const sweeping = yield* Effect.forkChild(sweepNow)
    yield* untilWaiting(1, sweeping)
    const storing = yield* Effect.forkChild(store(NEW))
    yield* untilWaiting(2, storing)
    yield* release
    yield* Fiber.join(sweeping)
    yield* Fiber.join(storing)
    yield* assertStored([NEW])
  }).pipe(Effect.provide(contentOverUpIndex)),
)

it.live("A sweep keeps the blocks of an upload that found them while it began", () =>
  Effect.gen(function* () {
    yield* store(OLD)
    yield* age
    const release = yield* holding(store(NEW))
    const sweeping = yield* Effect.forkChild(sweepNow)
    yield* untilWaiting(1, sweeping)
    yield* release
    yield* Fiber.join(sweeping)
    yield* assertStored([NEW])
  }).pipe(Effect.provide(contentOverUpIndex)),
)

it.live("A sweep that is cut off has deleted nothing of its batch, and the next one does", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const old = files(7)
    yield* Effect.forEach(old, store)
    yield* age
    // What a sweep waits for before it deletes, and at its last statement.
    for (const held of [sql`select from ipfs_blocks for update`, yield* holdAtTheEnd]) {
      const release = yield* holding(held)
      const sweeping = yield* Effect.forkChild(Effect.exit(sweepNow))
      yield* untilWaiting(1, sweeping)
      for (const { pid } of yield* waiting) yield* sql`select pg_terminate_backend(${pid})`
      assert.strictEqual((yield* Fiber.join(sweeping))._tag, "Failure")
      yield* release
      yield* assertStored(old)
    }
    yield* sweepNow
    yield* assertStored([])
  }).pipe(Effect.provide(contentOverUpIndex)),
)
