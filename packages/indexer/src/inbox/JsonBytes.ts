/**
 * Walks over JSON as bytes without making anything of it. Everything here answers with the position behind what was passed over,
 * or with `NO_JSON`, and lets pass exactly what `JSON.parse` does of what is not nested deeper than `DEPTH_MAX`.
 */
export const NO_JSON = -1

/** Levels are bits of a number. Transactions take eight. */
const DEPTH_MAX = 30

export const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPEN_ARRAY = 0x5b
export const CLOSE_ARRAY = 0x5d
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d
const BACKSLASH = 0x5c
const SPACE = 0x20
const MINUS = 0x2d
const PLUS = 0x2b
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const LOWER_E = 0x65
const LOWER_U = 0x75

/** Text that is walked over; the view is of the same bytes. */
export interface JsonBytes {
  readonly bytes: Uint8Array
  readonly view: DataView
}

export const jsonBytes = (bytes: Uint8Array): JsonBytes => ({
  bytes,
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
})

/** Behind the white space at `from`, of which there hardly ever is any. */
export const endOfSpace = ({ bytes }: JsonBytes, from: number): number => {
  let at = from
  while (bytes[at]! <= SPACE && isSpace(bytes[at]!)) at++
  return at
}

const isSpace = (byte: number): boolean => byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Behind the closing quote of a string, of which `from` is the first character. */
export const endOfString = ({ bytes, view }: JsonBytes, from: number): number => {
  const lastWord = bytes.length - 4
  let at = from
  while (true) {
    // Four at a time: in each byte of `found`, up to the first that is set, the highest bit says that it ends or escapes.
    while (at <= lastWord) {
      const word = view.getInt32(at, true)
      const quote = word ^ 0x22222222
      const slash = word ^ 0x5c5c5c5c
      const found =
        (((quote - 0x01010101) & ~quote) | ((slash - 0x01010101) & ~slash) | ((word - 0x20202020) & ~word)) & 0x80808080
      if (found !== 0) {
        at += (31 - Math.clz32(found & -found)) >> 3
        break
      }
      at += 4
    }
    const byte = bytes[at]
    if (byte === QUOTE) return at + 1
    if (byte === undefined || byte < SPACE) return NO_JSON
    if (byte !== BACKSLASH) at++
    else if ((at = endOfEscape(bytes, at + 1)) === NO_JSON) return NO_JSON
  }
}

const ESCAPED: ReadonlySet<number> = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)))

/** Behind what follows a backslash. */
const endOfEscape = (bytes: Uint8Array, from: number): number => {
  const byte = bytes[from]!
  if (byte !== LOWER_U) return ESCAPED.has(byte) ? from + 1 : NO_JSON
  for (let at = from + 1; at < from + 5; at++) if (!isHexDigit(bytes[at])) return NO_JSON
  return from + 5
}

const isHexDigit = (byte = 0): boolean => isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)

const isDigit = (byte = 0): boolean => byte >= ZERO && byte <= NINE

const endOfDigits = (bytes: Uint8Array, from: number): number => {
  let at = from
  while (isDigit(bytes[at])) at++
  return at === from ? NO_JSON : at
}

const endOfNumber = (bytes: Uint8Array, from: number): number => {
  let at = bytes[from] === MINUS ? from + 1 : from
  if (bytes[at] === ZERO) at++
  else if ((at = endOfDigits(bytes, at)) === NO_JSON) return NO_JSON
  if (bytes[at] === POINT && (at = endOfDigits(bytes, at + 1)) === NO_JSON) return NO_JSON
  if ((bytes[at]! | 0x20) !== LOWER_E) return at
  at++
  return endOfDigits(bytes, bytes[at] === PLUS || bytes[at] === MINUS ? at + 1 : at)
}

const LITERALS: ReadonlyMap<number, string> = new Map(
  ["true", "false", "null"].map((text) => [text.charCodeAt(0), text]),
)

const endOfLiteral = (bytes: Uint8Array, from: number): number => {
  const text = LITERALS.get(bytes[from]!)
  if (text === undefined) return NO_JSON
  for (let at = 1; at < text.length; at++) if (bytes[from + at] !== text.charCodeAt(at)) return NO_JSON
  return from + text.length
}

/** At the value that belongs to the key, of which `from` is the opening quote. */
const startOfMember = (json: JsonBytes, from: number): number => {
  if (json.bytes[from] !== QUOTE) return NO_JSON
  const end = endOfString(json, from + 1)
  return end === NO_JSON ? NO_JSON : startAfterColon(json, end)
}

/** At the value behind a colon; white space may stand on both sides of it. */
export const startAfterColon = (json: JsonBytes, from: number): number => {
  const at = endOfSpace(json, from)
  return json.bytes[at] === COLON ? endOfSpace(json, at + 1) : NO_JSON
}

/** Behind the value that starts at `from`. */
export const endOfValue = (json: JsonBytes, from: number): number => {
  const { bytes } = json
  let at = from
  let depth = 0
  /** A bit for each level, the innermost the lowest: whether it is an object. */
  let objects = 0
  while (true) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = endOfString(json, at + 1)
    else if (isDigit(byte) || byte === MINUS) at = endOfNumber(bytes, at)
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      at = endOfSpace(json, at + 1)
      if (bytes[at] === byte + 2) at++
      else {
        if (++depth > DEPTH_MAX) return NO_JSON
        objects = (objects << 1) | (byte === OPEN_OBJECT ? 1 : 0)
        if (byte === OPEN_OBJECT && (at = startOfMember(json, at)) === NO_JSON) return NO_JSON
        continue
      }
    } else at = endOfLiteral(bytes, at)
    if (at === NO_JSON) return NO_JSON
    // A value ended here, and with it perhaps what it is in.
    while (depth > 0) {
      at = endOfSpace(json, at)
      const next = bytes[at]
      const isObject = (objects & 1) === 1
      if (next === COMMA) {
        at = endOfSpace(json, at + 1)
        if (isObject && (at = startOfMember(json, at)) === NO_JSON) return NO_JSON
        break
      }
      if (next !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) return NO_JSON
      at++
      depth--
      objects >>= 1
    }
    if (depth === 0) return at
  }
}
