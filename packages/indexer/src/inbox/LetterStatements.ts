import type { LetterPage, LetterPosition, PoisonPosition } from "@launch-registry/domain/system/DeadLetters"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { LogEntry } from "../sink/InboxStatements.ts"

interface LetterRow extends LogEntry {
  readonly reason: string
}

interface PoisonRow {
  /** SHA-256 in hex. */
  readonly digest: string
  readonly receivedAt: Date
  readonly source: string
  readonly reason: string
  readonly excerpt: Uint8Array
  readonly bytes: number
}

const EXCERPT_BYTES = 1_000

/** SQL that reads `dead_letters` and `inbox_poison` for operators, newest first. */
export const letterStatements = (sql: SqlClient) => ({
  letters: ({ after, limit }: LetterPage<LetterPosition>) => sql<LetterRow>`
    select log_offset, position, slot, signature, reason from dead_letters
    where ${after === undefined ? sql`true` : sql`(log_offset, position) < (${after.logOffset}::bigint, ${after.position}::integer)`}
    order by log_offset desc, position desc limit ${limit}`,

  /** With the bytes of its segment; null where retention deleted it. */
  letter: ({ logOffset, position }: LetterPosition) =>
    Effect.map(
      sql<LetterRow & { readonly bytes: Uint8Array | null }>`
        select d.log_offset, d.position, d.slot, d.signature, d.reason, s.bytes
        from dead_letters d left join inbox_segments s using (log_offset)
        where d.log_offset = ${logOffset} and d.position = ${position}`,
      ([row]) => row,
    ),

  poison: ({ after, limit }: LetterPage<PoisonPosition>) => sql<PoisonRow>`
    select encode(digest, 'hex') as digest, received_at, source, reason,
      substring(bytes from 1 for ${EXCERPT_BYTES}::integer) as excerpt, octet_length(bytes) as bytes
    from inbox_poison
    where ${
      after === undefined
        ? sql`true`
        : sql`(received_at, digest) < (${after.receivedAt}::timestamptz, decode(${after.digest}::text, 'hex'))`
    }
    order by received_at desc, inbox_poison.digest desc limit ${limit}`,
})
