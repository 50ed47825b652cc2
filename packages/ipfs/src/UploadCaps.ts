import { LimitReached } from "@launch-registry/domain/http/LimitErrors"
import { StorageFull, type UploadRefused } from "@launch-registry/domain/ipfs/IpfsErrors"
import { RequestClient } from "@launch-registry/http/limits/RequestClient"
import { utcDay, WriteCapsOfServer } from "@launch-registry/http/limits/WriteCaps"
import { regularly } from "@launch-registry/postgres/Regularly"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** How often the bytes are counted again, because content may have been deleted, and past days are deleted. */
const UPKEEP_MILLIS = 3_600_000

/** What a client has uploaded today. */
interface UploadDay {
  readonly uploads: number
  readonly bytes: bigint
  readonly secondsLeft: number
}

/**
 * Caps on uploads: owner of `ipfs_upload_days` and `ipfs_stored_bytes`. An upload is counted in the transaction that
 * stores it, so that neither replicas nor kill -9 let through more. Without caps, nothing is counted.
 */
export const uploadCaps = Effect.gen(function* () {
  const sql = yield* SqlClient
  const moment = yield* sharedClock
  const { storedBytes, uploadBytesPerDay, uploadsPerDay } = yield* WriteCapsOfServer
  const isDaily = uploadsPerDay !== undefined || uploadBytesPerDay !== undefined
  const uploadsMax = uploadsPerDay ?? Number.MAX_SAFE_INTEGER
  const bytesMax = uploadBytesPerDay ?? Number.MAX_SAFE_INTEGER

  const dayOf = Effect.fnUntraced(function* (client: string) {
    const { day, secondsLeft } = utcDay(sql, yield* moment)
    const [row] = yield* sql<UploadDay>`
      select coalesce(max(uploads), 0) as uploads, coalesce(max(bytes), 0) as bytes, ${secondsLeft} as seconds_left
      from ipfs_upload_days where client = ${client} and day = ${day}`
    return row!
  })

  /** Why a client cannot add an upload of so many bytes to its day. */
  const refusal = ({ secondsLeft: retryAfterSeconds, uploads }: UploadDay) =>
    uploads >= uploadsMax
      ? new LimitReached({ resource: "uploads_today", limit: uploadsMax, retryAfterSeconds })
      : new LimitReached({ resource: "upload_bytes_today", limit: bytesMax, retryAfterSeconds })

  const addToDay = Effect.fnUntraced(function* (client: string, bytes: number) {
    const { day } = utcDay(sql, yield* moment)
    const counted = yield* sql`
      insert into ipfs_upload_days as d (client, day, uploads, bytes)
      select ${client}, ${day}, 1, ${bytes}::bigint where ${bytes}::bigint <= ${bytesMax}::bigint
      on conflict (client, day) do update set uploads = d.uploads + 1, bytes = d.bytes + excluded.bytes
      where d.uploads < ${uploadsMax}::bigint and d.bytes + excluded.bytes <= ${bytesMax}::bigint
      returning uploads`
    if (counted.length === 0) return yield* refusal(yield* dayOf(client))
  })

  const addToStore = Effect.fnUntraced(function* (bytes: number, limitBytes: number) {
    const counted = yield* sql`
      update ipfs_stored_bytes set bytes = bytes + ${bytes}::bigint
      where bytes + ${bytes}::bigint <= ${limitBytes}::bigint returning bytes`
    if (counted.length === 0) return yield* new StorageFull({ limitBytes })
  })

  /** Counts an upload. The last statements of its transaction, because they lock what others count as well. */
  const count = Effect.fn("UploadCaps.count")(function* (addedBytes: number) {
    if (isDaily) yield* addToDay((yield* RequestClient) ?? "", addedBytes)
    if (storedBytes !== undefined && addedBytes > 0) yield* addToStore(addedBytes, storedBytes)
  })

  /** Refuses an upload that could not be stored, before it is decoded. */
  const admit: Effect.Effect<void, UploadRefused> = Effect.gen(function* () {
    if (isDaily) {
      const today = yield* dayOf((yield* RequestClient) ?? "")
      if (today.uploads >= uploadsMax || today.bytes >= bytesMax) return yield* refusal(today)
    }
    if (storedBytes !== undefined) {
      const full = yield* sql`select from ipfs_stored_bytes where bytes >= ${storedBytes}::bigint`
      if (full.length > 0) return yield* new StorageFull({ limitBytes: storedBytes })
    }
  }).pipe(Effect.catchTag("SqlError", Effect.die))

  /** An upload in flight has added its bytes to the row or waits for it, and is then not in the sum. */
  const recount = Effect.andThen(
    sql`select from ipfs_stored_bytes for update`,
    sql`update ipfs_stored_bytes set bytes = (select coalesce(sum(octet_length(bytes)), 0) from ipfs_blocks)`,
  ).pipe(sql.withTransaction)

  const forgetDays = Effect.flatMap(
    moment,
    (at) => sql`delete from ipfs_upload_days where day < ${utcDay(sql, at).day} - 1`,
  )

  if (storedBytes !== undefined) {
    yield* Effect.orDie(recount)
    yield* Effect.forkScoped(regularly("Counting stored bytes", UPKEEP_MILLIS, recount))
  }
  if (isDaily) yield* Effect.forkScoped(regularly("Forgetting upload days", UPKEEP_MILLIS, forgetDays))
  return { admit, count, isOn: isDaily || storedBytes !== undefined }
})
