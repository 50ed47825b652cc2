import { notifying } from "@launch-registry/postgres/CommitNotices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { followIndex } from "../../src/tokens/FollowIndex.ts"
import { follow, take } from "./EventReader.ts"
import { commitChanges, sampleChange } from "./IndexChanges.ts"

/** The first commit after a promotion: far ahead, after the last one that the promoted server has. */
const commitOnPromoted = Effect.fnUntraced(function* (...changes: ReadonlyArray<object>) {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ readonly id: bigint }>`
    insert into index_changes (id, changes, committed_at, after_id)
    select max(id) + 1000000, ${JSON.stringify(changes)}::text, now(), max(id) from index_changes
    returning id, ${notifying(sql, "changes")}`
  return Number(row!.id)
})

const trade = () => sampleChange("trade", sampleAddress())

const startedOver = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ readonly changeId: bigint; readonly startedOverId: bigint | null }>`
    select change_id, started_over_id from server_progress where name = 'registry'`
  return row!
})

layer(TestServer.layer(), { excludeTestServices: true })("After the promotion of a standby", (it) => {
  it.effect("that has everything, streams go on, and readers resume without a hole", () =>
    Effect.gen(function* () {
      yield* commitChanges(trade(), trade())
      const before = yield* commitChanges(trade(), trade())
      const live = yield* follow()
      const first = yield* commitOnPromoted(trade(), trade())
      const second = yield* commitChanges(trade())
      const expected = [`${first}-0`, `${first}-1`, `${second}-0`]
      const ids = (events: ReadonlyArray<{ readonly id: string | undefined }>) => events.map(({ id }) => id)
      assert.deepStrictEqual(ids(yield* take(live, 3)), expected)
      // The feed starts over after its last reader, so that these are read from the database as well.
      assert.deepStrictEqual(ids(yield* take(yield* follow("", String(before)), 3)), expected)
      assert.deepStrictEqual(ids(yield* take(yield* follow("", `${before}-1`), 3)), expected)
      assert.deepStrictEqual(ids(yield* take(yield* follow("", `${before}-0`), 4)), [`${before}-1`, ...expected])
      assert.deepStrictEqual(ids(yield* take(yield* follow("", `${first}-0`), 2)), expected.slice(1))
    }),
  )

  it.effect(
    "that lacks the newest commits, readers of those get a reset, and nobody an event that is not after his",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const kept = yield* commitChanges(trade())
        const reader = yield* follow()
        const lost = yield* commitChanges(trade(), trade())
        yield* take(reader, 2)
        yield* sql`delete from index_changes where id = ${lost}`
        const first = yield* commitOnPromoted(trade())
        assert.strictEqual(yield* Effect.flip(reader.next), "ended")
        for (const id of [`${lost}-0`, `${lost}-1`, String(lost), String(lost + 2)]) {
          const stream = yield* follow("", id)
          const event = yield* stream.next
          assert.deepInclude(event, { event: "reset", data: { reason: "unknown_id" }, id: String(first) }, id)
        }
        const stream = yield* follow("", String(kept))
        assert.strictEqual((yield* stream.next).id, `${first}-0`)
      }),
  )

  it.effect("the registry goes on from its cursor, and starts over only after a gap", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const step = yield* followIndex
      const catchUp = Effect.repeat(step, { while: (more) => more })
      yield* commitChanges(trade())
      yield* catchUp
      const before = yield* startedOver
      const first = yield* commitOnPromoted(trade())
      yield* commitChanges(trade())
      yield* catchUp
      const after = yield* startedOver
      assert.deepStrictEqual(after, { changeId: BigInt(first + 1), startedOverId: before.startedOverId })
      yield* sql`insert into index_changes (id, changes, committed_at) values (${first + 3}, '[]', now())`
      yield* catchUp
      assert.strictEqual((yield* startedOver).startedOverId, BigInt(first + 3))
    }),
  )
})
