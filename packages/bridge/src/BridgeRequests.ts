import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { IdempotencyKeyReused, RequestInFlight } from "@launch-registry/domain/http/IdempotencyErrors"
import { sharedClock } from "@launch-registry/postgres/SharedClock"

/**
 * Before a request with the same key may ask for another quote: the deadline of the swap service, and time to commit. A later
 * commit is fenced off.
 */
const LEASE_MILLIS = 15_000
/** How long a request waits for another one with its key, and how often it checks. */
const WAIT_MILLIS = 15_000
const LOOK_MILLIS = 200

interface RequestRow {
  readonly id: string
  readonly requestHash: string
  readonly state: "requesting" | "quoted" | "refused"
}

/** A request that this process makes: `id` becomes that of the swap. */
export interface OpenRequest {
  readonly id: string
  readonly attempt: number
}

/** Either to be made, or made before. */
export type Begun = { readonly open: OpenRequest } | { readonly quoted: string }

/**
 * Requests for quotes that are not dry: owner of `bridge_requests`. The row is written before the swap service is asked. If the
 * process dies before it answers, the row still says `requesting`: the quote was never disclosed, so the next request with the
 * key takes a new one.
 */
export const bridgeRequests = Effect.gen(function* () {
  const sql = yield* SqlClient
  const moment = yield* sharedClock
  const lease = Effect.gen(function* () {
    const { after, now } = yield* moment
    return { now, until: after(LEASE_MILLIS), at: new Date(yield* Clock.currentTimeMillis) }
  })

  /** The request, when no other one has its key. */
  const insert = Effect.fnUntraced(function* (id: string, key: string | undefined, hash: string) {
    const { at, until } = yield* lease
    const rows = yield* sql<OpenRequest>`
      insert into bridge_requests (id, key, request_hash, state, lease_until, updated_at)
      values (${id}::uuid, ${key ?? null}, ${hash}, 'requesting', ${until}, ${at})
      on conflict (key) do nothing returning id, attempt`
    return rows[0]
  })

  /** Takes over a request whose lease expired. */
  const takeOver = Effect.fnUntraced(function* (key: string) {
    const { at, now, until } = yield* lease
    const rows = yield* sql<OpenRequest>`
      update bridge_requests set attempt = attempt + 1, lease_until = ${until}, updated_at = ${at}
      where key = ${key} and state = 'requesting' and lease_until <= ${now}
      returning id, attempt`
    return rows[0]
  })

  const begin = Effect.fn("BridgeRequests.begin")(function* (id: string, key: string | undefined, hash: string) {
    const giveUpAt = (yield* Clock.currentTimeMillis) + WAIT_MILLIS
    for (;;) {
      const open = yield* Effect.orDie(insert(id, key, hash))
      if (open !== undefined) return { open }
      const [row] = yield* sql<RequestRow>`
        select id, request_hash, state from bridge_requests where key = ${key!}`.pipe(Effect.orDie)
      // The key was freed just now.
      if (row === undefined) continue
      if (row.requestHash !== hash) return yield* new IdempotencyKeyReused()
      if (row.state === "quoted") return { quoted: row.id }
      const taken = yield* Effect.orDie(takeOver(key!))
      if (taken !== undefined) return { open: taken }
      if ((yield* Clock.currentTimeMillis) >= giveUpAt) return yield* new RequestInFlight()
      yield* Effect.sleep(LOOK_MILLIS)
    }
  })

  /** The swap that was quoted under this key before. */
  const known = Effect.fnUntraced(function* (key: string, hash: string) {
    const [row] = yield* sql<RequestRow>`
      select id, request_hash, state from bridge_requests where key = ${key}`.pipe(Effect.orDie)
    if (row !== undefined && row.requestHash !== hash) return yield* new IdempotencyKeyReused()
    return row?.state === "quoted" ? row.id : undefined
  })

  /** In the transaction that stores the swap. `false`: another process has taken the request over. */
  const finish = Effect.fnUntraced(function* ({ attempt, id }: OpenRequest) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const rows = yield* sql`
      update bridge_requests set state = 'quoted', updated_at = ${now}
      where id = ${id}::uuid and attempt = ${attempt} and state = 'requesting' returning id`
    return rows.length > 0
  })

  /** The request failed: the key may be used again. */
  const drop = ({ attempt, id }: OpenRequest) =>
    sql`delete from bridge_requests where id = ${id}::uuid and attempt = ${attempt} and state = 'requesting'`

  /** The quote cannot be trusted: kept as evidence, and the key may be used again. */
  const refuse = Effect.fnUntraced(function* ({ attempt, id }: OpenRequest, failure: string, raw: string) {
    const now = new Date(yield* Clock.currentTimeMillis)
    yield* sql`
      update bridge_requests set state = 'refused', key = null, failure = ${failure}, raw = ${raw}, updated_at = ${now}
      where id = ${id}::uuid and attempt = ${attempt} and state = 'requesting'`
  })

  return { begin, known, finish, drop, refuse }
})
