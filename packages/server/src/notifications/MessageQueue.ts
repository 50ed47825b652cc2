import type { NotificationAttempt } from "@launch-registry/domain/notifications/NotificationMessage"
import { leasedQueue } from "@launch-registry/postgres/LeasedQueue"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { isOfWallet } from "./EndpointOwner.ts"
import type { AttemptOutcome } from "./PostMessage.ts"
import { storedMessages } from "./StoredMessages.ts"

/** Longer than the attempts of a batch take: eight, four at a time. */
const LEASE_MILLIS = 60_000
/** An endpoint that failed for so long is disabled. */
const FAILING_MILLIS_MAX = 5 * 24 * 3_600_000
/** Failures further apart are not of one outage: pauses between attempts are shorter. */
const FAILURES_APART_MILLIS = 2 * 24 * 3_600_000
/** The attempts that are remembered of a message, newest first. */
const NEWEST_ATTEMPTS = "$[0 to 49]"

/** A message that this process has claimed for an attempt. */
export interface ClaimedMessage {
  readonly id: string
  readonly endpointId: string
  readonly body: string
  /** Attempts before this one. */
  readonly attempts: number
  readonly version: number
  readonly leasedUntil: Date
}

/** Where the messages of an endpoint go. */
export interface Target {
  readonly url: string
  readonly secretVersion: number
  /** The previous secret signs as well. */
  readonly hasPrevious: boolean
  readonly isFailing: boolean
  /** It belongs to a wallet. */
  readonly isWallet: boolean
}

/** Endpoints that are delivered to at the same time: all together, and of these those of wallets and those of wallets that fail. */
export interface DeliveryPlaces {
  readonly all: number
  readonly wallets: number
  readonly failing: number
}

export const DELIVERY_PLACES: DeliveryPlaces = { all: 64, wallets: 32, failing: 8 }

/** Why an endpoint is disabled by itself. */
export type DisabledReason = "gone" | "failing"

/** The queue that `notification_messages` is. Whatever locks both locks the endpoint first, then messages. */
export const messageQueue = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { failPending } = yield* storedMessages
  const { claim, isHeld, moment, release } = yield* leasedQueue({
    ...{ table: "notification_messages", key: { id: "uuid" }, fence: "version" },
    ...{ lease: "next_attempt_at", leaseMillis: LEASE_MILLIS },
  })
  const nowDate = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

  const isWallet = isOfWallet(sql)
  const isFailingWallet = sql`${isWallet} and e.failing_since is not null`
  const isWorkingWallet = sql`${isWallet} and e.failing_since is null`

  /**
   * Enabled endpoints with due messages beside those that are busy, those of API keys and admins first, then the longest due first:
   * however many wallets have endpoints, and however slow these are, they take no more than their places.
   */
  const dueEndpoints = Effect.fnUntraced(function* (busy: ReadonlyArray<string>, places: DeliveryPlaces) {
    const { now } = yield* moment
    const due = (kind: Fragment, isLast: boolean, most: Fragment) => sql`(
      select e.id, due.next_attempt_at, ${isLast}::boolean as is_last from notification_endpoints e cross join lateral (
        select m.next_attempt_at from notification_messages m
        where m.endpoint_id = e.id and m.state = 'pending' and m.next_attempt_at <= ${now}
        order by m.next_attempt_at limit 1
      ) due
      where e.state = 'enabled' and ${kind} and e.id <> all (${busy}::uuid[])
      order by due.next_attempt_at limit ${most})`
    const free = (kind: Fragment, most: number) => sql`(
      select greatest(0, ${most}::integer - count(*)) from notification_endpoints e
      where e.id = any (${busy}::uuid[]) and ${kind})`
    const all = places.all - busy.length
    const rows = yield* sql<{ readonly id: string }>`
      select id from (
        ${due(sql`not ${isWallet}`, false, sql`${all}::integer`)}
        union all ${due(isWorkingWallet, true, free(isWorkingWallet, places.wallets - places.failing))}
        union all ${due(isFailingWallet, true, free(isFailingWallet, places.failing))}
      ) found order by is_last, next_attempt_at limit ${all}`
    return rows.map(({ id }) => id)
  })

  /** Undefined once it is disabled or deleted. */
  const target = Effect.fnUntraced(function* (endpointId: string) {
    const { now } = yield* moment
    const [row] = yield* sql<Target>`
      select url, secret_version, coalesce(previous_secret_until > ${now}, false) as has_previous,
        failing_since is not null as is_failing, ${isWallet} as is_wallet
      from notification_endpoints e where id = ${endpointId}::uuid and state = 'enabled'`
    return row
  })

  const claimOf = (endpointId: string, limit: number) =>
    claim<ClaimedMessage>(
      ({ now }) => sql`
        select id from notification_messages
        where endpoint_id = ${endpointId}::uuid and state = 'pending' and next_attempt_at <= ${now}
        order by next_attempt_at, id limit ${limit}`,
      sql`s.id, s.endpoint_id, s.body, s.attempts, s.version`,
    )

  /** What every attempt changes of its message. */
  const attempted = ({ durationMillis, error, status }: AttemptOutcome, now: Date) => {
    const attempt: NotificationAttempt = { at: now.toISOString(), status, error, durationMillis }
    return sql`attempts = attempts + 1, last_status = ${status}::smallint, last_error = ${error},
      history = jsonb_path_query_array(${JSON.stringify([attempt])}::text::jsonb || history, ${NEWEST_ATTEMPTS}::jsonpath)`
  }

  const delivered = Effect.fnUntraced(function* (claimed: ClaimedMessage, outcome: AttemptOutcome, target: Target) {
    const now = yield* nowDate
    yield* sql`
      update notification_messages set state = 'delivered', next_attempt_at = ${now}, settled_at = ${now},
        ${attempted(outcome, now)}
      where ${isHeld(claimed)}`
    if (target.isFailing)
      yield* sql`
        update notification_endpoints set failing_since = null, last_failed_at = null
        where id = ${claimed.endpointId}::uuid and failing_since is not null`
  })

  /** `pause` until the next attempt, if there is one. Returns why the endpoint is disabled now, if it is. */
  const failed = Effect.fnUntraced(function* (
    claimed: ClaimedMessage,
    outcome: AttemptOutcome,
    pause: number | undefined,
  ) {
    const now = yield* nowDate
    const at = yield* moment
    const id = sql`${claimed.endpointId}::uuid`
    // Deleted for good meanwhile.
    const [endpoint] = yield* sql<{ readonly isEnabled: boolean; readonly isLong: boolean }>`
      update notification_endpoints set last_failed_at = ${at.now}, failing_since = case
        when failing_since is null or last_failed_at < ${at.after(-FAILURES_APART_MILLIS)} then ${at.now}
        else failing_since end
      where id = ${id}
      returning state = 'enabled' as is_enabled, failing_since <= ${at.after(-FAILING_MILLIS_MAX)} as is_long`
    if (endpoint === undefined) return undefined
    const reason: DisabledReason | undefined = outcome.status === 410 ? "gone" : endpoint.isLong ? "failing" : undefined
    const retries = pause !== undefined && endpoint.isEnabled && reason === undefined
    yield* sql`
      update notification_messages set state = ${retries ? "pending" : "failed"},
        next_attempt_at = ${at.after(retries ? pause : 0)}, settled_at = ${retries ? null : now}::timestamptz,
        ${attempted(outcome, now)}
      where ${isHeld(claimed)}`
    if (reason === undefined || !endpoint.isEnabled) return undefined
    yield* sql`
      update notification_endpoints set state = 'disabled', disabled_reason = ${reason}, updated_at = ${now}
      where id = ${id}`
    yield* failPending(claimed.endpointId, now)
    return reason
  }, sql.withTransaction)

  return { dueEndpoints, target, claim: claimOf, release, delivered, failed }
})
