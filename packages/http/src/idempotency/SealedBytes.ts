import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"

const SALT_BYTES = 32
const TAG_BYTES = 16
const KEY_BYTES = 32
const NONCE_BYTES = 12
const ALGORITHM = "aes-256-gcm"

/** Each salt derives its own key, so the nonce may come from the same derivation. */
const derived = (secret: string, salt: Uint8Array) => {
  const bytes = Buffer.from(hkdfSync("sha256", secret, salt, "sealed answer", KEY_BYTES + NONCE_BYTES))
  return { key: bytes.subarray(0, KEY_BYTES), nonce: bytes.subarray(KEY_BYTES) }
}

/** AES-256-GCM with a key derived from `secret` by HKDF-SHA256: salt, tag, ciphertext. `about` is authenticated. */
export const seal = (bytes: Uint8Array, secret: string, about: Uint8Array): Uint8Array => {
  const salt = randomBytes(SALT_BYTES)
  const { key, nonce } = derived(secret, salt)
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(about)
  const text = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([salt, cipher.getAuthTag(), text])
}

/** Decrypts; throws for another secret, another `about`, or altered data. */
export const unseal = (sealed: Uint8Array, secret: string, about: Uint8Array): Uint8Array => {
  const { key, nonce } = derived(secret, sealed.subarray(0, SALT_BYTES))
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(about)
    .setAuthTag(sealed.subarray(SALT_BYTES, SALT_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(SALT_BYTES + TAG_BYTES)), decipher.final()])
}
