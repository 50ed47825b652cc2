import type { NotificationType } from "@launch-registry/domain/notifications/NotificationEndpoint"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isOfWallet } from "./EndpointOwner.ts"
import { backlogOf, type NotificationOptions } from "./NotificationOptions.ts"
import { bodyOf, type NewMessage, newMessages } from "./NewMessages.ts"

/** An enabled endpoint, locked until the end of the transaction. */
export interface Subscriber {
  readonly id: string
  readonly types: ReadonlyArray<string>
  /** All, if there are none. */
  readonly mints: ReadonlyArray<string>
  /** It gets what was committed later. */
  readonly afterChange: bigint
  /** Its backlog was full, and is not half empty again. */
  readonly isSkipping: boolean
  readonly pending: bigint
  /** How many endpoints of wallets are enabled, if it is one of them. */
  readonly walletEndpoints: bigint | null
}

/** An event for all endpoints that ask for it. */
export interface NotifiedEvent {
  readonly type: NotificationType
  /** When it happened. */
  readonly at: Date
  /** Made once, and only if an endpoint asks for it. */
  readonly data: () => object
  /** Undefined for an event that passes every filter of mints. */
  readonly mint: string | null | undefined
  /** Commit of the index that it is of. */
  readonly commit?: bigint
}

/** Why events are missing, as in the event stream, or because the endpoint was too slow. */
export type ResetReason = "older_than_kept" | "unknown_id" | "backlog_full"

/** What an endpoint gets, and how many events it does not get. */
interface Share {
  readonly messages: Array<NewMessage>
  skipped: number
  isSkipping: boolean
}

const isFor = ({ commit, mint, type }: NotifiedEvent, { afterChange, mints, types }: Subscriber): boolean =>
  types.includes(type) &&
  (commit === undefined || commit > afterChange) &&
  (mint === undefined || mints.length === 0 || (mint !== null && mints.includes(mint)))

/** Makes messages of events, in the current transaction: one for each endpoint that asks for an event. */
export const fanOut = Effect.fnUntraced(function* (options: NotificationOptions) {
  const sql = yield* SqlClient
  const isWallet = isOfWallet(sql)
  const add = yield* newMessages

  /** Those that ask for a type, or all, in the order of their ids, as all others lock them. */
  const subscribers = (type?: NotificationType) => sql<Subscriber>`
    select e.id, e.types, e.mints, e.after_change, e.is_skipping, (
      select count(*) from notification_messages m where m.endpoint_id = e.id and m.state = 'pending') as pending,
      case when ${isWallet} then (
        select count(*) from notification_endpoints e where e.state = 'enabled' and ${isWallet}) end as wallet_endpoints
    from notification_endpoints e where e.state = 'enabled' and ${type === undefined ? sql`true` : sql`${type} = any (e.types)`}
    order by e.id for no key update of e`

  const shareOf = (subscriber: Subscriber, events: ReadonlyArray<NotifiedEvent>, bodies: Bodies, now: Date): Share => {
    const { id, isSkipping, pending } = subscriber
    const backlogMax = backlogOf(options, subscriber.walletEndpoints)
    const share: Share = { messages: [], skipped: 0, isSkipping: isSkipping && Number(pending) * 2 > backlogMax }
    const addReset = () =>
      share.messages.push({ endpointId: id, type: "reset", body: bodyOf("reset", now, resetData("backlog_full")) })
    // The reset at the start of skipping may have come long before the last event that was skipped.
    if (isSkipping && !share.isSkipping) addReset()
    for (const event of events) {
      if (!isFor(event, subscriber)) continue
      if (!share.isSkipping && Number(pending) + share.messages.length >= backlogMax) {
        share.isSkipping = true
        addReset()
      }
      if (share.isSkipping) share.skipped++
      else share.messages.push({ endpointId: id, type: event.type, body: bodies(event) })
    }
    return share
  }

  const send = Effect.fnUntraced(function* (to: ReadonlyArray<Subscriber>, events: ReadonlyArray<NotifiedEvent>) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const bodies = onceEach()
    const shares = to.map((subscriber) => ({ subscriber, ...shareOf(subscriber, events, bodies, now) }))
    const changed = shares.filter((one) => one.skipped > 0 || one.isSkipping !== one.subscriber.isSkipping)
    if (changed.length > 0)
      yield* sql`
        update notification_endpoints e
        set is_skipping = d.is_skipping, skipped_messages = e.skipped_messages + d.skipped,
          last_skipped_at = case when d.skipped > 0 then ${now}::timestamptz else e.last_skipped_at end
        from unnest(${changed.map(({ subscriber }) => subscriber.id)}::uuid[],
          ${changed.map(({ isSkipping }) => isSkipping)}::boolean[], ${changed.map(({ skipped }) => skipped)}::bigint[])
          as d (id, is_skipping, skipped)
        where e.id = d.id`
    const full = changed.filter(({ isSkipping, subscriber }) => isSkipping && !subscriber.isSkipping)
    const ofWallets = full.filter(({ subscriber }) => subscriber.walletEndpoints !== null)
    for (const { subscriber } of full)
      if (subscriber.walletEndpoints === null)
        yield* Effect.logWarning(
          `${backlogOf(options, null)} messages to endpoint ${subscriber.id} are pending: events are skipped`,
        )
    // One line, however many wallets there are.
    if (ofWallets.length > 0)
      yield* Effect.logWarning(`The backlogs of ${ofWallets.length} endpoints of wallets are full: events are skipped`)
    yield* add(
      shares.flatMap(({ messages }) => messages),
      now,
    )
  })

  /** Tells endpoints that events are missing. */
  const reset = Effect.fnUntraced(function* (to: ReadonlyArray<Subscriber>, reason: ResetReason) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const body = bodyOf("reset", now, resetData(reason))
    yield* add(
      to.map(({ id }) => ({ endpointId: id, type: "reset" as const, body })),
      now,
    )
  })

  return { subscribers, send, reset }
})

const resetData = (reason: ResetReason) => ({ reason })

type Bodies = (event: NotifiedEvent) => string

/** One text for all endpoints. */
const onceEach = (): Bodies => {
  const made = new Map<NotifiedEvent, string>()
  return (event) => {
    const known = made.get(event) ?? bodyOf(event.type, event.at, event.data())
    made.set(event, known)
    return known
  }
}
