import { WRAPPED_SOL } from "./Sol.ts"

/**
 * Figures as people read them. Decimal strings stay strings: an amount of a chain does not fit into a float.
 */

const SUBSCRIPT = "₀₁₂₃₄₅₆₇₈₉"
/** As many zeros can still be counted at a glance. */
const ZEROS_MAX = 3
const DIGITS = 4

const subscript = (count: number): string => [...String(count)].map((digit) => SUBSCRIPT[Number(digit)]).join("")

const grouped = (whole: string): string => whole.replaceAll(/\B(?=(\d{3})+$)/g, ",")

/** Cuts a run of digits to `length`, rounded half up; `carry` when that took it to one digit more. */
const rounded = (digits: string, length: number): { readonly digits: string; readonly carry: boolean } => {
  if (digits.length <= length) return { digits, carry: false }
  const up = digits[length]! >= "5" ? 1n : 0n
  const result = (BigInt(`1${digits.slice(0, length)}`) + up).toString()
  return { digits: result.slice(1), carry: result.startsWith("2") }
}

/**
 * A decimal string with four significant digits behind leading zeros: 1234.5 is 1,234.5, 0.000000028 is 0.0₇28. Text
 * that is no decimal number is returned as it is.
 */
export const formatDecimal = (text: string): string => {
  const [, sign = "", written = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text) ?? []
  if (written === "") return text
  const whole = written.replace(/^0+(?=\d)/, "")
  const places =
    whole === "0"
      ? /^0*/.exec(fraction)![0].length === fraction.length
        ? 0
        : leading(fraction) + DIGITS
      : Math.max(0, Math.min(DIGITS, 6 - whole.length))
  const { carry, digits } = rounded(fraction, places)
  const shownWhole = carry ? String(BigInt(whole) + 1n) : whole
  const shown = digits.replace(/0+$/, "")
  if (shown === "") return shownWhole === "0" ? "0" : `${sign}${grouped(shownWhole)}`
  const zeros = leading(shown)
  const tail = shownWhole === "0" && zeros > ZEROS_MAX ? `0${subscript(zeros)}${shown.slice(zeros)}` : shown
  return `${sign}${grouped(shownWhole)}.${tail}`
}

const leading = (digits: string): number => /^0*/.exec(digits)![0].length

/** An amount in smallest units as a decimal string of whole tokens, exactly. */
export const wholeAmount = (amount: string, decimals: number): string => {
  if (!/^\d+$/.test(amount)) return amount
  if (decimals === 0) return amount
  const padded = amount.padStart(decimals + 1, "0")
  const fraction = padded.slice(-decimals).replace(/0+$/, "")
  const whole = padded.slice(0, -decimals).replace(/^0+(?=\d)/, "")
  return fraction === "" ? whole : `${whole}.${fraction}`
}

const SUFFIXES = ["", "K", "M", "B", "T"] as const

/** A decimal string in three digits and a suffix from a thousand on: 28432.97 is 28.4K. Below that like `formatDecimal`. */
export const formatCompact = (text: string): string => {
  const [, sign = "", whole = ""] = /^(-?)0*(\d+)(?:\.\d*)?$/.exec(text) ?? []
  if (whole.length <= 3) return formatDecimal(text)
  let { carry, digits } = rounded(whole, 3)
  let length = whole.length
  if (carry) {
    digits = "100"
    length += 1
  }
  const steps = Math.floor((length - 1) / 3)
  if (steps >= SUFFIXES.length) return `${sign}${grouped(whole)}`
  const places = length - steps * 3
  const fraction = digits.slice(places).replace(/0+$/, "")
  return `${sign}${digits.slice(0, places)}${fraction === "" ? "" : `.${fraction}`}${SUFFIXES[steps]}`
}

/** As `formatCompact`, with three digits below a thousand, too: for lists, where figures are compared at a glance. */
export const formatBrief = (text: string): string => {
  const [, whole = ""] = /^-?0*(\d+)(?:\.\d*)?$/.exec(text) ?? []
  if (whole.length === 0 || whole.length > 3 || whole === "0") return formatCompact(text)
  return Number(text)
    .toFixed(3 - whole.length)
    .replace(/\.0*$/, "")
}

/** A change in percent, with its sign. */
export const formatChange = (percent: number): string => {
  const size = Math.abs(percent)
  const places = size >= 100 ? 0 : size >= 10 ? 1 : 2
  const text = size.toFixed(places)
  if (Number(text) === 0) return "0%"
  const shown = size >= 1_000_000 ? formatCompact(text) : places === 0 ? grouped(text) : text
  return `${percent > 0 ? "+" : "−"}${shown}%`
}

/** A fraction from 0 to 1 in percent. It is 100% only when it is whole. */
export const formatShare = (share: number): string => {
  if (share >= 1) return "100%"
  const percent = Math.floor(share * 1_000) / 10
  return `${percent.toFixed(1).replace(/\.0$/, "")}%`
}

const UNITS = [
  ["y", 31_536_000],
  ["mo", 2_592_000],
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
  ["s", 1],
] as const

/** How long ago, or in how long, in the largest unit that fits: `3m ago`, `in 2h`. */
export const formatRelative = (millis: number, now: number): string => {
  const seconds = Math.round((now - millis) / 1_000)
  if (seconds === 0) return "now"
  const size = Math.abs(seconds)
  const [unit, length] = UNITS.find(([, one]) => size >= one)!
  const text = `${Math.floor(size / length)}${unit}`
  return seconds > 0 ? `${text} ago` : `in ${text}`
}

/** How long something took or runs, in its two largest units. */
export const formatDuration = (seconds: number): string => {
  const parts: Array<string> = []
  let rest = Math.max(0, Math.floor(seconds))
  for (const [unit, length] of UNITS.slice(2)) {
    const count = Math.floor(rest / length)
    rest -= count * length
    if (count > 0) parts.push(`${count}${unit}`)
  }
  return parts.length === 0 ? "0s" : parts.slice(0, 2).join(" ")
}

/** First and last characters of an address or a signature. */
export const shortAddress = (address: string): string =>
  address.length <= 11 ? address : `${address.slice(0, 4)}…${address.slice(-4)}`

/** A whole number of any size with its thousands apart; other text as it is. */
export const formatWhole = (number: string | number): string =>
  /^\d+$/.test(String(number)) ? grouped(String(number)) : String(number)

/** What amounts of SOL and of dollars are called. */
const TAKEN = new Set(["$", "SOL"])

/** The name of amounts of a token that has this symbol, with its mint where others are called so. */
export const tokenUnit = (symbol: string, mint: string): string => {
  if (symbol === "") return "tokens"
  const read = symbol
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[^$\p{L}\p{N}]/gu, "")
  return TAKEN.has(read) ? symbolOf(symbol, mint) : symbol
}

/** A symbol beside those of other tokens, which can be the same. */
export const symbolOf = (symbol: string, mint: string): string => `${symbol} (${shortAddress(mint)})`

/** How many there are of what is named: `1 trade`, `1,234 trades`. */
export const formatCount = (count: number, one: string): string =>
  `${formatWhole(count)} ${one}${count === 1 ? "" : "s"}`

/** The name of a quote token: prices without it say nothing. */
export const unitOf = (quoteMint: string | null): string =>
  quoteMint === null ? "" : quoteMint === WRAPPED_SOL ? "SOL" : shortAddress(quoteMint)
