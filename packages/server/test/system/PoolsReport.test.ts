import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestServer } from "../../../service/test/TestServer.ts"

const get = (path: string) =>
  Effect.flatMap(TestServer, ({ request }) => Effect.map(request(path), ({ body }) => body.data))
const report = get("/api/system/indexer")
const health = Effect.map(get("/"), (data) => data.indexer as { readonly status: string; readonly detail: string })

const say = Effect.fnUntraced(function* (name: string, said: object) {
  const sql = yield* SqlClient
  const { json } = yield* PgClient
  yield* sql`
    insert into indexer_reports (name, report, reported_at) values (${name}, ${json(said)}, now())
    on conflict (name) do update set report = excluded.report`
})

/** A leader that has proven the program up to the finalized slot. */
const proven = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`insert into leases (name, holder, token, expires_at) values ('indexer', 'replica-1', 1, '2100-01-01')`
  yield* sql`insert into cursors (id, log_offset, slot) values ('modules', 1, 2000)`
  yield* sql`
    insert into coverage (from_slot, to_slot, proven_by, proven_at, log_offset) values (100, 1000, 'backfill', now(), 1)`
  const always = { source: "poll", reconcileSeconds: 600, problem: null, otherCluster: null }
  yield* say("leader", { ...always, originSlot: "100", finalizedSlot: "1000" })
  return "proven complete up to slot 1000, indexed up to 2000"
})

layer(TestServer.layer())("The report of the indexer", (it) => {
  it.effect("says how many migrated pools are followed, and is degraded while a proof of one is long due", () =>
    Effect.gen(function* () {
      const detail = yield* proven
      const saysPools = (facts: object) => say("pools", { followed: 12, due: 3, failing: 1, dueSince: null, ...facts })
      yield* saysPools({ followed: 0, due: 0 })
      assert.deepStrictEqual(yield* health, { status: "up", detail })
      yield* saysPools({})
      assert.deepStrictEqual(yield* health, { status: "up", detail: `${detail}, 12 migrated pools followed` })
      assert.deepInclude((yield* report).pools, { followed: 12, due: 3, failing: 1, dueSince: null })
      yield* saysPools({ dueSince: "2020-11-21T09:31:00.000Z" })
      const late = yield* health
      assert.strictEqual(late.status, "degraded")
      assert.match(late.detail, /12 migrated pools followed, 3 of them due for up to \d+ s$/)
      // What another version, or a stray row, says is not believed.
      for (const dueSince of ["2026-13-39T29:31:00.000Z", "yesterday", null, { a: 1 }]) {
        yield* saysPools({ followed: "many", due: -1, dueSince })
        assert.deepStrictEqual(yield* health, { status: "up", detail }, JSON.stringify(dueSince))
      }
    }),
  )
})
