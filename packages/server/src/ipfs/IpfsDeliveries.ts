import { Clock, Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RemoteBackendName } from "./IpfsBackend.ts"
import type { StoredContent } from "./IpfsContent.ts"

/** Whoever attempts a delivery has this long before somebody else tries it too. */
const CLAIM_MILLIS = 90_000

const FIRST_RETRY_MILLIS = 2_000
const RETRY_MILLIS_MAX = 600_000
/** Faults that pass only when somebody changes something are tried again at this pace. */
const PERMANENT_RETRY_MILLIS = 300_000

/** Content on its way to a backend. `attempts` counts this one. */
export interface Delivery extends StoredContent {
  readonly backend: RemoteBackendName
  readonly attempts: number
}

/** Why a delivery did not succeed. */
export interface DeliveryFault {
  readonly reason: string
  readonly isPermanent: boolean
  readonly retryAfterMillis?: number
}

/** What waits to be delivered. */
export interface Outbox {
  readonly pending: number
  readonly oldestAt: Option.Option<Date>
}

/**
 * Which backend has which content: owner of `ipfs_deliveries`. A row without `delivered_at` is in the outbox. Claims are
 * times, not locks: a process that dies leaves what it claimed to the others when the time is over.
 */
export class IpfsDeliveries extends Context.Service<
  IpfsDeliveries,
  {
    /** Whether this backend confirmed this content before. */
    readonly isDelivered: (cid: string, backend: RemoteBackendName) => Effect.Effect<boolean>
    /**
     * Puts content into the outbox, in the transaction it is called in. `isClaimed`: the caller attempts it at once.
     * What was put there before stays as it is.
     */
    readonly add: (content: StoredContent, backend: RemoteBackendName, isClaimed: boolean) => Effect.Effect<void>
    /** Takes what is due for a backend, oldest first. */
    readonly claim: (backend: RemoteBackendName, limit: number) => Effect.Effect<ReadonlyArray<Delivery>>
    /** The backend has confirmed the content; it need not have been in the outbox. */
    readonly confirm: (content: StoredContent, backend: RemoteBackendName) => Effect.Effect<void>
    /** The backend did not take it: tried again later, ever more rarely. */
    readonly postpone: (cid: string, backend: RemoteBackendName, fault: DeliveryFault) => Effect.Effect<void>
    /** What failed before is due now; what failed for good only when somebody may have changed something: after a start. */
    readonly hasten: (backend: RemoteBackendName, isStart: boolean) => Effect.Effect<void>
    readonly outbox: (backend: RemoteBackendName) => Effect.Effect<Outbox>
  }
>()("@launch-registry/server/ipfs/IpfsDeliveries") {
  static readonly layer = Layer.effect(
    IpfsDeliveries,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
      const after = (millis: number) => Effect.map(now, (date) => new Date(date.getTime() + millis))

      const isDelivered = Effect.fn("IpfsDeliveries.isDelivered")(function* (cid: string, backend: RemoteBackendName) {
        const rows = yield* sql`
          select from ipfs_deliveries
          where cid = ${cid} and backend = ${backend} and delivered_at is not null`.pipe(Effect.orDie)
        return rows.length > 0
      })

      const add = Effect.fn("IpfsDeliveries.add")(function* (
        { cid, contentType, sizeBytes }: StoredContent,
        backend: RemoteBackendName,
        isClaimed: boolean,
      ) {
        const nextAttemptAt = yield* after(isClaimed ? CLAIM_MILLIS : 0)
        yield* sql`
          insert into ipfs_deliveries (cid, backend, content_type, size_bytes, created_at, next_attempt_at, attempts)
          values (${cid}, ${backend}, ${contentType}, ${sizeBytes}::bigint, ${yield* now}, ${nextAttemptAt},
            ${isClaimed ? 1 : 0})
          on conflict (cid, backend) do nothing`.pipe(Effect.orDie)
      })

      const claim = Effect.fn("IpfsDeliveries.claim")(function* (backend: RemoteBackendName, limit: number) {
        const rows = yield* sql<Omit<Delivery, "sizeBytes"> & { readonly sizeBytes: bigint }>`
          update ipfs_deliveries set attempts = attempts + 1, next_attempt_at = ${yield* after(CLAIM_MILLIS)}
          where backend = ${backend} and cid in (
            select cid from ipfs_deliveries
            where backend = ${backend} and delivered_at is null and next_attempt_at <= ${yield* now}
            order by next_attempt_at limit ${limit} for update skip locked)
          returning cid, backend, content_type, size_bytes, attempts`.pipe(Effect.orDie)
        return rows.map((row) => ({ ...row, sizeBytes: Number(row.sizeBytes) }))
      })

      const confirm = Effect.fn("IpfsDeliveries.confirm")(function* (
        { cid, contentType, sizeBytes }: StoredContent,
        backend: RemoteBackendName,
      ) {
        const at = yield* now
        yield* sql`
          insert into ipfs_deliveries
            (cid, backend, content_type, size_bytes, created_at, next_attempt_at, attempts, delivered_at)
          values (${cid}, ${backend}, ${contentType}, ${sizeBytes}::bigint, ${at}, ${at}, 1, ${at})
          on conflict (cid, backend) do update
          set delivered_at = coalesce(ipfs_deliveries.delivered_at, excluded.delivered_at), last_error = null`.pipe(
          Effect.orDie,
        )
      })

      const postpone = Effect.fn("IpfsDeliveries.postpone")(function* (
        cid: string,
        backend: RemoteBackendName,
        { isPermanent, reason, retryAfterMillis }: DeliveryFault,
      ) {
        const asked = Math.min(retryAfterMillis ?? 0, RETRY_MILLIS_MAX)
        const atLeast = Math.round(Math.max(isPermanent ? PERMANENT_RETRY_MILLIS : 0, asked))
        // The growth is in the statement: two processes may have failed with the same row.
        yield* sql`
          update ipfs_deliveries set last_error = ${reason}, is_permanent = ${isPermanent}, next_attempt_at = ${yield* now} + interval '1 millisecond' *
            greatest(${atLeast}::integer,
              least(${RETRY_MILLIS_MAX}::integer, ${FIRST_RETRY_MILLIS} * power(2, least(attempts, 20) - 1)))
          where cid = ${cid} and backend = ${backend} and delivered_at is null`.pipe(Effect.orDie)
      })

      const hasten = Effect.fn("IpfsDeliveries.hasten")(function* (backend: RemoteBackendName, isStart: boolean) {
        yield* sql`
          update ipfs_deliveries set next_attempt_at = ${yield* now}
          where backend = ${backend} and delivered_at is null and last_error is not null
            and (${isStart} or not is_permanent)`.pipe(Effect.orDie)
      })

      const outbox = Effect.fn("IpfsDeliveries.outbox")(function* (backend: RemoteBackendName) {
        const [row] = yield* sql<{ readonly pending: bigint; readonly oldestAt: Date | null }>`
          select count(*) as pending, min(created_at) as oldest_at from ipfs_deliveries
          where backend = ${backend} and delivered_at is null`.pipe(Effect.orDie)
        return { pending: Number(row!.pending), oldestAt: Option.fromNullishOr(row!.oldestAt) }
      })

      return IpfsDeliveries.of({ isDelivered, add, claim, confirm, postpone, hasten, outbox })
    }),
  )
}
