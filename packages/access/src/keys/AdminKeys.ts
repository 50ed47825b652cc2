import { createHash, timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"

/** Of one length, so comparing them tells nothing of the keys. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Whether a text is one of the keys, in constant time. */
export const isOneOf = (keys: ReadonlyArray<Redacted.Redacted>) => {
  const expected = keys.map((key) => digest(Redacted.value(key)))
  return (text: string): boolean => {
    const given = digest(text)
    return expected.reduce((isKnown, key) => timingSafeEqual(key, given) || isKnown, false)
  }
}
