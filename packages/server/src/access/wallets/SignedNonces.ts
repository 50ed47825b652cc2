import { createHash } from "node:crypto"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { VerifiedRequest } from "./SignedRequest.ts"

/** Nonces are kept beyond their expiry, because clocks of processes differ. */
const KEPT_HOURS = 1

/** Owner of `signed_nonces`: each signature is accepted once, by all processes together. */
export const signedNonces = (sql: SqlClient) => {
  /**
   * Whether this is the first use of the nonce, or a retry: the same signature with the same Idempotency-Key, which is
   * executed once.
   */
  const use = (
    { address, bodyHash, expirationTime, expiresAt, issuedAt, nonce }: VerifiedRequest,
    request: { readonly method: string; readonly url: string },
    idempotencyKey: string | undefined,
  ) => {
    const { method, url } = request
    const signed = [idempotencyKey, method, url, bodyHash, issuedAt, expirationTime]
    const retryHash = idempotencyKey === undefined ? null : createHash("sha256").update(JSON.stringify(signed)).digest()
    return Effect.map(
      sql`
        insert into signed_nonces as n (wallet, nonce, retry_hash, expires_at)
        values (${address}, ${nonce}, ${retryHash}, ${expiresAt})
        on conflict (wallet, nonce) do update set expires_at = n.expires_at where n.retry_hash = excluded.retry_hash
        returning wallet`,
      (rows) => rows.length > 0,
    )
  }

  /** Deletes up to `limit` expired nonces; returns their number. */
  const sweep = (limit: number) =>
    Effect.map(
      sql`
        delete from signed_nonces where (wallet, nonce) in (
          select wallet, nonce from signed_nonces
          where expires_at < now() - interval '1 hour' * ${KEPT_HOURS}::int
          order by expires_at limit ${limit} for update skip locked)
        returning wallet`,
      (rows) => rows.length,
    )

  return { use, sweep }
}
