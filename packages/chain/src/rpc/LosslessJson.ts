/** Deeper than any answer. `JSON.parse` takes a microsecond for each level, and stack what walks the value. */
const DEPTH_MAX = 100
/** Before the point of a number. Numbers of a chain have 39 at most. */
const DIGITS_MAX = 1_000
/** A number of fewer characters, without an exponent, is exact as a double. */
const LONG_MIN = 16

/** A string, a bracket or a number. A string that does not end takes the rest of the text, so that the time is linear. */
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"?|[[\]{}]|-?\d[\d.eE+-]*/g

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Numbers beyond 2^53 by the double that they are rounded to; `undefined` for those with too many digits. */
type ExactNumbers = ReadonlyMap<number, bigint | number | undefined>

/** `JSON.parse` passes the source text of a number to its reviver (ECMAScript 2026). */
type Parse = (
  text: string,
  revive: (key: string, value: unknown, context: { readonly source: string }) => unknown,
) => unknown

/**
 * The value of a JSON text with every whole number exact: a number up to 2^53, a bigint beyond. What has a fraction is the nearest double.
 * All else is as `JSON.parse` has it: of members with one name the last one counts, and `__proto__` is a name like others.
 *
 * Throws when the text is not JSON, is nested deeper than {@link DEPTH_MAX}, or has a number with more than {@link DIGITS_MAX} digits before
 * its point.
 */
export const parseLossless = (text: string): unknown => {
  const numbers = exactNumbers(text)
  if (numbers?.size === 0) return JSON.parse(text)
  if (numbers !== undefined) return restored(JSON.parse(text), numbers)
  // A function called for every value takes twice as long as all of the above.
  return (JSON.parse as Parse)(text, (_, value, { source }) => (isRounded(value) ? known(exactOf(source)) : value))
}

const isRounded = (value: unknown): value is number =>
  typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER

/**
 * The numbers of a text that a double does not hold; `undefined` when two of them are rounded to one double, so that only the parser knows
 * which of them stands where.
 */
const exactNumbers = (text: string): ExactNumbers | undefined => {
  const sources = new Map<number, string>()
  let isClear = true
  let depth = 0
  for (const [token] of text.matchAll(TOKEN)) {
    const first = token[0]
    if (first === '"') continue
    if (first === "]" || first === "}") depth--
    else if (first === "[" || first === "{") {
      if (++depth > DEPTH_MAX) throw new SyntaxError(`The text is nested deeper than ${DEPTH_MAX}`)
    } else if (token.length >= LONG_MIN || /[eE]/.test(token)) {
      const rounded = Number(token)
      if (!isRounded(rounded)) continue
      const other = sources.get(rounded)
      if (other === undefined) sources.set(rounded, token)
      else if (other !== token) isClear = false
    }
  }
  return isClear ? new Map([...sources].map(([rounded, source]) => [rounded, exactOf(source)])) : undefined
}

/** The number in a source text: a bigint where it is whole. */
const exactOf = (source: string): bigint | number | undefined => {
  const [, sign, whole = "", fraction = "", exponent = "0"] = NUMBER.exec(source) ?? []
  const digits = (whole + fraction).replace(/^0+/, "")
  const zeros = Number(exponent) - fraction.length
  if (digits.length + zeros > DIGITS_MAX) return undefined
  if (zeros < 0 && !/^0+$/.test(digits.slice(zeros))) return Number(source)
  const exact = BigInt(zeros < 0 ? digits.slice(0, zeros) : digits + "0".repeat(zeros))
  return sign === "-" ? -exact : exact
}

const known = (number: bigint | number | undefined): bigint | number => {
  if (number === undefined) throw new SyntaxError(`A number has more than ${DIGITS_MAX} digits`)
  return number
}

/** Puts exact numbers in the place of rounded ones. */
const restored = (value: unknown, numbers: ExactNumbers): unknown => {
  if (isRounded(value)) return known(numbers.get(value))
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index]
      const exact = restored(item, numbers)
      if (exact !== item) value[index] = exact
    }
  } else if (typeof value === "object" && value !== null) {
    const fields = value as Record<string, unknown>
    for (const name in fields) {
      const field = fields[name]
      const exact = restored(field, numbers)
      if (exact !== field) fields[name] = exact
    }
  }
  return value
}

/** Writes a number into JSON with exactly these digits (ECMAScript 2026, JSON.parse source text access). */
const exactNumber = (JSON as unknown as { readonly rawJSON: (text: string) => unknown }).rawJSON

/** JSON in which bigints are numbers with all their digits. */
export const exactJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? exactNumber(String(inner)) : inner))
