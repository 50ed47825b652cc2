import { createHash, randomBytes } from "node:crypto"
import type { Scope } from "@launch-registry/domain/access/Caller"
import { Effect, Redacted } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

const ID_BYTES = 8
const SECRET_BYTES = 32

const KEY = /^trk_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/

/** A stored key. The id is public; of the secret there is only the hash. */
export interface ApiKeyRow {
  readonly id: string
  readonly name: string
  /** Id of the first of the keys that replaced each other up to this one. */
  readonly family: string
  readonly scopes: ReadonlyArray<Scope>
  readonly secretHash: Uint8Array
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** To the nearest ten minutes. */
  readonly lastUsedAt: Date | null
}

/** SHA-256: a secret of 256 random bits needs no slow hash. */
export const secretHash = (secret: string): Buffer => createHash("sha256").update(secret).digest()

/** The parts of the text of a key; undefined if it is none. */
export const parseApiKey = (text: string): { readonly id: string; readonly secret: string } | undefined => {
  const [, id, secret] = KEY.exec(text) ?? []
  return id === undefined || secret === undefined ? undefined : { id, secret }
}

/** A new key: its text, which is shown once, and what is stored of it. */
export const newApiKey = () => {
  const id = randomBytes(ID_BYTES).toString("hex")
  const secret = randomBytes(SECRET_BYTES).toString("base64url")
  return { id, secretHash: secretHash(secret), text: Redacted.make(`trk_${id}_${secret}`) }
}

/** Keys in use, at most; those that expired or were revoked do not count. */
const KEYS_MAX = 10_000
/** How exactly the last use of a key is known. */
const USE_MINUTES = 10

export interface KeyDraft {
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  /** Undefined: it does not expire. */
  readonly days: number | undefined
}

/** A key that was just made: the only time that its text is known. */
export interface MadeKey {
  readonly id: string
  readonly text: Redacted.Redacted
}

/** Owner of `api_keys`. Expiry goes by the clock of the database. */
export const apiKeyStatements = (sql: SqlClient) => {
  const isValid = sql.literal("revoked_at is null and (expires_at is null or expires_at > now())")
  const columns = sql.literal(
    "id, name, coalesce(family, id) as family, scopes, secret_hash, created_at, expires_at, revoked_at, last_used_at",
  )

  const create = Effect.fnUntraced(function* ({ days, name, scopes }: KeyDraft) {
    const { id, secretHash, text } = newApiKey()
    yield* sql`
      insert into api_keys (id, name, scopes, secret_hash, created_at, lifetime_days, expires_at)
      values (${id}, ${name}, ${scopes}::text[], ${secretHash}, now(), ${days ?? null},
        now() + interval '1 day' * ${days ?? null}::int)`
    return { id, text }
  })

  const list = sql<ApiKeyRow>`select ${columns} from api_keys order by created_at, id`

  const valid = sql<ApiKeyRow>`select ${columns} from api_keys where ${isValid} order by created_at limit ${KEYS_MAX}`

  /** A new key with the name, the family, the scopes and the lifetime of another one, which ends after `overlapHours`. */
  const rotate = (id: string, overlapHours: number): Effect.Effect<MadeKey | undefined, SqlError> =>
    Effect.gen(function* () {
      const made = newApiKey()
      const rows = yield* sql`
        insert into api_keys (id, name, family, scopes, secret_hash, created_at, lifetime_days, expires_at)
        select ${made.id}, name, coalesce(family, id), scopes, ${made.secretHash}, now(), lifetime_days,
          now() + interval '1 day' * lifetime_days
        from api_keys where id = ${id} and ${isValid} for update
        returning id`
      if (rows.length === 0) return undefined
      yield* sql`
        update api_keys set expires_at = least(expires_at, now() + interval '1 hour' * ${overlapHours}::int)
        where id = ${id}`
      return { id: made.id, text: made.text }
    }).pipe(sql.withTransaction)

  /** Whether there was such a key, and it was not revoked before. */
  const revoke = (id: string) =>
    Effect.map(
      sql`update api_keys set revoked_at = now() where id = ${id} and revoked_at is null returning id`,
      (rows) => rows.length > 0,
    )

  const noteUse = (id: string) => sql`
    update api_keys set last_used_at = now()
    where id = ${id} and (last_used_at is null or last_used_at < now() - interval '1 minute' * ${USE_MINUTES}::int)`

  return { create, list, noteUse, revoke, rotate, valid }
}
