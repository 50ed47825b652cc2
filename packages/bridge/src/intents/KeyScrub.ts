const REDACTED = "<redacted>"

/** Hexadecimal digits in either case. */
const digits = (code: number, length: number): string =>
  [...code.toString(16).padStart(length, "0")].map((digit) => `[${digit}${digit.toUpperCase()}]`).join("")

/** A character: literal, escaped in JSON, or percent-encoded. */
const written = (character: string): string => {
  const code = character.charCodeAt(0)
  const plain = character.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&")
  const inJson = /["\\/]/.test(character) ? `|\\\\${plain}` : ""
  return `(?:${plain}${inJson}|\\\\u${digits(code, 4)}|%${digits(code, 2)})`
}

/**
 * Removes our key from texts of the swap service, which may quote the request. Applied before parsing, so that nothing
 * parsed contains the key. The key is visible ASCII.
 */
export const keyScrub = (key: string | undefined): ((text: string) => string) => {
  if (key === undefined || key === "") return (text) => text
  const pattern = new RegExp([...key].map(written).join(""), "g")
  return (text) => text.replaceAll(pattern, REDACTED)
}
