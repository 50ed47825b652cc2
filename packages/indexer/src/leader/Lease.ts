import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** The fencing token of a leader, checked with every write; the next leader has a higher one. */
export interface Fence {
  readonly name: string
  readonly token: bigint
}

/** Another process leads now, so this one must stop writing. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", { name: Schema.String }) {
  override get message(): string {
    return `The lease ${this.name} was lost to another process`
  }
}

/** The lease by which a command asks the leader to yield. */
export const commandLease = (name: string): string => `${name} command`

/**
 * A token that no other history of the database has given out, as when a standby was promoted that lacks the newest lease: the time, in
 * microseconds.
 */
const TOKEN = "(extract(epoch from clock_timestamp()) * 1000000)::bigint"

/** Longest pause between two statements of a leader's transaction. */
const SILENCE_MAX = "10s"

/** Whether a command wants to lead: it holds a lease of its own while it waits and works. */
const asked = (sql: SqlClient, name: string) =>
  sql`select 1 from leases where name = ${commandLease(name)} and expires_at > now()`

/**
 * SQL of `leases`. Time is the database's, so the clocks of replicas need not agree.
 *
 * While the leader writes, it holds a lock on the row. Candidates and renewals skip the locked row instead of waiting:
 * statements share connections, and whatever came after them would wait as well. No other process can take over
 * meanwhile.
 */
export const leaseStatements = (sql: SqlClient) => ({
  /** The fence of a new leader; `undefined` while another one leads. */
  acquire: (name: string, holder: string, ttlMillis: number) =>
    Effect.map(
      sql<{ readonly token: bigint }>`
        insert into leases as l (name, holder, token, expires_at)
        select ${name}::text, ${holder}::text, ${sql.literal(TOKEN)}, now() + make_interval(secs => ${ttlMillis / 1000}::float8)
        where not exists (select from leases where name = ${name})
          or exists (select from leases where name = ${name} and expires_at < now() for update skip locked)
        on conflict (name) do update set holder = excluded.holder, token = greatest(l.token + 1, excluded.token),
          expires_at = excluded.expires_at
        where l.expires_at < now()
        returning token`,
      ([row]): Fence | undefined => row && { name, token: row.token },
    ),

  /** Whether a command wants to lead now. Fails when the lease is lost. */
  renew: ({ name, token }: Fence, ttlMillis: number) =>
    Effect.flatMap(
      sql<{ readonly isAskedFor: boolean }>`
        with renewed as (
          update leases set expires_at = now() + make_interval(secs => ${ttlMillis / 1000}::float8)
          -- A renewal that was interrupted may run after the release.
          where name = (
            select name from leases where name = ${name} and token = ${token} and expires_at > '-infinity' for update skip locked
          )
        )
        select exists (${asked(sql, name)}) as is_asked_for from leases where name = ${name} and token = ${token}`,
      ([row]) => (row === undefined ? Effect.fail(new LeaseLost({ name })) : Effect.succeed(row.isAskedFor)),
    ),

  /**
   * Use as the last statement of a long transaction: renewals skip the row while it is locked, so the lease would have
   * expired when the transaction ends.
   */
  extend: ({ name, token }: Fence) => sql`
    update leases set expires_at = greatest(expires_at, clock_timestamp() + interval '5 seconds')
    where name = ${name} and token = ${token}`,

  isAskedFor: (name: string) => Effect.map(asked(sql, name), (rows) => rows.length > 0),

  release: ({ name, token }: Fence) =>
    sql`update leases set expires_at = '-infinity' where name = ${name} and token = ${token}`,

  /**
   * Use within a transaction: no other process leads until the transaction ends. Fails when the lease is lost. The
   * timeout ends the transaction of a leader whose host is down, which would otherwise block every other one for hours.
   */
  hold: ({ name, token }: Fence) =>
    Effect.flatMap(
      sql`
        select set_config('idle_in_transaction_session_timeout', ${SILENCE_MAX}, true) from leases
        where name = ${name} and token = ${token} for update`,
      (rows) => (rows.length === 0 ? Effect.fail(new LeaseLost({ name })) : Effect.void),
    ),
})

/** Opens transactions that hold the lease: no other process leads until they end. They fail when it is lost. */
export const transactionsUnder =
  (sql: SqlClient, fence: Fence) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.andThen(leaseStatements(sql).hold(fence), work).pipe(sql.withTransaction)
