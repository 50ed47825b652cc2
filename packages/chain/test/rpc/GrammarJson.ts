import type { seeded } from "../launch/GeneratedConfigs.ts"

type Random = ReturnType<typeof seeded>

const SAFE_MAX = 2n ** 53n - 1n

const DIGITS_MAX = 1_000n

/** A whole number, and otherwise the nearest double. By arithmetic: the number is `mantissa / 10 ** decimals`. */
const numberOf = (source: string): number | bigint => {
  const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source)!
  const mantissa = BigInt(`${whole}${fraction}`)
  const decimals = BigInt(fraction.length) - BigInt(exponent)
  // Only the powers that are allowed are computed.
  if (mantissa === 0n || decimals > DIGITS_MAX) return Number(source)
  if (decimals < -DIGITS_MAX) throw new RangeError("too many digits")
  const [above, below] = decimals < 0n ? [mantissa * 10n ** -decimals, 1n] : [mantissa, 10n ** decimals]
  if (above >= 10n ** DIGITS_MAX * below) throw new RangeError("too many digits")
  if (above % below !== 0n || above / below <= SAFE_MAX) return Number(source)
  return sign === "-" ? -(above / below) : above / below
}

/** Reads JSON by the grammar of RFC 8259, one character after another: what the parser of answers has to agree with. */
export const readByGrammar = (text: string): unknown => {
  let at = 0
  const fail = (): never => {
    throw new SyntaxError(`not JSON at ${at}`)
  }
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }
  const space = () => match(/[ \t\n\r]*/y)
  const take = (character: string): boolean => {
    space()
    if (text[at] !== character) return false
    at++
    return true
  }
  const string = (): string => {
    space()
    const found = match(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y) ?? fail()
    return JSON.parse(found) as string
  }
  const value = (): unknown => {
    space()
    if (text[at] === '"') return string()
    if (take("[")) {
      const items: Array<unknown> = []
      if (take("]")) return items
      do items.push(value())
      while (take(","))
      return take("]") ? items : fail()
    }
    if (take("{")) {
      const fields = {}
      if (take("}")) return fields
      do {
        const name = string()
        if (!take(":")) fail()
        // Not by assignment, which would change the prototype for one name.
        Object.defineProperty(fields, name, { value: value(), writable: true, enumerable: true, configurable: true })
      } while (take(","))
      return take("}") ? fields : fail()
    }
    const literal = match(/true|false|null/y)
    if (literal !== undefined) return literal === "null" ? null : literal === "true"
    return numberOf(match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y) ?? fail())
  }
  const read = value()
  space()
  return at === text.length ? read : fail()
}

/** Numbers whose digits are what a double may lose. */
const NUMBERS = [
  ...[
    "0",
    "-0",
    "0.0",
    "7",
    "-12",
    "0.1",
    "1.50",
    "1e3",
    "1E+2",
    "25e-1",
    "10e-1",
    "9007199254740991",
    "-9007199254740991",
  ],
  ...["9007199254740992", "9007199254740993", "9007199254740994", "-9007199254740993", "18446744073709551615"],
  ...[
    "18446744073709551614",
    "18446744073709551615.0",
    "1.8446744073709551615e19",
    "9007199254740993.5",
    "1e16",
    "10E15",
  ],
  ...[
    "340282366920938463463374607431768211455",
    "1e300",
    "1e400",
    "-1e999",
    "1e-400",
    "1234567890123456",
    "0.1234567890123456789",
  ],
]
const NAMES = [
  ...[
    "",
    "a",
    "18446744073709551615",
    ":9007199254740993,",
    "[1e400]",
    "é",
    "比特币",
    "__proto__",
    "constructor",
    "$n",
  ],
  ...["x 12345678901234567. y", " 1e309 ", "toString", "0", "10"],
]
const STRINGS = [...NAMES, '\\"', "\\\\", '\\\\\\"', "\\u0022:", "\\ud800", "\\n1e400"]

/** A JSON text as no serializer writes it: spaces, names twice, numbers in every form, names with a meaning elsewhere. */
export const anyJson = ({ int, pick }: Random): string => {
  const space = () => pick(["", "", "", " ", "\n", "\t", "\r "])
  const digits = () => `${int(1, 9)}${Array.from({ length: int(0, 24) }, () => int(0, 9)).join("")}`
  const number = () =>
    pick([() => pick(NUMBERS), digits, () => `${digits()}.${digits()}`, () => `${digits()}e${int(-30, 30)}`])()
  const name = () => `"${pick(NAMES)}"`
  const value = (depth: number): string => {
    const kind = int(0, depth > 4 ? 3 : 7)
    const list = (make: () => string) => Array.from({ length: int(0, 4) }, make).join(`${space()},${space()}`)
    if (kind < 2) return number()
    if (kind === 2) return `"${pick(STRINGS)}"`
    if (kind === 3) return pick(["true", "false", "null"])
    if (kind < 6) return `[${space()}${list(() => value(depth + 1))}${space()}]`
    return `{${space()}${list(() => `${name()}${space()}:${space()}${value(depth + 1)}`)}${space()}}`
  }
  return `${space()}${value(0)}${space()}`
}

/** The text with one character left out, doubled or put elsewhere. */
export const spoilt = ({ int, pick }: Random, text: string): string => {
  const at = int(0, text.length)
  const other = pick([...'{}[]:,"\\-+.eE019 \u0000\ufeff', text[at] ?? "", ""])
  return text.slice(0, at) + other + text.slice(at + int(0, 1))
}
