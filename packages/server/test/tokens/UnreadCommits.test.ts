import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql/SqlClient"
import { followIndex } from "../../src/tokens/FollowIndex.ts"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { commitChanges, commitText, sampleChange } from "../stream/IndexChanges.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { byMint, launch, launchConfig } from "./ChainLaunches.ts"

/** A process that follows the index: applies all available commits. */
const process = Effect.map(followIndex, (step) => Effect.repeat(step, { while: (more) => more }))

const progress = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ changeId: bigint; mustStartOver: boolean; unreadId: bigint | null }>`
    select change_id, must_start_over, unread_id from server_progress where name = 'registry'`
  return { ...row!, changeId: Number(row!.changeId), unreadId: row!.unreadId && Number(row!.unreadId) }
})

/** A launch that is in the tables, but in no readable change: its commit. */
const launchUnread = Effect.fnUntraced(function* (text: string) {
  const sql = yield* SqlClient
  const { baseMint } = yield* launch({ config: yield* launchConfig() })
  yield* sql`update index_changes set changes = ${text} where id = (select max(id) from index_changes)`
  const [row] = yield* sql<{ readonly id: bigint }>`select max(id) as id from index_changes`
  return { baseMint, id: Number(row!.id) }
})

const isRegistered = (mint: string) => Effect.map(byMint(mint), ({ status }) => status === 200)

const LATER = JSON.stringify([{ type: "later" }])

layer(TestServer.layer())("Commits of the index that this version cannot read", (it) => {
  it.effect("do not stop the follower: it reads the tables instead, and applies the other changes", () =>
    Effect.gen(function* () {
      const malformed = JSON.stringify([sampleChange("token", sampleAddress(), { mintAddress: null })])
      const unstorable = JSON.stringify([sampleChange("token", "a\u0000b")])
      for (const text of [LATER, malformed, unstorable, "[null]", "5", "{", ""]) {
        const follow = yield* process
        yield* TestClock.adjust("10 minutes")
        const { baseMint, id } = yield* launchUnread(text)
        const readable = yield* launch({ config: yield* launchConfig() })
        yield* follow
        assert.isTrue(yield* isRegistered(baseMint), text)
        assert.isTrue(yield* isRegistered(readable.baseMint), text)
        assert.deepStrictEqual(yield* progress, { changeId: id + 1, mustStartOver: false, unreadId: id })
      }
    }),
  )

  it.effect(
    "make the registry start over once in ten minutes, however many there are and whichever process follows",
    () =>
      Effect.gen(function* () {
        const follow = yield* process
        yield* TestClock.adjust("10 minutes")
        yield* commitText(LATER)
        yield* follow
        const { baseMint, id } = yield* launchUnread(LATER)
        yield* follow
        yield* yield* process
        // Skipped, with a rebuild pending.
        assert.deepStrictEqual(yield* progress, { changeId: id, mustStartOver: false, unreadId: id })
        assert.isFalse(yield* isRegistered(baseMint))
        yield* TestClock.adjust("9 minutes")
        const readable = yield* launch({ config: yield* launchConfig() })
        yield* follow
        assert.isTrue(yield* isRegistered(readable.baseMint))
        assert.isFalse(yield* isRegistered(baseMint))
        yield* TestClock.adjust("1 minute")
        yield* follow
        assert.isTrue(yield* isRegistered(baseMint))
        assert.deepStrictEqual(yield* progress, { changeId: id + 1, mustStartOver: false, unreadId: id })
      }),
  )

  it.effect("make the version that can read them start over too, and no other process", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const old = yield* process
      yield* TestClock.adjust("10 minutes")
      const id = yield* commitText(LATER)
      yield* old
      // This launch is in the tables only.
      const { baseMint } = yield* launch({ config: yield* launchConfig() })
      yield* sql`update index_changes set changes = '[]' where id = ${id + 1}`
      yield* old
      yield* yield* process
      assert.deepStrictEqual(yield* progress, { changeId: id + 1, mustStartOver: false, unreadId: id })
      assert.isFalse(yield* isRegistered(baseMint))
      // As read by a version that knows the type.
      yield* sql`update index_changes set changes = ${JSON.stringify([sampleChange("pool", baseMint)])} where id = ${id}`
      const later = yield* process
      yield* TestClock.adjust("10 minutes")
      yield* later
      assert.isTrue(yield* isRegistered(baseMint))
      assert.deepStrictEqual(yield* progress, { changeId: id + 1, mustStartOver: false, unreadId: null })
      yield* later
      yield* commitChanges(sampleChange("pool", baseMint))
      yield* old
      assert.deepStrictEqual(yield* progress, { changeId: id + 2, mustStartOver: false, unreadId: null })
    }),
  )
})
