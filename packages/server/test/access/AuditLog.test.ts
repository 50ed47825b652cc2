import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { OPEN_ACCESS } from "../../src/access/AccessOptions.ts"
import { auditLog } from "../../src/access/AuditLog.ts"
import { sweepAuditLog } from "../../src/access/AuditLog.ts"

layer(TestDatabase.layer, { excludeTestServices: true })("What is deleted in time", (it) => {
  it.effect("are rows of the audit log after some days, in batches", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { begin, end, list, sweep } = auditLog(sql)
      const write = { callerKind: "key", callerId: "id", callerName: "n", method: "POST", route: "/x" } as const
      const ids: Array<bigint> = []
      for (const requestId of ["1", "2", "3", "4"]) ids.push(yield* begin({ ...write, requestId }))
      yield* end(ids[3]!, { status: 201, subject: "x".repeat(1_000), reason: undefined })
      yield* sql`update audit_log set at = now() - interval '31 days' where request_id <> '4'`
      assert.deepStrictEqual([yield* sweep(32, 2), yield* sweep(30, 2), yield* sweep(30, 2)], [0, 2, 1])
      const [row, ...more] = yield* list({}, { limit: 10 })
      assert.lengthOf(more, 0)
      assert.deepInclude(row, { requestId: "4", status: 201, subject: "x".repeat(200) })
    }),
  )

  it.effect("are what a time of closed writes has left, also once they are open", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`
        insert into audit_log (at, caller_kind, caller_id, caller_name, method, route, request_id)
        select now() - interval '1 day' * days, 'key', 'left', 'n', 'POST', '/x', 'r' from unnest(array[300, 400]) days`
      yield* Layer.build(sweepAuditLog(OPEN_ACCESS))
      yield* sql`select from audit_log where caller_id = 'left'`.pipe(
        Effect.filterOrFail((rows) => rows.length === 1),
        Effect.retry(Schedule.spaced("20 millis")),
      )
    }).pipe(Effect.scoped),
  )
})
