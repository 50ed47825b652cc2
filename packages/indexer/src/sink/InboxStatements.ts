import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { LogEntry } from "../inbox/IngestLog.ts"
import { MODULE_HASH } from "../modules/ModuleHash.ts"

interface Standing {
  readonly cursor: bigint
  readonly logOffsets: ReadonlyArray<bigint>
  readonly positions: ReadonlyArray<number>
}

/** SQL of `inbox_dropped` and `dead_letters`: transactions that are in the log but not in the tables, and why. */
export const inboxStatements = (sql: SqlClient) => {
  const columns = (entries: ReadonlyArray<LogEntry>) => sql`
    ${entries.map(({ logOffset }) => logOffset)}::bigint[], ${entries.map(({ position }) => position)}::integer[],
    ${entries.map(({ slot }) => slot)}::bigint[], ${entries.map(({ signature }) => signature)}::text[]`

  return {
    /** The offset that the tables are derived up to (0: none), and which entries of these segments were dropped. */
    standing: (logOffsets: ReadonlyArray<bigint>) =>
      Effect.map(
        sql<Standing>`
          select coalesce((select log_offset from indexer_progress where module_hash = ${MODULE_HASH}), 0) as cursor,
            coalesce(array_agg(log_offset), '{}') as log_offsets, coalesce(array_agg(position), '{}') as positions
          from inbox_dropped where log_offset = any(${logOffsets}::bigint[])`,
        ([row]) => ({
          cursor: row!.cursor,
          dropped: row!.logOffsets.map((logOffset, index) => ({ logOffset, position: row!.positions[index]! })),
        }),
      ),

    /** They are skipped from now on, and a redelivery counts as new. */
    markDropped: (entries: ReadonlyArray<LogEntry>, reason: string, now: Date) => sql`
      with gone as (
        delete from inbox_transactions t using unnest(${columns(entries)}) as d(log_offset, position, slot, signature)
        where t.slot = d.slot and t.signature = d.signature and t.log_offset = d.log_offset
      )
      insert into inbox_dropped (log_offset, position, slot, signature, reason, dropped_at)
      select log_offset, position, slot, signature, ${reason}, ${now}
      from unnest(${columns(entries)}) as d(log_offset, position, slot, signature)
      on conflict do nothing`,

    insertDeadLetters: (letters: ReadonlyArray<LogEntry & { readonly reason: string }>, moduleHash: string) => sql`
      insert into dead_letters (log_offset, position, slot, signature, reason, module_hash)
      select log_offset, position, slot, signature, reason, ${moduleHash}
      from unnest(${columns(letters)}, ${letters.map(({ reason }) => reason)}::text[])
        as t(log_offset, position, slot, signature, reason)
      on conflict (log_offset, position) do update set reason = excluded.reason, module_hash = excluded.module_hash`,

    /** Places of dead letters of the live tables in these segments. */
    deadLettersIn: (logOffsets: ReadonlyArray<bigint>) => sql<Pick<LogEntry, "logOffset" | "position">>`
      select log_offset, position from public.dead_letters where log_offset = any(${logOffsets}::bigint[])`,

    deleteDeadLetters: (entries: ReadonlyArray<LogEntry>) => sql`
      delete from dead_letters l using unnest(${columns(entries)}) as d(log_offset, position, slot, signature)
      where l.log_offset = d.log_offset and l.position = d.position`,
  }
}
