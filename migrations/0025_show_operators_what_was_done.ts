import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Operators read the audit log by caller and by what was written to, and why they cordoned an endpoint. A key that replaces
 * another one keeps its family: the id of the first of them.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table audit_log add column reason text`
  yield* sql`create index if not exists audit_log_caller on audit_log (caller_id, at)`
  yield* sql`create index if not exists audit_log_subject on audit_log (subject, at) where subject is not null`
  yield* sql`alter table api_keys add column family text collate "C"`
})
