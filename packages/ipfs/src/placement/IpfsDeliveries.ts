import { leasedQueue } from "@launch-registry/postgres/LeasedQueue"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { BackendFailed, Destination } from "../backends/IpfsBackend.ts"
import type { StoredContent } from "../content/IpfsContent.ts"

const LEASE_MILLIS = 90_000

const FIRST_RETRY_MILLIS = 2_000
const RETRY_MILLIS_MAX = 600_000
/** Permanent faults, which need a change of settings, are retried at this interval. */
const PERMANENT_RETRY_MILLIS = 300_000
/** Attempts after which a delivery counts as failing. */
const FAILING_ATTEMPTS = 3
/** Attempts after which it is logged; then again whenever they have doubled. */
const LOGGED_ATTEMPTS = 5

/** Content on its way to a backend. `attempts` counts this one. */
export interface Delivery extends StoredContent {
  readonly attempts: number
}

/** What waits to be delivered. */
export interface Outbox {
  readonly pending: number
  /** Those of them that were tried several times. */
  readonly failing: number
  readonly oldestAt: Date | null
  readonly lastError: string | null
}

/** What waits for a destination that is no longer configured. */
export interface StrayDeliveries extends Destination {
  readonly pending: number
  readonly oldestAt: Date
}

/** Which backend has which content, by place at the backend: owner of `ipfs_deliveries`. Without `delivered_at` it is in the outbox. */
export const ipfsDeliveries = Effect.gen(function* () {
  const sql = yield* SqlClient
  // Settling is not fenced: puts are idempotent, and nothing that comes late changes a confirmed delivery.
  const { claim: claimRows, moment } = yield* leasedQueue({
    ...{ table: "ipfs_deliveries", key: { cid: "text", backend: "text", destination: "text" }, fence: "attempts" },
    ...{ lease: "next_attempt_at", leaseMillis: LEASE_MILLIS },
  })
  const nowDate = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
  const isAt = ({ destination, name }: Destination) => sql`(backend = ${name} and destination = ${destination})`

  const isDelivered = Effect.fn("IpfsDeliveries.isDelivered")(function* (cid: string, to: Destination) {
    const rows = yield* sql`
      select from ipfs_deliveries where cid = ${cid} and ${isAt(to)} and delivered_at is not null`
    return rows.length > 0
  }, Effect.orDie)

  /** Adds content to the outbox, due after a delay; a row that is there stays as it is. */
  const add = Effect.fn("IpfsDeliveries.add")(function* (
    { cid, contentType, sizeBytes }: StoredContent,
    to: Destination,
    delayMillis: number,
  ) {
    const { after } = yield* moment
    yield* sql`
      insert into ipfs_deliveries (cid, backend, destination, content_type, size_bytes, created_at, next_attempt_at)
      values (${cid}, ${to.name}, ${to.destination}, ${contentType}, ${sizeBytes}::bigint, ${yield* nowDate},
        ${after(delayMillis)})
      on conflict (cid, backend, destination) do nothing`
  }, Effect.orDie)

  /** Adds what is missing of the first `limit` uploads after `cid`; returns the last of these, `null` once there are no more. */
  const addMissing = Effect.fn("IpfsDeliveries.addMissing")(function* (to: Destination, after: string, limit: number) {
    // In the order of CIDs: otherwise two processes that start could deadlock. Locked, so that no sweep deletes them now.
    const [row] = yield* sql<{ readonly last: string | null }>`
      with looked as (
        select cid, content_type, size_bytes, created_at from ipfs_uploads
        where cid > ${after} order by cid limit ${limit} for key share
      ), added as (
        insert into ipfs_deliveries (cid, backend, destination, content_type, size_bytes, created_at, next_attempt_at)
        select cid, ${to.name}, ${to.destination}, content_type, size_bytes, created_at, ${(yield* moment).now} from looked
        where not exists (select from ipfs_deliveries d where d.cid = looked.cid and ${isAt(to)})
        order by cid
        on conflict (cid, backend, destination) do nothing
      )
      select max(cid) as last from looked`
    return row!.last
  }, Effect.orDie)

  /** Claims due deliveries to a backend, oldest first. */
  const claim = Effect.fn("IpfsDeliveries.claim")(function* (to: Destination, limit: number) {
    const rows = yield* claimRows<Omit<Delivery, "sizeBytes"> & { readonly sizeBytes: bigint }>(
      ({ now }) => sql`
        select cid, backend, destination from ipfs_deliveries
        where ${isAt(to)} and delivered_at is null and next_attempt_at <= ${now}
        order by next_attempt_at limit ${limit}`,
      sql`s.cid, content_type, size_bytes, attempts`,
    )
    return rows.map((row) => ({ ...row, sizeBytes: Number(row.sizeBytes) }))
  }, Effect.orDie)

  /** The backend has confirmed the content; it need not have been in the outbox. */
  const confirm = Effect.fn("IpfsDeliveries.confirm")(function* (
    { cid, contentType, sizeBytes }: StoredContent,
    to: Destination,
  ) {
    const at = yield* nowDate
    yield* sql`
      insert into ipfs_deliveries
        (cid, backend, destination, content_type, size_bytes, created_at, next_attempt_at, delivered_at)
      values (${cid}, ${to.name}, ${to.destination}, ${contentType}, ${sizeBytes}::bigint, ${at}, ${at}, ${at})
      on conflict (cid, backend, destination) do update
      set delivered_at = coalesce(ipfs_deliveries.delivered_at, excluded.delivered_at), last_error = null`
  }, Effect.orDie)

  /** The backend did not take it: retried later, with backoff. */
  const postpone = Effect.fn("IpfsDeliveries.postpone")(function* (
    cid: string,
    to: Destination,
    { isPermanent, reason, retryAfterMillis = 0 }: Pick<BackendFailed, "reason" | "isPermanent" | "retryAfterMillis">,
  ) {
    const { now } = yield* moment
    const asked = Math.min(retryAfterMillis, RETRY_MILLIS_MAX)
    const atLeast = Math.round(Math.max(isPermanent ? PERMANENT_RETRY_MILLIS : 0, asked))
    const [row] = yield* sql<{ readonly attempts: number }>`
      update ipfs_deliveries set last_error = ${reason}, next_attempt_at = ${now} + interval '1 millisecond' *
        greatest(${atLeast}::integer,
          least(${RETRY_MILLIS_MAX}::integer, ${FIRST_RETRY_MILLIS} * power(2, least(attempts, 20) - 1)))
      where cid = ${cid} and ${isAt(to)} and delivered_at is null
      returning attempts`
    if (row !== undefined && isLogged(row.attempts))
      yield* Effect.logWarning(`${cid} was not delivered to ${to.name} in ${row.attempts} attempts: ${reason}`)
  }, Effect.orDie)

  /** Releases a claim whose attempt did not finish: due at once. */
  const release = Effect.fn("IpfsDeliveries.release")(function* (cid: string, to: Destination) {
    const { now } = yield* moment
    yield* sql`
      update ipfs_deliveries set attempts = greatest(attempts - 1, 0), next_attempt_at = ${now}
      where cid = ${cid} and ${isAt(to)} and delivered_at is null`
  }, Effect.orDie)

  const outbox = Effect.fn("IpfsDeliveries.outbox")(function* (to: Destination) {
    const [row] = yield* sql<Outbox>`
      select count(*)::integer as pending, count(*) filter (where attempts >= ${FAILING_ATTEMPTS})::integer as failing,
        min(created_at) as oldest_at,
        (array_agg(last_error order by next_attempt_at desc) filter (where last_error is not null))[1] as last_error
      from ipfs_deliveries where ${isAt(to)} and delivered_at is null`
    return row!
  }, Effect.orDie)

  /** What waits for other destinations than this one. */
  const strays = Effect.fn("IpfsDeliveries.strays")(function* (served: Destination | undefined) {
    const rows = yield* sql<StrayDeliveries>`
      select backend as name, destination, count(*)::integer as pending, min(created_at) as oldest_at
      from ipfs_deliveries where delivered_at is null group by backend, destination order by backend, destination`
    return rows.filter(({ destination, name }) => name !== served?.name || destination !== served.destination)
  }, Effect.orDie)

  const lastCreatedAt = sql<{ readonly createdAt: Date }>`
    select created_at from ipfs_deliveries order by created_at desc limit 1`.pipe(
    Effect.orDie,
    Effect.map(([row]) => row?.createdAt),
  )

  return { isDelivered, add, addMissing, claim, confirm, postpone, release, outbox, strays, lastCreatedAt }
})

export type IpfsDeliveries = Effect.Success<typeof ipfsDeliveries>

const isLogged = (attempts: number): boolean =>
  attempts >= LOGGED_ATTEMPTS && Number.isInteger(Math.log2(attempts / LOGGED_ATTEMPTS))
