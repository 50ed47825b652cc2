import type { SharedMoment } from "@launch-registry/postgres/SharedClock"
import { Array as Arr, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SlotRange } from "../sources/SlotRanges.ts"
import { bigintArray, integerArray } from "../sql/ArrayParameter.ts"
import type { PackedObject } from "./PackedObject.ts"

/** A row of `inbox_archives`. */
export interface ArchivedObject {
  readonly firstOffset: bigint
  readonly lastOffset: bigint
  readonly name: string
  readonly segments: number
  readonly bytes: bigint
  readonly sha256: Uint8Array
}

/** A segment that may be archived. */
export interface ClosedSegment {
  readonly logOffset: bigint
  readonly transactions: number
  readonly length: number
}

/** Bytes of segments that are read at once. */
const READ_BYTES = 4 * 1024 * 1024
/** Segments whose bytes are sent at once. */
const TAKEN_BACK_AT_ONCE = 500
/** Objects per page of a list. */
const PAGE = 500

const OBJECT = "first_offset, last_offset, name, segments, bytes, sha256"

/** SQL of `inbox_archives`, and of what `inbox_segments` says of it. */
export const archiveStatements = (sql: SqlClient) => ({
  /**
   * Segments of these slots up to an offset that are in no object yet, lowest first: as many as make so many bytes or so many
   * segments, or all of them. One with a dead letter waits until a later version decodes it.
   */
  closed: ({ fromSlot, toSlot }: SlotRange, settled: bigint, bytes: number, segments: number) => sql<ClosedSegment>`
    select log_offset, transactions, length from (
      select log_offset, cardinality(positions) as transactions, octet_length(bytes) as length,
        sum(octet_length(bytes)) over (order by log_offset rows unbounded preceding) - octet_length(bytes) as before
      from (
        select log_offset, positions, bytes from inbox_segments s
        where archive_offset is null and log_offset <= ${settled} and first_slot >= ${fromSlot} and last_slot <= ${toSlot}
          and bytes is not null and not exists (select from dead_letters d where d.log_offset = s.log_offset)
        order by log_offset limit ${segments}
      ) s
    ) s where before < ${bytes}::bigint order by log_offset`,

  /** The bytes of these segments, lowest first, as many as fit. */
  bytesOf: (logOffsets: ReadonlyArray<bigint>) => sql<{ readonly logOffset: bigint; readonly bytes: Uint8Array }>`
    select log_offset, bytes from (
      select log_offset, bytes, sum(octet_length(bytes)) over (order by log_offset) - octet_length(bytes) as before
      from inbox_segments where log_offset = any(${bigintArray(logOffsets)}::bigint[]) and bytes is not null
    ) s where before < ${READ_BYTES}::integer order by log_offset`,

  /** Records an object that was read back. Within a transaction; returns of how many segments. */
  record: ({ body, name, places, sha256 }: PackedObject, transactions: bigint, { now }: SharedMoment) =>
    Effect.gen(function* () {
      const first = places[0]!.logOffset
      yield* sql`
        insert into inbox_archives (first_offset, last_offset, name, segments, transactions, bytes, sha256, archived_at)
        values (${first}, ${places.at(-1)!.logOffset}, ${name}, ${places.length}, ${transactions}, ${BigInt(body.length)},
          ${sha256}, ${now})`
      const rows = yield* sql`
        update inbox_segments s
        set archive_offset = ${first}, archive_start = p.start, archive_bytes = p.length, archive_sha256 = p.sha256
        from unnest(
          ${bigintArray(places.map(({ logOffset }) => logOffset))}::bigint[],
          ${bigintArray(places.map(({ start }) => BigInt(start)))}::bigint[],
          ${integerArray(places.map(({ length }) => length))}::integer[],
          ${places.map(({ sha256 }) => sha256)}::bytea[]
        ) as p(log_offset, start, length, sha256)
        where s.log_offset = p.log_offset and s.archive_offset is null and octet_length(s.bytes) = p.length
        returning 1`
      return rows.length
    }),

  /** Objects that have been recorded for so long and whose segments are still here as well, the oldest first. */
  kept: (millis: number, { now }: SharedMoment, limit: number) => sql<ArchivedObject>`
    select ${sql.literal(OBJECT)} from inbox_archives
    where moved_at is null and archived_at <= ${now} - interval '1 millisecond' * ${millis}::float8
    order by archived_at, first_offset limit ${limit}`,

  /** Deletes the bytes of an object's segments from PostgreSQL. Within a transaction. */
  move: ({ firstOffset, lastOffset }: ArchivedObject, { now }: SharedMoment) =>
    Effect.andThen(
      sql`
        update inbox_segments set bytes = null
        where log_offset between ${firstOffset} and ${lastOffset} and archive_offset = ${firstOffset} and bytes is not null`,
      sql`update inbox_archives set moved_at = ${now} where first_offset = ${firstOffset}`,
    ),

  /** Stores the bytes of an object's segments here again. Within a transaction. */
  takeBack: ({ firstOffset, lastOffset }: ArchivedObject, object: Uint8Array) =>
    Effect.gen(function* () {
      const places = yield* sql<{ readonly logOffset: bigint; readonly start: bigint; readonly length: number }>`
        select log_offset, archive_start as start, archive_bytes as length from inbox_segments
        where log_offset between ${firstOffset} and ${lastOffset} and archive_offset = ${firstOffset} and bytes is null`
      for (const some of Arr.chunksOf(places, TAKEN_BACK_AT_ONCE))
        yield* sql`
          update inbox_segments s set bytes = p.bytes
          from unnest(
            ${bigintArray(some.map(({ logOffset }) => logOffset))}::bigint[],
            ${some.map(({ length, start }) => object.subarray(Number(start), Number(start) + length))}::bytea[]
          ) as p(log_offset, bytes)
          where s.log_offset = p.log_offset`
      yield* sql`update inbox_archives set moved_at = null where first_offset = ${firstOffset}`
    }),

  /** Forgets an object whose segments are still here, so that they are archived again. Within a transaction. */
  forget: ({ firstOffset, lastOffset }: Pick<ArchivedObject, "firstOffset" | "lastOffset">) =>
    Effect.andThen(
      sql`
        update inbox_segments
        set archive_offset = null, archive_start = null, archive_bytes = null, archive_sha256 = null
        where log_offset between ${firstOffset} and ${lastOffset} and archive_offset = ${firstOffset} and bytes is not null`,
      sql`delete from inbox_archives where first_offset = ${firstOffset} and moved_at is null`,
    ),

  /** Objects after one of them, in the order of the log. */
  objectsAfter: (firstOffset: bigint) => sql<ArchivedObject>`
    select ${sql.literal(OBJECT)} from inbox_archives where first_offset > ${firstOffset} order by first_offset limit ${PAGE}`,

  /** Whether any segment is in an archive. */
  isUsed: Effect.map(
    sql<{ readonly isUsed: boolean }>`select exists (select from inbox_archives) as is_used`,
    ([row]) => row!.isUsed,
  ),

  figures: Effect.map(
    sql<{
      readonly objects: bigint
      readonly segments: bigint
      readonly transactions: bigint
      readonly bytes: bigint
      readonly moved: bigint
      readonly lastOffset: bigint
    }>`
      select count(*) as objects, coalesce(sum(segments), 0)::bigint as segments,
        coalesce(sum(transactions), 0)::bigint as transactions, coalesce(sum(bytes), 0)::bigint as bytes,
        count(moved_at) as moved, coalesce(max(last_offset), 0) as last_offset
      from inbox_archives`,
    ([row]) => row!,
  ),
})
