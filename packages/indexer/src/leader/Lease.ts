import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** What a leader shows with every write: whoever comes after it has a higher token. */
export interface Fence {
  readonly name: string
  readonly token: bigint
}

/** Another process leads by now: this one must stop, or it would write what the other one has changed since. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", { name: Schema.String }) {
  override get message(): string {
    return `The lease ${this.name} is another's by now`
  }
}

/** The lease that asks whoever leads to make room. */
export const commandLease = (name: string): string => `${name} command`

/** Between two statements of a leader's transaction. */
const SILENCE_MAX = "10s"

/**
 * SQL of `leases`. Time is that of the database, so that the clocks of replicas need not agree.
 *
 * While the leader writes, it has the row locked. Neither those who want to lead nor its own renewals wait for that: statements
 * share connections, and whatever came after them would wait as well. Nobody takes over meanwhile, so what is written is
 * committed or not before anybody does.
 */
export const leaseStatements = (sql: SqlClient) => ({
  /** The fence of a new leader, or nothing while another one leads. */
  acquire: (name: string, holder: string, ttlMillis: number) =>
    Effect.map(
      sql<{ readonly token: bigint }>`
        insert into leases as l (name, holder, token, expires_at)
        select ${name}::text, ${holder}::text, 1, now() + make_interval(secs => ${ttlMillis / 1000}::float8)
        where not exists (select from leases where name = ${name})
          or exists (select from leases where name = ${name} and expires_at < now() for update skip locked)
        on conflict (name) do update set holder = excluded.holder, token = l.token + 1, expires_at = excluded.expires_at
        where l.expires_at < now()
        returning token`,
      ([row]): Fence | undefined => row && { name, token: row.token },
    ),

  renew: ({ name, token }: Fence, ttlMillis: number) =>
    Effect.flatMap(
      sql`
        with renewed as (
          update leases set expires_at = now() + make_interval(secs => ${ttlMillis / 1000}::float8)
          where name = (select name from leases where name = ${name} and token = ${token} for update skip locked)
        )
        select 1 from leases where name = ${name} and token = ${token}`,
      (rows) => (rows.length === 0 ? Effect.fail(new LeaseLost({ name })) : Effect.void),
    ),

  /** Whether somebody at the command line wants to lead: they have a lease of their own for the time that they wait and work. */
  isAskedFor: (name: string) =>
    Effect.map(
      sql`select 1 from leases where name = ${commandLease(name)} and expires_at > now()`,
      (rows) => rows.length > 0,
    ),

  release: ({ name, token }: Fence) =>
    sql`update leases set expires_at = '-infinity' where name = ${name} and token = ${token}`,

  /**
   * Within a transaction: nobody else leads until it ends, or it fails. A leader that falls silent in the middle of it, as when
   * its host is gone, would otherwise keep everybody from leading for hours.
   */
  hold: ({ name, token }: Fence) =>
    Effect.flatMap(
      sql`
        select set_config('idle_in_transaction_session_timeout', ${SILENCE_MAX}, true) from leases
        where name = ${name} and token = ${token} for update`,
      (rows) => (rows.length === 0 ? Effect.fail(new LeaseLost({ name })) : Effect.void),
    ),
})
