import { createHash, randomBytes } from "node:crypto"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** A request as its wallet has signed it. */
export interface SignedOnce {
  readonly address: string
  readonly nonce: string
  readonly bodyHash: string
  readonly issuedAt: string
  readonly expirationTime: string
}

const hashOf = (text: string) => createHash("sha256").update(text).digest()

/**
 * Whether this is the first use of a nonce, by all processes together, or a retry: the same signature with the same Idempotency-Key,
 * which is executed once. A nonce is a row of `idempotent_requests`, which are kept for longer than any signature is valid.
 */
export const useNonce = (
  sql: SqlClient,
  { address, bodyHash, expirationTime, issuedAt, nonce }: SignedOnce,
  { method, url }: { readonly method: string; readonly url: string },
  idempotencyKey: string | undefined,
) => {
  const signed = [idempotencyKey, method, url, bodyHash, issuedAt, expirationTime]
  // Without a key nothing is a retry.
  const requestHash = idempotencyKey === undefined ? randomBytes(32) : hashOf(JSON.stringify(signed))
  return Effect.map(
    sql`
      insert into idempotent_requests as r
        (caller, key_hash, operation, request_hash, state, claim, lease_until, created_at)
      values (${`nonce:${address}`}, ${hashOf(nonce)}, 'nonce', ${requestHash}, 'answered', gen_random_uuid(), now(), now())
      on conflict (caller, key_hash) do update set claim = r.claim where r.request_hash = excluded.request_hash
      returning claim`,
    (rows) => rows.length > 0,
  )
}
