import type { SqlClient } from "effect/sql/SqlClient"

/** Where the bytes of a segment are: here, in an object of the archive, or for a while in both. */
export interface StoredSegment {
  /** Null once they are in the archive alone. */
  readonly bytes: Uint8Array | null
  /** Name of the object; null while no archive has them. */
  readonly archiveObject: string | null
  /** Bytes of the object. */
  readonly archiveSize: bigint | null
  /** Place of the segment in the object, in bytes. */
  readonly archiveStart: bigint | null
  readonly archiveBytes: number | null
  readonly archiveSha256: Uint8Array | null
}

/** SQL of the segments `s`. */
export const storedSegment = (sql: SqlClient) => ({
  /** Columns of a {@link StoredSegment} but `bytes`. */
  place: sql.literal(
    "a.name as archive_object, a.bytes as archive_size, s.archive_start, s.archive_bytes, s.archive_sha256",
  ),
  /** The object that a segment is in. */
  join: sql.literal("left join inbox_archives a on a.first_offset = s.archive_offset"),
  /** Bytes of a segment, wherever they are. */
  length: sql.literal("coalesce(octet_length(s.bytes), s.archive_bytes)"),
})
