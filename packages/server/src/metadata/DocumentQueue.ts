import { leasedQueue } from "@launch-registry/postgres/LeasedQueue"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { DocumentFault } from "./GetDocument.ts"
import type { DocumentFields } from "./ReadDocument.ts"

/** Longer than what is claimed together takes. */
const LEASE_MILLIS = 60_000
/** Sites that a look passes over. */
const SITES_LOOKED_AT = 64

const [MINUTE, HOUR] = [60_000, 3_600_000]
/** Pauses after the first, second, ... attempt; the one after these is the last. */
const PAUSES_MILLIS = [MINUTE, 15 * MINUTE, 2 * HOUR, 12 * HOUR]

/** Attempts of what is due: one more than there are, for a last one that ended with its process. */
const ATTEMPTS_BEFORE = Array.from({ length: PAUSES_MILLIS.length + 2 }, (_, attempts) => attempts)

/** A document that this process has claimed for an attempt. */
export interface ClaimedDocument {
  readonly mint: string
  readonly uri: string
  /** This one included. */
  readonly attempts: number
  readonly leasedUntil: Date
}

/** The queue that `fetched_documents` is. */
export const documentQueue = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { claim, isHeld, moment, release } = yield* leasedQueue({
    ...{ table: "fetched_documents", key: { mint: "text" }, fence: "attempts" },
    ...{ lease: "due_at", leaseMillis: LEASE_MILLIS },
  })

  /** Mints that are due at a site: those that were never asked for first, of these the newest. */
  const dueAt = (site: Fragment, now: Fragment, limit: number) => sql`
    select due.mint from unnest(${ATTEMPTS_BEFORE}::smallint[]) a (attempts)
    cross join lateral (
      select mint, due_at from fetched_documents
      where site = ${site} and attempts = a.attempts and due_at <= ${now} order by due_at desc limit ${limit}
    ) due order by a.attempts, due.due_at desc limit ${limit}`

  /** Sites with something due among those behind `after`, and where to go on: however many there are, each has its turn. */
  const dueSites = Effect.fnUntraced(function* (after: string) {
    const { now } = yield* moment
    const rows = yield* sql<{ readonly site: string; readonly isDue: boolean }>`
      with recursive sites as (
        (select site from fetched_documents where due_at is not null and site > ${after} order by site limit 1)
        union all
        select (select d.site from fetched_documents d where d.due_at is not null and d.site > s.site order by d.site limit 1)
        from sites s where s.site is not null
      )
      select site, exists (${dueAt(sql`s.site`, now, 1)}) as is_due
      from (select site from sites where site is not null limit ${SITES_LOOKED_AT}) s`
    const isEnd = rows.length < SITES_LOOKED_AT
    return { sites: rows.flatMap(({ isDue, site }) => (isDue ? [site] : [])), next: isEnd ? "" : rows.at(-1)!.site }
  })

  const claimAt = (site: string, limit: number) =>
    claim<ClaimedDocument>(
      ({ now }) => sql`
        select mint from fetched_documents
        where mint = any(array(${dueAt(sql`${site}`, now, limit)})) and due_at <= ${now}`,
      sql`s.mint, s.uri, s.attempts`,
    )

  /** By attempts alone it might be a claim of the URI before. */
  const isStill = (claimed: ClaimedDocument) => sql`${isHeld(claimed)} and uri = ${claimed.uri}`

  const fetched = Effect.fnUntraced(function* (claimed: ClaimedDocument, document: DocumentFields, source: string) {
    const now = new Date(yield* Clock.currentTimeMillis)
    yield* sql`
      update fetched_documents set due_at = null, fault = null, document = ${JSON.stringify(document)}::text::jsonb,
        source = ${source}, fetched_at = ${now}
      where ${isStill(claimed)}`
  })

  const failed = Effect.fnUntraced(function* (claimed: ClaimedDocument, fault: DocumentFault) {
    const pause = PAUSES_MILLIS[claimed.attempts - 1]
    const due = pause === undefined ? sql`null` : (yield* moment).after(pause)
    yield* sql`update fetched_documents set fault = ${fault}, due_at = ${due} where ${isStill(claimed)}`
  })

  return { dueSites, claim: claimAt, release, fetched, failed }
})
