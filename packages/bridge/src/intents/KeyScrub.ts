import { Option, Redacted } from "effect"

const REDACTED = "<redacted>"

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")

/** Hexadecimal digits in either case. */
const digits = (code: number, length: number): string =>
  code
    .toString(16)
    .padStart(length, "0")
    .replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

/** A character as it is, escaped in JSON, or percent-encoded. */
const written = (character: string): string => {
  const code = character.charCodeAt(0)
  const plain = escaped(character)
  const inJson = /["\\/]/.test(character) ? `|\\\\${plain}` : ""
  return `(?:${plain}${inJson}|\\\\u${digits(code, 4)}|%${digits(code, 2)})`
}

/**
 * Takes our key out of texts of the swap service, which may quote what it was sent: before they are parsed, so that nothing
 * that is made of them holds it. The key is visible ASCII.
 */
export const keyScrub = (key: Option.Option<Redacted.Redacted>): ((text: string) => string) => {
  const secret = Option.match(key, { onNone: () => "", onSome: Redacted.value })
  if (secret === "") return (text) => text
  const pattern = new RegExp([...secret].map(written).join(""), "g")
  return (text) => text.replaceAll(pattern, REDACTED)
}
