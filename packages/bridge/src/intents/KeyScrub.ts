import { Option, Redacted } from "effect"

const REDACTED = "<redacted>"

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")

/** Hexadecimal digits in either case. */
const digits = (code: number, length: number): string =>
  code
    .toString(16)
    .padStart(length, "0")
    .replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

/** A character: literal, escaped in JSON, or percent-encoded. */
const written = (character: string): string => {
  const code = character.charCodeAt(0)
  const plain = escaped(character)
  const inJson = /["\\/]/.test(character) ? `|\\\\${plain}` : ""
  return `(?:${plain}${inJson}|\\\\u${digits(code, 4)}|%${digits(code, 2)})`
}

/**
 * Removes our key from texts of the swap service, which may quote the request. Applied before parsing, so that nothing
 * parsed contains the key. The key is visible ASCII.
 */
export const keyScrub = (key: Option.Option<Redacted.Redacted>): ((text: string) => string) => {
  const secret = Option.match(key, { onNone: () => "", onSome: Redacted.value })
  if (secret === "") return (text) => text
  const pattern = new RegExp([...secret].map(written).join(""), "g")
  return (text) => text.replaceAll(pattern, REDACTED)
}
