/** Deeper than any answer. `JSON.parse` takes a microsecond for each level, and stack what walks the value. */
const DEPTH_MAX = 100

/**
 * A string, a bracket, or more digits than every double holds. A string that does not end takes the rest of the text, so that the time is
 * linear.
 */
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"?|[[\]{}]|\d{16,}/g

/** Numbers of a chain have 39 digits at most; reading more takes long. */
const WHOLE = /^-?\d{1,1000}$/

/** `JSON.parse` passes the source text of a number to its reviver (ECMAScript 2026). */
type Parse = (
  text: string,
  revive: (key: string, value: unknown, context: { readonly source: string }) => unknown,
) => unknown

/**
 * The value of a JSON text with every whole number exact: a number up to 2^53, a bigint beyond. What has a fraction, an exponent or more than
 * a thousand digits is the nearest double, which no check takes for a whole number beyond 2^53.
 *
 * Throws when the text is not JSON, or is nested deeper than {@link DEPTH_MAX}.
 */
export const parseLossless = (text: string): unknown => {
  let depth = 0
  let isLong = false
  for (const [token] of text.matchAll(TOKEN)) {
    const first = token[0]
    if (first === '"') continue
    if (first === "]" || first === "}") depth--
    else if (first !== "[" && first !== "{") isLong = true
    else if (++depth > DEPTH_MAX) throw new SyntaxError(`The text is nested deeper than ${DEPTH_MAX}`)
  }
  // A function called for every value takes twice as long.
  if (!isLong) return JSON.parse(text)
  return (JSON.parse as Parse)(text, (_, value, { source }) =>
    typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER && WHOLE.test(source)
      ? BigInt(source)
      : value,
  )
}

/** Writes a number into JSON with exactly these digits (ECMAScript 2026, JSON.parse source text access). */
const exactNumber = (JSON as unknown as { readonly rawJSON: (text: string) => unknown }).rawJSON

/** JSON in which bigints are numbers with all their digits. */
export const exactJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? exactNumber(String(inner)) : inner))
