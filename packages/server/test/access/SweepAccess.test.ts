import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { OPEN_ACCESS } from "../../src/access/AccessOptions.ts"
import { auditLog } from "../../src/access/audit/AuditLog.ts"
import { sweepAccess } from "../../src/access/SweepAccess.ts"
import { signedNonces } from "../../src/access/wallets/SignedNonces.ts"

const request = { method: "DELETE", url: "/x" }
const signedBy = (address: string, expiresAt: Date) => ({
  ...{ address, nonce: "n", issuedAt: "", expirationTime: "", bodyHash: "", expiresAt },
})

layer(TestDatabase.layer, { excludeTestServices: true })("What is deleted in time", (it) => {
  it.effect("are nonces an hour after their expiration, in batches", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { sweep, use } = signedNonces(sql)
      const old = new Date(Date.now() - 3_700_000)
      for (const address of ["a", "b", "c"]) assert.isTrue(yield* use(signedBy(address, old), request, undefined))
      const expired = signedBy("d", new Date(Date.now() - 60_000))
      yield* use(expired, request, undefined)
      assert.deepStrictEqual([yield* sweep(2), yield* sweep(2), yield* sweep(2)], [2, 1, 0])
      assert.isFalse(yield* use(expired, request, undefined))
    }),
  )

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
      yield* signedNonces(sql).use(signedBy("e", new Date(Date.now() - 3_700_000)), request, undefined)
      yield* sql`
        insert into audit_log (at, caller_kind, caller_id, caller_name, method, route, request_id)
        select now() - interval '1 day' * days, 'key', 'left', 'n', 'POST', '/x', 'r' from unnest(array[300, 400]) days`
      yield* Layer.build(sweepAccess(OPEN_ACCESS))
      const left = sql<{ readonly nonces: bigint; readonly rows: bigint }>`
        select (select count(*) from signed_nonces where wallet = 'e') as nonces,
          (select count(*) from audit_log where caller_id = 'left') as rows`
      yield* left.pipe(
        Effect.filterOrFail(([row]) => row!.nonces === 0n && row!.rows === 1n),
        Effect.retry(Schedule.spaced("20 millis")),
      )
    }).pipe(Effect.scoped),
  )
})
