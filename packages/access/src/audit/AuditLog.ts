import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

const SUBJECT_LENGTH_MAX = 200

/** A write, and who asked for it. */
export interface AuditedWrite {
  readonly callerKind: "key" | "wallet"
  /** Id of the key, or address of the wallet. */
  readonly callerId: string
  /** Name of the key; empty for a wallet. */
  readonly callerName: string
  readonly method: string
  /** The path as declared, such as `/api/tokens/:id`. */
  readonly route: string
  readonly requestId: string
}

export interface AuditRow extends AuditedWrite {
  readonly id: bigint
  readonly at: Date
  /** What was written to: an id or an address. */
  readonly subject: string | null
  /** HTTP status; null if the process ended or the client left before the answer. */
  readonly status: number | null
}

/** Owner of `audit_log`: no bodies, no secrets. */
export const auditLog = (sql: SqlClient) => {
  /** Before the work, so that nothing is done without a trace. */
  const begin = (write: AuditedWrite) =>
    Effect.map(
      sql<{ readonly id: bigint }>`
        insert into audit_log (at, caller_kind, caller_id, caller_name, method, route, request_id)
        values (now(), ${write.callerKind}, ${write.callerId}, ${write.callerName}, ${write.method}, ${write.route},
          ${write.requestId})
        returning id`,
      ([row]) => row!.id,
    )

  const end = (id: bigint, status: number, subject: string | undefined) => sql`
    update audit_log set status = ${status}, subject = ${subject?.slice(0, SUBJECT_LENGTH_MAX) ?? null} where id = ${id}`

  const newest = (limit: number) => sql<AuditRow>`
    select id, at, caller_kind, caller_id, caller_name, method, route, subject, request_id, status
    from audit_log order by id desc limit ${limit}`

  /** Deletes up to `limit` rows older than `days`; returns their number. */
  const sweep = (days: number, limit: number) =>
    Effect.map(
      sql`
        delete from audit_log where id in (
          select id from audit_log where at < now() - interval '1 day' * ${days}::int
          order by at limit ${limit} for update skip locked)
        returning id`,
      (rows) => rows.length,
    )

  return { begin, end, newest, sweep }
}
