import { Clock, Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { leasedQueue } from "@launch-registry/postgres/LeasedQueue"
import type { BackendFailed, Destination } from "../backends/IpfsBackend.ts"
import type { StoredContent } from "../content/IpfsContent.ts"
import type { BackendReturn, Pause } from "../backends/MonitoredBackend.ts"

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

/** Why a delivery did not succeed. */
export type DeliveryFault = Pick<BackendFailed, "reason" | "isPermanent" | "scope" | "retryAfterMillis">

/** What waits to be delivered. */
export interface Outbox {
  readonly pending: number
  /** Those of them that were tried several times. */
  readonly failing: number
  readonly oldestAt: Option.Option<Date>
  /** Of what failed last. */
  readonly lastError: Option.Option<string>
}

/** What waits for a destination that is no longer configured. */
export interface StrayDeliveries extends Destination {
  readonly pending: number
  readonly oldestAt: Date
}

/**
 * Which backend has which content, by place at the backend: owner of `ipfs_deliveries`. A row without `delivered_at` is in
 * the outbox.
 */
export class IpfsDeliveries extends Context.Service<
  IpfsDeliveries,
  {
    /** Whether this content was confirmed from there before. */
    readonly isDelivered: (cid: string, to: Destination) => Effect.Effect<boolean>
    /**
     * Adds content to the outbox, in the current transaction. `isClaimed`: the caller attempts it at once. An
     * existing row stays unchanged: then the answer is `false`.
     */
    readonly add: (content: StoredContent, to: Destination, isClaimed: boolean) => Effect.Effect<boolean>
    /**
     * Adds stored uploads that are missing from the outbox, of the first `limit` after `cid`. Returns
     * the last CID, or none once there are no more.
     */
    readonly addMissing: (to: Destination, after: string, limit: number) => Effect.Effect<Option.Option<string>>
    /** Claims the due deliveries of a backend, oldest first. */
    readonly claim: (to: Destination, limit: number) => Effect.Effect<ReadonlyArray<Delivery>>
    /** The backend has confirmed the content; it need not have been in the outbox. */
    readonly confirm: (content: StoredContent, to: Destination) => Effect.Effect<void>
    /** The backend did not take it: retried later, with backoff. */
    readonly postpone: (cid: string, to: Destination, fault: DeliveryFault) => Effect.Effect<void>
    /** Releases a claim whose attempt did not finish: due at once, or after a pause of the backend. */
    readonly release: (cid: string, to: Destination, pause?: Pause) => Effect.Effect<void>
    /**
     * After an outage, deliveries that it failed are due now. After a start all failed ones are: settings may have changed.
     */
    readonly hasten: (to: Destination, edge: BackendReturn) => Effect.Effect<void>
    readonly outbox: (to: Destination) => Effect.Effect<Outbox>
    /** What waits for other destinations than these. */
    readonly strays: (places: ReadonlyArray<Destination>) => Effect.Effect<ReadonlyArray<StrayDeliveries>>
    readonly lastCreatedAt: Effect.Effect<Option.Option<Date>>
  }
>()("@launch-registry/ipfs/placement/IpfsDeliveries") {
  static readonly layer = Layer.effect(
    IpfsDeliveries,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      // Settling is not fenced: puts are idempotent, and nothing that comes late changes a confirmed delivery.
      const { claim: claimRows, moment } = yield* leasedQueue({
        ...{ table: "ipfs_deliveries", key: { cid: "text", backend: "text", destination: "text" }, fence: "attempts" },
        ...{ lease: "next_attempt_at", leaseMillis: LEASE_MILLIS },
      })
      const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
      const isAt = ({ destination, name }: Destination) => sql`(backend = ${name} and destination = ${destination})`

      const isDelivered = Effect.fn("IpfsDeliveries.isDelivered")(function* (cid: string, to: Destination) {
        const rows = yield* sql`
          select from ipfs_deliveries
          where cid = ${cid} and ${isAt(to)} and delivered_at is not null`.pipe(Effect.orDie)
        return rows.length > 0
      })

      const add = Effect.fn("IpfsDeliveries.add")(function* (
        { cid, contentType, sizeBytes }: StoredContent,
        to: Destination,
        isClaimed: boolean,
      ) {
        const { after } = yield* moment
        const added = yield* sql`
          insert into ipfs_deliveries
            (cid, backend, destination, content_type, size_bytes, created_at, next_attempt_at, attempts)
          values (${cid}, ${to.name}, ${to.destination}, ${contentType}, ${sizeBytes}::bigint, ${yield* now},
            ${after(isClaimed ? LEASE_MILLIS : 0)}, ${isClaimed ? 1 : 0})
          on conflict (cid, backend, destination) do nothing
          returning cid`.pipe(Effect.orDie)
        return added.length > 0
      })

      const addMissing = Effect.fn("IpfsDeliveries.addMissing")(function* (
        to: Destination,
        afterCid: string,
        limit: number,
      ) {
        // In the order of CIDs: otherwise two processes that start could deadlock. Locked, so that no sweep deletes them now.
        const [row] = yield* sql<{ readonly last: string | null }>`
          with looked as (
            select cid, content_type, size_bytes, created_at from ipfs_uploads
            where cid > ${afterCid} order by cid limit ${limit} for key share
          ), added as (
            insert into ipfs_deliveries
              (cid, backend, destination, content_type, size_bytes, created_at, next_attempt_at)
            select cid, ${to.name}, ${to.destination}, content_type, size_bytes, created_at, ${(yield* moment).now} from looked
            where not exists (select from ipfs_deliveries d where d.cid = looked.cid and ${isAt(to)})
            order by cid
            on conflict (cid, backend, destination) do nothing
          )
          select max(cid) as last from looked`.pipe(Effect.orDie)
        return Option.fromNullishOr(row!.last)
      })

      const claim = Effect.fn("IpfsDeliveries.claim")(function* (to: Destination, limit: number) {
        const rows = yield* claimRows<Omit<Delivery, "sizeBytes"> & { readonly sizeBytes: bigint }>(
          ({ now }) => sql`
            select cid, backend, destination from ipfs_deliveries
            where ${isAt(to)} and delivered_at is null and next_attempt_at <= ${now}
            order by next_attempt_at limit ${limit}`,
          sql`s.cid, content_type, size_bytes, attempts`,
        ).pipe(Effect.orDie)
        return rows.map((row) => ({ ...row, sizeBytes: Number(row.sizeBytes) }))
      })

      const confirm = Effect.fn("IpfsDeliveries.confirm")(function* (
        { cid, contentType, sizeBytes }: StoredContent,
        to: Destination,
      ) {
        const at = yield* now
        yield* sql`
          insert into ipfs_deliveries
            (cid, backend, destination, content_type, size_bytes, created_at, next_attempt_at, attempts, delivered_at)
          values (${cid}, ${to.name}, ${to.destination}, ${contentType}, ${sizeBytes}::bigint, ${at}, ${at}, 1, ${at})
          on conflict (cid, backend, destination) do update
          set delivered_at = coalesce(ipfs_deliveries.delivered_at, excluded.delivered_at), last_error = null`.pipe(
          Effect.orDie,
        )
      })

      const postpone = Effect.fn("IpfsDeliveries.postpone")(function* (
        cid: string,
        to: Destination,
        { isPermanent, reason, retryAfterMillis, scope }: DeliveryFault,
      ) {
        const at = yield* now
        const { now: due } = yield* moment
        const asked = Math.min(retryAfterMillis ?? 0, RETRY_MILLIS_MAX)
        const atLeast = Math.round(Math.max(isPermanent ? PERMANENT_RETRY_MILLIS : 0, asked))
        // The growth is in the statement, because two processes may have failed with the same row.
        const [row] = yield* sql<{ readonly attempts: number }>`
          update ipfs_deliveries set last_error = ${reason}, last_failed_at = ${at},
            is_outage = ${scope === "backend" && !isPermanent}, next_attempt_at = ${due} + interval '1 millisecond' *
            greatest(${atLeast}::integer,
              least(${RETRY_MILLIS_MAX}::integer, ${FIRST_RETRY_MILLIS} * power(2, least(attempts, 20) - 1)))
          where cid = ${cid} and ${isAt(to)} and delivered_at is null
          returning attempts`.pipe(Effect.orDie)
        if (row !== undefined && isLogged(row.attempts))
          yield* Effect.logWarning(`${cid} was not delivered to ${to.name} in ${row.attempts} attempts: ${reason}`)
      })

      const release = Effect.fn("IpfsDeliveries.release")(function* (cid: string, to: Destination, pause?: Pause) {
        const at = yield* now
        const due = (yield* moment).after(pause === undefined ? 0 : pause.untilMillis - at.getTime())
        const failure =
          pause === undefined ? sql`` : sql`, last_error = ${pause.reason}, last_failed_at = ${at}, is_outage = true`
        yield* sql`
          update ipfs_deliveries set attempts = greatest(attempts - 1, 0), next_attempt_at = ${due} ${failure}
          where cid = ${cid} and ${isAt(to)} and delivered_at is null`.pipe(Effect.orDie)
      })

      const hasten = Effect.fn("IpfsDeliveries.hasten")(function* (
        to: Destination,
        { isStart, sinceMillis }: BackendReturn,
      ) {
        const { now: due } = yield* moment
        yield* sql`
          update ipfs_deliveries set next_attempt_at = ${due}
          where ${isAt(to)} and delivered_at is null and next_attempt_at > ${due} and last_error is not null
            and (${isStart} or (is_outage and last_failed_at >= ${new Date(sinceMillis)}))`.pipe(Effect.orDie)
      })

      const outbox = Effect.fn("IpfsDeliveries.outbox")(function* (to: Destination) {
        const [row] = yield* sql<{
          readonly pending: bigint
          readonly failing: bigint
          readonly oldestAt: Date | null
          readonly lastError: string | null
        }>`
          select count(*) as pending, count(*) filter (where attempts >= ${FAILING_ATTEMPTS}) as failing,
            min(created_at) as oldest_at,
            (select last_error from ipfs_deliveries
              where ${isAt(to)} and delivered_at is null and last_error is not null
              order by last_failed_at desc limit 1) as last_error
          from ipfs_deliveries where ${isAt(to)} and delivered_at is null`.pipe(Effect.orDie)
        return {
          pending: Number(row!.pending),
          failing: Number(row!.failing),
          oldestAt: Option.fromNullishOr(row!.oldestAt),
          lastError: Option.fromNullishOr(row!.lastError),
        }
      })

      const strays = Effect.fn("IpfsDeliveries.strays")(function* (places: ReadonlyArray<Destination>) {
        const rows = yield* sql<Omit<StrayDeliveries, "pending"> & { readonly pending: bigint }>`
          select backend as name, destination, count(*) as pending, min(created_at) as oldest_at from ipfs_deliveries
          where delivered_at is null group by backend, destination order by backend, destination`.pipe(Effect.orDie)
        const isServed = (row: Destination) =>
          places.some(({ destination, name }) => name === row.name && destination === row.destination)
        return rows.filter((row) => !isServed(row)).map((row) => ({ ...row, pending: Number(row.pending) }))
      })

      const lastCreatedAt = sql<{ readonly createdAt: Date }>`
        select created_at from ipfs_deliveries order by created_at desc limit 1`.pipe(
        Effect.orDie,
        Effect.map(([row]) => Option.fromNullishOr(row?.createdAt)),
      )

      return IpfsDeliveries.of({
        isDelivered,
        add,
        addMissing,
        claim,
        confirm,
        postpone,
        release,
        hasten,
        outbox,
        strays,
        lastCreatedAt,
      })
    }),
  )
}

const isLogged = (attempts: number): boolean =>
  attempts >= LOGGED_ATTEMPTS && Number.isInteger(Math.log2(attempts / LOGGED_ATTEMPTS))
