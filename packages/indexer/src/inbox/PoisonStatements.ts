import { createHash } from "node:crypto"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { LogEntry } from "./IngestLog.ts"
import { integerArray, textArray } from "../sql/ArrayParameter.ts"
import type { Unreadable } from "./ReadBody.ts"

/** Bytes of an element that are kept. */
const POISON_BYTES_MAX = 65_536
/** Elements of a group that are kept where they do not say which transaction they are of. All others are: they are fetched from the chain. */
const NAMELESS_MAX = 1_000

/** No slot, within an array. */
const NONE = -1

/** A transaction of which not all was received. */
export interface IncompleteTransaction {
  readonly signature: string
  /** Null where no body says. */
  readonly slot: bigint | null
  readonly reason: string
  /** How often the chain was asked. */
  readonly tries: number
}

/** Where the log has a transaction. */
export interface Logged extends LogEntry {
  readonly isDeadLetter: boolean
  readonly isFolded: boolean
}

/** SQL of `inbox_poison`: what was received and cannot be used. Where it says which transaction it is of, that is fetched from the chain. */
export const poisonStatements = (sql: SqlClient) => ({
  insert: (unreadable: ReadonlyArray<Unreadable>, source: string, now: Date) => {
    const nameless = unreadable.filter(({ signature }) => signature === undefined)
    const kept = [...nameless.slice(0, NAMELESS_MAX), ...unreadable.filter(({ signature }) => signature !== undefined)]
    const bytes = kept.map(({ text }) => Buffer.from(text).subarray(0, POISON_BYTES_MAX))
    return sql`
      insert into inbox_poison (digest, received_at, source, reason, bytes, signature, slot, tries, due_at)
      select digest, ${now}, ${source}, reason, bytes, nullif(signature, ''), nullif(slot, ${NONE}::integer),
        case when signature <> '' then 0 end, case when signature <> '' then ${now}::timestamptz end
      from unnest(${kept.map(({ text }) => createHash("sha256").update(text).digest())}::bytea[],
        ${textArray(kept.map(({ reason }) => reason))}::text[], ${bytes}::bytea[],
        ${textArray(kept.map(({ signature }) => signature ?? ""))}::text[],
        ${integerArray(kept.map(({ slot }) => slot ?? NONE))}::integer[]) as t(digest, reason, bytes, signature, slot)
      on conflict (digest) do nothing`
  },

  /** Those that the chain is to be asked for now, the longest due first. */
  due: (now: Date, limit: number) => sql<IncompleteTransaction>`
    select signature, max(slot) as slot, max(reason) as reason, max(tries) as tries from inbox_poison
    where due_at <= ${now} group by signature order by min(due_at) limit ${limit}::integer`,

  /** Where the log has it. */
  logged: (slot: bigint, signature: string) =>
    Effect.map(
      sql<Logged>`
        select t.log_offset, t.position, t.slot, t.signature, d.log_offset is not null as is_dead_letter,
          t.log_offset <= (select log_offset from indexer_progress) as is_folded
        from inbox_transactions t left join dead_letters d using (log_offset, position)
        where t.slot = ${slot} and t.signature = ${signature}`,
      ([row]) => row,
    ),

  /** Null: it is not asked for any more, and the delivery stays. */
  postpone: (signature: string, until: Date | null) => sql`
    update inbox_poison set tries = tries + 1, due_at = ${until}::timestamptz where signature = ${signature}`,

  /** The transactions are there. */
  remove: (signatures: ReadonlyArray<string>) => sql`
    delete from inbox_poison where signature = any(${textArray(signatures)}::text[])`,

  /** Dead letters of what was delivered, after one of them, in the order of the log. */
  deadLettersAfter: ({ logOffset, position }: Pick<Logged, "logOffset" | "position">, limit: number) => sql<LogEntry>`
    select d.log_offset, d.position, d.slot, d.signature from dead_letters d join inbox_segments s using (log_offset)
    where (d.log_offset, d.position) > (${logOffset}::bigint, ${position}::integer) and s.source in ('webhook', 'file')
    order by d.log_offset, d.position limit ${limit}::integer`,
})
