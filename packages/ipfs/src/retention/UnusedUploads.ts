import { UploadReferences } from "@launch-registry/domain/ipfs/UploadReferences"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { namesOf, sameBytes } from "../content/CidNames.ts"

/** Uploads of a batch: at most so many, and so many bytes, to keep locks and transactions short. */
const BATCH = 20
const BATCH_BYTES = 64 * 1024 * 1024

/** Where a pass over old uploads is: it goes from the newest of them to the oldest, as documents are newer than their pictures. */
export interface SweepPosition {
  readonly usedAt: Date
  readonly cid: string
}

/** What a batch did; no position at the end of a pass. */
export interface SweptBatch {
  readonly position: SweepPosition | undefined
  readonly uploads: number
  readonly bytes: number
}

interface Candidate extends SweepPosition {
  readonly links: ReadonlyArray<string>
}

interface Linked {
  readonly cid: string
  /** Whether one that is not old links to it. */
  readonly byKept: boolean
}

const END: SweptBatch = { position: undefined, uploads: 0, bytes: 0 }

/** Finds and deletes stored uploads that nothing has used for a time: writes `ipfs_uploads` and `ipfs_blocks`. */
export const unusedUploads = Effect.gen(function* () {
  const sql = yield* SqlClient
  const references = yield* UploadReferences
  const moment = yield* sharedClock

  /** Locks the next old uploads. An upload that is stored again at this moment is skipped. */
  const lockOld = Effect.fnUntraced(function* (days: number, after: SweepPosition | undefined) {
    const { now } = yield* moment
    const old = sql`${now} - interval '1 day' * ${days}::integer`
    const next = after === undefined ? sql`` : sql`and (used_at, cid) < (${after.usedAt}, ${after.cid})`
    return yield* sql<Candidate>`
      select cid, links, used_at from ipfs_uploads
      where used_at < ${old} and cid = any(array(
        select cid from (
          select cid, sum(size_bytes) over (order by used_at desc, cid desc) - size_bytes as bytes_before
          from (
            select cid, size_bytes, used_at from ipfs_uploads where used_at < ${old} ${next}
            order by used_at desc, cid desc limit ${BATCH}
          ) oldest
        ) sized where bytes_before < ${BATCH_BYTES}
      ))
      order by used_at desc, cid desc for update skip locked`
  })

  const namedByOthers = Effect.fnUntraced(function* (cids: ReadonlyArray<string>, days: number) {
    const cidsByName = new Map(cids.flatMap((cid) => namesOf(cid).map((name) => [name, cid] as const)))
    const names = yield* references.named([...cidsByName.keys()], days)
    const waiting = yield* sql<{ readonly cid: string }>`
      select distinct cid from ipfs_deliveries where cid = any(${cids}::text[]) and delivered_at is null`
    return new Set([...[...names].flatMap((name) => cidsByName.get(name) ?? []), ...waiting.map(({ cid }) => cid)])
  })

  /** Those that other uploads link to. */
  const linkedByUploads = Effect.fnUntraced(function* (cids: ReadonlyArray<string>, days: number) {
    const { now } = yield* moment
    const cidsBySame = new Map(cids.flatMap((cid) => sameBytes(cid).map((same) => [same, cid] as const)))
    const sought = [...cidsBySame.keys()]
    const rows = yield* sql<Linked>`
      select link as cid, bool_or(used_at >= ${now} - interval '1 day' * ${days}::integer) as by_kept
      from ipfs_uploads, unnest(links) as link
      where links && ${sought}::text[] and link = any(${sought}::text[]) group by link`
    const linked = (isKept: boolean) =>
      rows.flatMap(({ byKept, cid }) => (byKept === isKept ? (cidsBySame.get(cid) ?? []) : []))
    return { byKept: linked(true), byOld: linked(false) }
  })

  const markUsed = Effect.fnUntraced(function* (cids: ReadonlyArray<string>) {
    const { now } = yield* moment
    if (cids.length > 0) yield* sql`update ipfs_uploads set used_at = ${now} where cid = any(${cids}::text[])`
  })

  /** Deletes locked uploads, and the blocks that no other upload has; returns their bytes. */
  const remove = Effect.fnUntraced(function* (uploads: ReadonlyArray<Candidate>) {
    const cids = uploads.map(({ cid }) => cid)
    const blocks = [...new Set([...cids, ...uploads.flatMap(({ links }) => links)])]
    // Waits for uploads that share blocks with these: the next statement sees them.
    yield* sql`select from ipfs_blocks where cid = any(${blocks}::text[]) order by cid for update`
    yield* sql`delete from ipfs_uploads where cid = any(${cids}::text[])`
    const rows = yield* sql<{ readonly bytes: number }>`
      delete from ipfs_blocks b where cid = any(${blocks}::text[])
        and not exists (select from ipfs_uploads u where u.cid = b.cid)
        and not exists (select from ipfs_uploads u where u.links @> array[b.cid])
      returning octet_length(bytes) as bytes`
    return rows.reduce((sum, row) => sum + row.bytes, 0)
  })

  /**
   * Looks at the next uploads that were not used for `days`. What is named by a token, a launch or a kept upload, or is still to
   * be delivered, counts as used now; what only other old uploads name is left to the next pass; everything else is deleted.
   */
  const sweep = Effect.fn("UnusedUploads.sweep")(function* (days: number, after: SweepPosition | undefined) {
    return yield* Effect.gen(function* () {
      const old = yield* lockOld(days, after)
      if (old.length === 0) return END
      const named = yield* namedByOthers(
        old.map(({ cid }) => cid),
        days,
      )
      yield* markUsed([...named])
      const unnamed = old.filter(({ cid }) => !named.has(cid))
      const { byKept, byOld } = yield* linkedByUploads(
        unnamed.map(({ cid }) => cid),
        days,
      )
      yield* markUsed(byKept)
      const linked = new Set([...byKept, ...byOld])
      const unused = unnamed.filter(({ cid }) => !linked.has(cid))
      const bytes = unused.length === 0 ? 0 : yield* remove(unused)
      return { position: old.at(-1), uploads: unused.length, bytes }
    }).pipe(sql.withTransaction)
  })

  return { sweep }
})
