/**
 * Scans JSON as bytes without building values. Every
 * function returns the position after what it scanned, or `NO_JSON`, and accepts exactly what `JSON.parse` accepts, up
 * to a nesting of `DEPTH_MAX`.
 *
 * Webhook bodies are mostly short strings and digits without white space, which have fast paths. `| 0` keeps positions
 * integers.
 */
export const NO_JSON = -1

/** Bounds the stack. Transactions need eight. */
const DEPTH_MAX = 30

export const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPEN_ARRAY = 0x5b
export const CLOSE_ARRAY = 0x5d
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d
export const BACKSLASH = 0x5c
const SPACE = 0x20
const MINUS = 0x2d
const PLUS = 0x2b
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const LOWER_E = 0x65
const LOWER_U = 0x75

/** Local copies: V8 loads and checks an exported binding at each use, which costs a twentieth of the scan. */
const quote = QUOTE
const comma = COMMA
const colon = COLON
const openArray = OPEN_ARRAY
const closeArray = CLOSE_ARRAY
const openObject = OPEN_OBJECT
const closeObject = CLOSE_OBJECT
const noJson = NO_JSON
const backslash = BACKSLASH

/** Text to scan; the view has the same bytes. */
export interface JsonBytes {
  readonly bytes: Uint8Array
  readonly view: DataView
  /** The last position where four bytes can be read in a text without a backslash; below 0 for a text with one. */
  readonly lastPlain: number
}

export const jsonBytes = (bytes: Uint8Array): JsonBytes => ({
  bytes,
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  lastPlain: bytes.includes(backslash) ? -1 : bytes.length - 4,
})

/** The position after white space at `from`, which is rare. */
export const endOfSpace = ({ bytes }: JsonBytes, from: number): number => {
  let at = from
  while (bytes[at]! <= SPACE && isSpace(bytes[at]!)) at++
  return at
}

const isSpace = (byte: number): boolean => byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09

/** The position after the closing quote of a string; `from` is its first character. */
export const endOfString = (json: JsonBytes, from: number): number => {
  const { bytes, lastPlain, view } = json
  let at = from
  // Four at a time. In each byte of `found` up to the first set one, the highest bit marks a quote, a control character or
  // a non-ASCII byte: after flipping the bit in which quote and space differ, a quote is no more than a space.
  while (at <= lastPlain) {
    const found = ((view.getInt32(at, true) ^ 0x02020202) - 0x21212121) & 0x80808080
    if (found !== 0) {
      at = (at + firstOf(found)) | 0
      break
    }
    at = (at + 4) | 0
  }
  return bytes[at] === quote ? at + 1 : endOfAnyString(json, at)
}

/** Index of the first byte of a word whose highest bit is set; no other bits are set. */
const firstOf = (found: number): number => (31 - Math.clz32(found & -found)) >> 3

/** The same for strings with escapes or non-ASCII characters. */
const endOfAnyString = ({ bytes, view }: JsonBytes, from: number): number => {
  const lastWord = bytes.length - 4
  let at = from
  while (true) {
    while (at <= lastWord) {
      const word = view.getInt32(at, true)
      const found = (((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & ~word & 0x80808080
      if (found !== 0) {
        at = (at + firstOf(found)) | 0
        break
      }
      at = (at + 4) | 0
    }
    const byte = bytes[at]
    if (byte === quote) return at + 1
    if (byte === undefined || byte < SPACE) return noJson
    if (byte !== backslash) at++
    else if ((at = endOfEscape(bytes, at + 1)) === noJson) return noJson
  }
}

const ESCAPED: ReadonlySet<number> = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)))

/** The position after an escape sequence, which starts after the backslash. */
const endOfEscape = (bytes: Uint8Array, from: number): number => {
  const byte = bytes[from]!
  if (byte !== LOWER_U) return ESCAPED.has(byte) ? from + 1 : noJson
  for (let at = from + 1; at < from + 5; at++) if (!isHexDigit(bytes[at])) return noJson
  return from + 5
}

const isHexDigit = (byte = 0): boolean => isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)

const isDigit = (byte = 0): boolean => byte >= ZERO && byte <= NINE

/** A whole number with this many digits is exact as a double. */
export const EXACT_DIGITS_MAX = 15

/** The number at `from`, when it is only digits and exact. */
export const wholeNumber = (bytes: Uint8Array, from: number, to: number): number | undefined => {
  if (from === to || to - from > EXACT_DIGITS_MAX) return undefined
  let value = 0
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - ZERO
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return value
}

const endOfDigits = (bytes: Uint8Array, from: number): number => {
  let at = from
  while (isDigit(bytes[at])) at++
  return at === from ? noJson : at
}

const endOfNumber = (bytes: Uint8Array, from: number): number => {
  let at = bytes[from] === MINUS ? from + 1 : from
  if (bytes[at] === ZERO) at++
  else if ((at = endOfDigits(bytes, at)) === noJson) return noJson
  if (bytes[at] === POINT && (at = endOfDigits(bytes, at + 1)) === noJson) return noJson
  if ((bytes[at]! | 0x20) !== LOWER_E) return at
  at++
  return endOfDigits(bytes, bytes[at] === PLUS || bytes[at] === MINUS ? at + 1 : at)
}

/** The position after a number that starts with a digit and mostly has digits only. */
const endOfDigitsFirst = (bytes: Uint8Array, from: number): number => {
  let at = from
  let byte = 0
  do byte = bytes[(at = (at + 1) | 0)]!
  while (byte >= ZERO && byte <= NINE)
  const isWhole = (byte === comma || byte === closeArray || byte === closeObject) && bytes[from] !== ZERO
  return isWhole ? at : endOfNumber(bytes, from)
}

/** The position of the last number, or of one before it, in a list of whole numbers separated by commas only. */
const lastOfNumbers = ({ bytes, lastPlain, view }: JsonBytes, from: number): number => {
  let at = from
  while (true) {
    const first = at
    while (at <= lastPlain && areDigits(view.getInt32(at, true))) at = (at + 4) | 0
    let byte = bytes[at]!
    while (byte >= ZERO && byte <= NINE) byte = bytes[(at = (at + 1) | 0)]!
    const isWhole = at === first + 1 || (at !== first && bytes[first] !== ZERO)
    if (byte !== comma || !isWhole || !isDigit(bytes[at + 1])) return first
    at = (at + 1) | 0
  }
}

/** All four bytes of a word. */
const areDigits = (word: number): boolean => (((word - 0x30303030) | (word + 0x46464646)) & 0x80808080) === 0

const LITERALS: ReadonlyMap<number, string> = new Map(
  ["true", "false", "null"].map((text) => [text.charCodeAt(0), text]),
)

const endOfLiteral = (bytes: Uint8Array, from: number): number => {
  const text = LITERALS.get(bytes[from]!)
  if (text === undefined) return noJson
  for (let at = 1; at < text.length; at++) if (bytes[from + at] !== text.charCodeAt(at)) return noJson
  return from + text.length
}

/** The position of the value after a colon, which may have white space on both sides. */
export const startAfterColon = (json: JsonBytes, from: number): number => {
  const { bytes } = json
  if (bytes[from] === colon && bytes[from + 1]! > SPACE) return from + 1
  const at = endOfSpace(json, from)
  return bytes[at] === colon ? endOfSpace(json, at + 1) : noJson
}

/** The position after the value at `from`, which is nested in `depth` arrays and objects. */
export const endOfValue = (json: JsonBytes, from: number, depth = 0): number => {
  const { bytes } = json
  const byte = bytes[from]!
  if (byte === quote) return endOfString(json, from + 1)
  if (byte >= ZERO && byte <= NINE) return endOfDigitsFirst(bytes, from)
  if (byte === openObject) return endOfObject(json, from, depth)
  if (byte === openArray) return endOfArray(json, from, depth)
  return byte === MINUS ? endOfNumber(bytes, from) : endOfLiteral(bytes, from)
}

const endOfArray = (json: JsonBytes, from: number, depth: number): number => {
  const { bytes } = json
  let at = (from + 1) | 0
  let byte = bytes[at]!
  if (byte <= SPACE) byte = bytes[(at = endOfSpace(json, at))]!
  if (byte === closeArray) return at + 1
  if (depth === DEPTH_MAX) return noJson
  if (isDigit(byte)) byte = bytes[(at = lastOfNumbers(json, at))]!
  while (true) {
    if (byte === quote) at = endOfString(json, at + 1)
    else if (byte === openObject) at = endOfObject(json, at, depth + 1)
    else at = endOfValue(json, at, depth + 1)
    if (at === noJson) return noJson
    byte = bytes[at]!
    if (byte <= SPACE) byte = bytes[(at = endOfSpace(json, at))]!
    if (byte !== comma) return byte === closeArray ? at + 1 : noJson
    byte = bytes[(at = (at + 1) | 0)]!
    if (byte <= SPACE) byte = bytes[(at = endOfSpace(json, at))]!
  }
}

const endOfObject = (json: JsonBytes, from: number, depth: number): number => {
  const { bytes } = json
  let at = (from + 1) | 0
  let byte = bytes[at]!
  if (byte <= SPACE) byte = bytes[(at = endOfSpace(json, at))]!
  if (byte === closeObject) return at + 1
  if (depth === DEPTH_MAX) return noJson
  while (true) {
    if (byte !== quote) return noJson
    at = endOfString(json, at + 1)
    if (at === noJson) return noJson
    at = startAfterColon(json, at)
    if (at === noJson) return noJson
    byte = bytes[at]!
    if (byte === quote) at = endOfString(json, at + 1)
    else if (byte >= ZERO && byte <= NINE) at = endOfDigitsFirst(bytes, at)
    else at = endOfValue(json, at, depth + 1)
    if (at === noJson) return noJson
    byte = bytes[at]!
    if (byte <= SPACE) byte = bytes[(at = endOfSpace(json, at))]!
    if (byte !== comma) return byte === closeObject ? at + 1 : noJson
    byte = bytes[(at = (at + 1) | 0)]!
    if (byte <= SPACE) byte = bytes[(at = endOfSpace(json, at))]!
  }
}
