import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/**
 * Lease of a claim, renewed while the request is processed: the maximum wait of a client after a crash. After expiry
 * the former owner cannot commit.
 */
const LEASE_SECONDS = 10
/** Lifetime of a key: what the API promises, and no longer than any upload is kept that an answer may name. */
const KEPT_HOURS = 24
/** Maximum attempts while others claim and release the key. */
const LOOKS_MAX = 5

/** A request with a key. */
export interface KeyedContent {
  readonly caller: string
  readonly keyHash: Uint8Array
  readonly operation: string
  readonly requestHash: Uint8Array
}

/** A claimed request; the id identifies this attempt. */
export interface KeyClaim extends KeyedContent {
  readonly id: string
}

export const newClaim = (content: KeyedContent): KeyClaim => ({ ...content, id: randomUUID() })

/** A stored response. Without a status, the handler produces the response again. */
export interface StoredResponse {
  readonly status: number | null
  readonly contentType: string | null
  readonly location: string | null
  readonly cacheControl: string | null
  readonly body: Uint8Array | null
}

/** State of a key. */
export interface KnownRequest extends StoredResponse {
  readonly operation: string
  readonly requestHash: Uint8Array
  readonly state: "in_flight" | "answered"
}

/** The outcome of a claim: begun, or already known; neither if the key is claimed and released all the time. */
export interface Begun {
  readonly isBegun: boolean
  readonly known?: KnownRequest
}

/**
 * Owner of `idempotent_requests`. Leases and ages use the database clock, which all processes share. An unfinished
 * attempt leaves nothing behind, so that the next one starts over after its lease.
 */
export const idempotencyClaims = (sql: SqlClient) => {
  const lease = sql.literal(`now() + interval '${LEASE_SECONDS} seconds'`)
  const forgotten = sql.literal(`created_at <= now() - interval '${KEPT_HOURS} hours'`)

  const insert = Effect.fnUntraced(function* ({ caller, id, keyHash, operation, requestHash }: KeyClaim) {
    const rows = yield* sql`
      insert into idempotent_requests as r
        (caller, key_hash, operation, request_hash, state, claim, lease_until, created_at)
      values (${caller}, ${keyHash}, ${operation}, ${requestHash}, 'in_flight', ${id}::uuid, ${lease}, now())
      on conflict (caller, key_hash) do update set
        operation = excluded.operation, request_hash = excluded.request_hash, state = excluded.state,
        claim = excluded.claim, lease_until = excluded.lease_until, created_at = excluded.created_at,
        status = null, content_type = null, location = null, cache_control = null, body = null
      where r.${forgotten} or (r.state = 'in_flight' and r.lease_until <= now()
        and r.operation = excluded.operation and r.request_hash = excluded.request_hash)
      returning claim`
    return rows.length > 0
  })

  const find = Effect.fnUntraced(function* ({ caller, keyHash }: KeyedContent) {
    const [row] = yield* sql<KnownRequest>`
      select operation, request_hash, state, status, content_type, location, cache_control, body
      from idempotent_requests where caller = ${caller} and key_hash = ${keyHash}`
    return row
  })

  const begin = Effect.fn("IdempotencyClaims.begin")(function* (claim: KeyClaim): Effect.fn.Return<Begun, SqlError> {
    for (let look = 0; look < LOOKS_MAX; look++) {
      if (yield* insert(claim)) return { isBegun: true }
      const known = yield* find(claim)
      // The key was released in between.
      if (known !== undefined) return { isBegun: false, known }
    }
    return { isBegun: false }
  })

  const isOwn = ({ caller, id, keyHash }: KeyClaim) =>
    sql`caller = ${caller} and key_hash = ${keyHash} and claim = ${id}::uuid and state = 'in_flight'`

  const extend = (own: KeyClaim) => sql`update idempotent_requests set lease_until = ${lease} where ${isOwn(own)}`

  /** `false` if another process has taken over. */
  const answer = Effect.fnUntraced(function* (own: KeyClaim, answered: StoredResponse) {
    const rows = yield* sql`
      update idempotent_requests set ${sql.update({ state: "answered", ...answered })}
      where ${isOwn(own)} returning claim`
    return rows.length > 0
  })

  /** Releases the key of a failed request. */
  const release = (own: KeyClaim) => sql`delete from idempotent_requests where ${isOwn(own)}`

  /** Deletes up to `limit` expired rows; returns their number. */
  const sweep = (limit: number) =>
    Effect.map(
      sql`
        delete from idempotent_requests where (caller, key_hash) in (
          select caller, key_hash from idempotent_requests where ${forgotten}
          order by created_at limit ${limit} for update skip locked)
        returning claim`,
      (rows) => rows.length,
    )

  return { begin, find, extend, answer, release, sweep }
}
