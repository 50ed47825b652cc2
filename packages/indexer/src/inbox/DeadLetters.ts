import { NotFound } from "@launch-registry/domain/http/NotFound"
import {
  DeadLetters,
  type LetterPage,
  type LetterPosition,
  type PoisonPosition,
} from "@launch-registry/domain/system/DeadLetters"
import { Effect, Layer, Semaphore } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { LogEntry } from "./IngestLog.ts"
import { textOf } from "./ReadBody.ts"
import { segmentElements } from "./Segment.ts"

/** Characters of a body that are answered. */
const BODY_LENGTH_MAX = 100_000
/** A segment is decompressed whole for one of its transactions. */
const SEGMENTS_AT_ONCE = 1

/** Beyond what PostgreSQL's types hold nothing is stored. */
const [OFFSET_MAX, POSITION_MAX] = [2n ** 63n - 1n, 2 ** 31 - 1]

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
const letterStatements = (sql: SqlClient) => ({
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

/** What the indexer received and could not use, for the server of every process. */
export const DeadLettersLayer = Layer.effect(
  DeadLetters,
  Effect.gen(function* () {
    const statements = letterStatements(yield* SqlClient)
    const decoding = yield* Semaphore.make(SEGMENTS_AT_ONCE)

    const letters = Effect.fn("DeadLetters.letters")(function* (page: LetterPage<LetterPosition>) {
      const rows = yield* Effect.orDie(statements.letters(page))
      return rows.map(({ logOffset, position, reason, signature, slot }) => ({
        item: { id: `${logOffset}-${position}`, slot: String(slot), signature, reason },
        position: { logOffset, position },
      }))
    })

    /** Null where the segment was deleted. */
    const bodyAt = (bytes: Uint8Array | null, position: number) =>
      bytes === null
        ? Effect.succeed(null)
        : Effect.map(segmentElements(bytes), (elements) => textOf(elements[position]?.value ?? null))

    const letter = Effect.fn("DeadLetters.letter")(function* (id: string) {
      const [offset, place] = id.split("-") as [string, string]
      const at = { logOffset: BigInt(offset), position: Number(place) }
      if (at.logOffset > OFFSET_MAX || at.position > POSITION_MAX)
        return yield* new NotFound({ resource: "dead_letter", id })
      return yield* decoding.withPermits(SEGMENTS_AT_ONCE)(
        Effect.gen(function* () {
          const row = yield* Effect.orDie(statements.letter(at))
          if (row === undefined) return yield* new NotFound({ resource: "dead_letter", id })
          const { bytes, reason, signature, slot } = row
          const body = yield* bodyAt(bytes, at.position)
          return {
            ...{ id: `${at.logOffset}-${at.position}`, slot: String(slot), signature, reason },
            body: body === null ? null : body.slice(0, BODY_LENGTH_MAX).toWellFormed(),
            length: body?.length ?? 0,
          }
        }),
      )
    })

    const poison = Effect.fn("DeadLetters.poison")(function* (page: LetterPage<PoisonPosition>) {
      const rows = yield* Effect.orDie(statements.poison(page))
      return rows.map(({ bytes, digest, excerpt, reason, receivedAt, source }) => ({
        item: {
          ...{ digest, receivedAt: receivedAt.toISOString(), source, reason, bytes },
          excerpt: Buffer.from(excerpt).toString("utf8"),
        },
        position: { receivedAt, digest },
      }))
    })

    return DeadLetters.of({ letters, letter, poison })
  }),
)
