import { hash, timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"

const digest = (text: string): Buffer => hash("sha256", text, "buffer")

/** Whether a text is one of the secrets, in constant time. */
export const isOneOf = (secrets: ReadonlyArray<Redacted.Redacted>) => {
  // Digests have one length, so comparing them reveals nothing about the secrets.
  const expected = secrets.map((secret) => digest(Redacted.value(secret)))
  return (text: string): boolean => {
    const given = digest(text)
    return expected.reduce((isKnown, secret) => timingSafeEqual(secret, given) || isKnown, false)
  }
}
