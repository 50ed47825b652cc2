import { assert, describe, it } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { RecentSegments } from "../src/inbox/RecentSegments.ts"
import { changeStatements } from "../src/sink/EmittedChanges.ts"

const NOW = new Date("2026-11-24T09:00:00Z")
/** As many digits as an id of the stream has at most. */
const ID_MAX = 10n ** 15n - 1n

const changes = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { append, skip } = changeStatements(sql)
  const newest = Effect.map(
    sql<{ readonly id: bigint; readonly afterId: bigint | null }>`
      select id, after_id from index_changes order by id desc limit 1`,
    ([row]) => row!,
  )
  /** The newest row was written before this server was promoted, or its backup restored. */
  const onAnotherServer = sql`update index_changes set server_started_at = server_started_at - interval '1 day'`
  return {
    ...{ sql, onAnotherServer },
    append: Effect.andThen(append([], NOW), newest),
    skip: Effect.andThen(skip(NOW), newest),
  }
})

describe("Ids of changes", () => {
  it.effect("follow one another on a server, and are those of no other server before it", () =>
    Effect.gen(function* () {
      const { append, onAnotherServer } = yield* changes
      assert.deepStrictEqual(yield* append, { id: 1n, afterId: 0n })
      assert.deepStrictEqual(yield* append, { id: 2n, afterId: 1n })
      let last = 2n
      for (let failover = 0; failover < 3; failover++) {
        yield* onAnotherServer
        const first = yield* append
        assert.strictEqual(first.afterId, last)
        assert.isTrue(first.id > BigInt(Date.now() - 86_400_000) * 100n && first.id <= ID_MAX)
        // Whatever the other server had committed until now.
        assert.isTrue(first.id > last + 1n)
        const next = yield* append
        assert.deepStrictEqual(next, { id: first.id + 1n, afterId: first.id })
        last = next.id
      }
    }).pipe(Effect.provide(TestDatabase.layer)),
  )

  it.effect("stay unique although the clock of the server is behind that of the one before", () =>
    Effect.gen(function* () {
      const { append, onAnotherServer, sql } = yield* changes
      yield* append
      yield* sql`update index_changes set id = 400000000000000`
      yield* onAnotherServer
      assert.deepStrictEqual(yield* append, { id: 400_000_001_000_000n, afterId: 400_000_000_000_000n })
    }).pipe(Effect.provide(TestDatabase.layer)),
  )

  it.effect("that are skipped leave a gap, also on another server; rows of earlier versions are of this one", () =>
    Effect.gen(function* () {
      const { append, onAnotherServer, skip, sql } = yield* changes
      yield* append
      assert.deepStrictEqual(yield* skip, { id: 3n, afterId: null })
      assert.deepStrictEqual(yield* append, { id: 4n, afterId: 3n })
      yield* onAnotherServer
      const skipped = yield* skip
      assert.isNull(skipped.afterId)
      assert.isTrue(skipped.id > 5n)
      yield* sql`insert into index_changes (id, changes, committed_at) values (${skipped.id + 1n}, '[]', ${NOW})`
      assert.deepStrictEqual(yield* append, { id: skipped.id + 2n, afterId: skipped.id + 1n })
    }).pipe(Effect.provide(TestDatabase.layer)),
  )
})

describe("Segments that are held in memory", () => {
  it("are forgotten when another server takes appends: it may have others at their offsets", () => {
    const recent = new RecentSegments()
    recent.after(0n, 0)
    recent.add(1n, [], 7n, 0)
    recent.add(2n, [], 7n, 0)
    assert.deepStrictEqual([...recent.after(0n, 0).keys()], [1n, 2n])
    recent.add(2n, [], 8n, 0)
    assert.deepStrictEqual([[...recent.after(0n, 0).keys()], recent.server], [[2n], 8n])
  })
})
