import type { NotificationType } from "@launch-registry/domain/notifications/NotificationEndpoint"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { FIRST_ID, isOfWallet } from "./EndpointOwner.ts"
import { backlogOf, type NotificationOptions } from "./NotificationOptions.ts"
import { bodyOf, type NewMessage, storedMessages } from "./StoredMessages.ts"

/** Endpoints that one statement reads and locks. */
export const ENDPOINTS_PER_STATEMENT = 1_000

/** An enabled endpoint, locked until the end of the transaction. */
interface Subscriber {
  readonly id: string
  readonly types: ReadonlyArray<string>
  /** All, if there are none. */
  readonly mintAddresses: ReadonlyArray<string>
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

const isFor = ({ commit, mint, type }: NotifiedEvent, { afterChange, mintAddresses, types }: Subscriber): boolean =>
  types.includes(type) &&
  (commit === undefined || commit > afterChange) &&
  (mint === undefined || mintAddresses.length === 0 || (mint !== null && mintAddresses.includes(mint)))

/** Makes messages of events, in the current transaction: one for each endpoint that asks for an event. */
export const fanOut = Effect.fnUntraced(function* (options: NotificationOptions) {
  const sql = yield* SqlClient
  const isWallet = isOfWallet(sql)
  const { add } = yield* storedMessages

  const countOfWallets = sql<{ readonly count: bigint }>`
    select count(*) as count from notification_endpoints e where e.state = 'enabled' and ${isWallet}`

  /** Enabled endpoints that a condition is true of, a page at a time: operators' before wallets', each by id, as all who lock several do. */
  const forPages = Effect.fnUntraced(function* <E, R>(
    condition: Fragment,
    use: (page: ReadonlyArray<Subscriber>) => Effect.Effect<void, E, R>,
  ) {
    for (const ofWallets of [false, true]) {
      const wallets = ofWallets ? (yield* countOfWallets)[0]!.count : null
      if (wallets === 0n) return
      for (let after: string | undefined = FIRST_ID; after !== undefined;) {
        const page: ReadonlyArray<Subscriber> = yield* sql<Subscriber>`
          select e.id, e.types, e.mint_addresses, e.after_change, e.is_skipping, (
            select count(*) from notification_messages m where m.endpoint_id = e.id and m.state = 'pending') as pending,
            ${wallets}::bigint as wallet_endpoints
          from notification_endpoints e
          where e.id > ${after}::uuid and e.state = 'enabled' and (${isWallet}) = ${ofWallets} and ${condition}
          order by e.id limit ${ENDPOINTS_PER_STATEMENT} for no key update of e`
        if (page.length > 0) yield* use(page)
        after = page.length < ENDPOINTS_PER_STATEMENT ? undefined : page.at(-1)!.id
      }
    }
  })

  /** Whether an endpoint may be sent one of the events, or, with commits of the index, the end of its skipping. */
  const mayGet = (events: ReadonlyArray<NotifiedEvent>): Fragment => {
    const types = [...new Set(events.map(({ type }) => type))]
    const mints = [...new Set(events.flatMap(({ mint }) => mint ?? []))]
    const isForAllMints = events.some(({ mint }) => mint === undefined)
    const isOfIndex = events.some(({ commit }) => commit !== undefined)
    return sql`((${isOfIndex} and e.is_skipping) or (e.types && ${types}::text[]
      and (${isForAllMints} or e.mint_addresses = '{}' or e.mint_addresses && ${mints}::text[])))`
  }

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

  /** Sends events to a page of endpoints; returns how many endpoints of wallets skip events from now on. */
  const sendTo = Effect.fnUntraced(function* (
    to: ReadonlyArray<Subscriber>,
    events: ReadonlyArray<NotifiedEvent>,
    bodies: Bodies,
    now: Date,
  ) {
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
    yield* add(
      shares.flatMap(({ messages }) => messages),
      now,
    )
    return ofWallets.length
  })

  const send = Effect.fnUntraced(function* (events: ReadonlyArray<NotifiedEvent>) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const bodies = onceEach()
    let full = 0
    yield* forPages(mayGet(events), (page) =>
      Effect.map(sendTo(page, events, bodies, now), (ofWallets) => void (full += ofWallets)),
    )
    // One line, however many wallets there are.
    if (full > 0) yield* Effect.logWarning(`The backlogs of ${full} endpoints of wallets are full: events are skipped`)
  })

  /** Tells all endpoints that events are missing. */
  const reset = Effect.fnUntraced(function* (reason: ResetReason) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const body = bodyOf("reset", now, resetData(reason))
    yield* forPages(sql`true`, (page) =>
      add(
        page.map(({ id }) => ({ endpointId: id, type: "reset" as const, body })),
        now,
      ),
    )
  })

  return { forPages, send, reset }
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
