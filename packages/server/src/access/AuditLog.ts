import type { AuditFilter } from "@launch-registry/domain/access/AuditApi"
import { endInstant, startInstant } from "@launch-registry/domain/time/Timestamp"
import { regularly } from "@launch-registry/postgres/Regularly"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AccessOptions } from "./AccessOptions.ts"

const TEXT_LENGTH_MAX = 200
const SWEEP_MILLIS = 600_000
/** Rows per statement, to keep locks short. */
const SWEEP_BATCH = 1_000

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
  /** What is written to, if the path says it. */
  readonly subject?: string | undefined
}

/** Position in the log, newest first. */
export interface AuditPosition {
  readonly at: Date
  readonly id: bigint
}

export interface AuditRow extends Omit<AuditedWrite, "subject">, AuditPosition {
  /** What was written to: an id, an address, or the name of an endpoint. */
  readonly subject: string | null
  /** Why, where the operation asks for a reason. */
  readonly reason: string | null
  /** HTTP status; null if the process ended or the client left before the answer. */
  readonly status: number | null
}

/** How a write ended. */
export interface AuditedEnd {
  /** Undefined if the client left before the answer. */
  readonly status: number | undefined
  readonly subject: string | undefined
  readonly reason: string | undefined
}

/** What PostgreSQL can store of a text. */
const stored = (text: string | undefined): string | null =>
  text?.slice(0, TEXT_LENGTH_MAX).toWellFormed().replaceAll("\0", "\ufffd") ?? null

/** Owner of `audit_log`: no bodies, no secrets. */
export const auditLog = (sql: SqlClient) => {
  /** Before the work, so that nothing is done without a trace. */
  const begin = (write: AuditedWrite) =>
    Effect.map(
      sql<{ readonly id: bigint }>`
        insert into audit_log (at, caller_kind, caller_id, caller_name, method, route, request_id, subject)
        values (now(), ${write.callerKind}, ${write.callerId}, ${write.callerName}, ${write.method}, ${write.route},
          ${write.requestId}, ${stored(write.subject)})
        returning id`,
      ([row]) => row!.id,
    )

  const end = (id: bigint, { reason, status, subject }: AuditedEnd) => sql`
    update audit_log set status = ${status ?? null}, subject = ${stored(subject)}, reason = ${stored(reason)} where id = ${id}`

  const list = Effect.fnUntraced(function* (
    { caller, endDate, method, requestId, route, startDate, subject }: AuditFilter,
    { after, limit }: { readonly after?: AuditPosition | undefined; readonly limit: number },
  ) {
    const conditions = [sql`true`]
    if (caller !== undefined) {
      // A query of its own: with the ids themselves, the planner knows how much they wrote.
      const named = yield* sql<{ readonly id: string }>`select id from api_keys where name = ${caller}`
      conditions.push(sql`caller_id = any(${[caller, ...named.map(({ id }) => id)]}::text[])`)
    }
    if (method !== undefined) conditions.push(sql`method = ${method}`)
    if (route !== undefined) conditions.push(sql`route = ${route}`)
    if (subject !== undefined) conditions.push(sql`subject = ${subject}`)
    if (requestId !== undefined) conditions.push(sql`request_id = ${requestId}`)
    if (startDate !== undefined) conditions.push(sql`at >= ${startInstant(startDate)}`)
    if (endDate !== undefined) conditions.push(sql`at <= ${endInstant(endDate)}`)
    // Alone, the first of them can be looked up in the index.
    if (after !== undefined)
      conditions.push(sql`at <= ${after.at} and (at, id) < (${after.at}::timestamptz, ${after.id}::bigint)`)
    return yield* sql<AuditRow>`
      select id, at, caller_kind, caller_id, caller_name, method, route, subject, reason, request_id, status
      from audit_log where ${sql.and(conditions)} order by at desc, id desc limit ${limit}`
  })

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

  return { begin, end, list, sweep }
}

/** Deletes old rows for the lifetime of the process, also those of a time when writes were closed. Safe in any number of processes. */
export const sweepAuditLog = ({ auditDays }: Pick<AccessOptions, "auditDays">) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { sweep } = auditLog(yield* SqlClient)
      const all = Effect.repeat(sweep(auditDays, SWEEP_BATCH), { while: (removed) => removed === SWEEP_BATCH })
      yield* Effect.forkScoped(regularly("Sweeping the audit log", SWEEP_MILLIS, all))
    }),
  )
