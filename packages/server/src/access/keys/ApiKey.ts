import { createHash, randomBytes } from "node:crypto"
import type { Scope } from "@launch-registry/domain/access/Caller"
import { Redacted } from "effect"

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
