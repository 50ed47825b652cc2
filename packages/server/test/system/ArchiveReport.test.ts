import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestServer } from "../../../service/test/TestServer.ts"

const get = (path: string) =>
  Effect.flatMap(TestServer, ({ request }) => Effect.map(request(path), ({ body }) => body.data))
const archive = Effect.map(get("/api/system/indexer"), (report) => report.archive as unknown)
const detail = Effect.map(get("/"), (data) => (data.indexer as { readonly detail: string }).detail)

const say = Effect.fnUntraced(function* (facts: object) {
  const sql = yield* SqlClient
  const { json } = yield* PgClient
  yield* sql`
    insert into indexer_reports (name, report, reported_at) values ('archive', ${json(facts)}, now())
    on conflict (name) do update set report = excluded.report`
})

layer(TestServer.layer())("The report of the indexer", (it) => {
  it.effect("says what is in the archive of the log, and since when and why no more is", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`insert into leases (name, holder, token, expires_at) values ('indexer', 'replica-1', 1, '2100-01-01')`
      assert.isUndefined(yield* archive)
      const nothing = { objects: 0, movedObjects: 0, segments: "0", bytes: "0", lastOffset: null }
      const well = { problem: null, failingSince: null }
      yield* say(well)
      assert.deepStrictEqual(yield* archive, { ...nothing, ...well })
      yield* sql`
        insert into inbox_archives (first_offset, last_offset, name, segments, transactions, bytes, sha256, archived_at, moved_at)
        values (1, 9, 'a', 6, 60, 9007199254740993, '', now(), now()), (10, 15, 'b', 6, 60, 7, '', now(), null)`
      const some = { objects: 2, movedObjects: 1, segments: "12", bytes: "9007199254741000", lastOffset: "15" }
      assert.deepStrictEqual(yield* archive, { ...some, ...well })
      const failing = { problem: "S3 refuses the key: AccessDenied", failingSince: new Date().toISOString() }
      yield* say(failing)
      assert.deepStrictEqual(yield* archive, { ...some, ...failing })
      assert.notInclude(yield* detail, "archived")
      yield* say({ ...failing, failingSince: "2020-11-21T09:31:00.000Z" })
      assert.match(yield* detail, /, the log has not been archived for \d+ s$/)
      yield* sql`delete from indexer_reports`
      assert.deepStrictEqual(yield* archive, { ...some, ...well })
    }),
  )
})
