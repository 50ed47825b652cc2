import { plain } from "@launch-registry/domain/text/PlainText"

/** Most digits of an amount: those of 2^256 - 1. */
const DIGITS_MAX = 78

/**
 * A text of the swap service made safe to store and show: one line without control or deceptive characters, of bounded
 * length in UTF-16 units. Lone surrogates and NUL are removed, because PostgreSQL rejects both.
 */
export const upstreamText = (text: string, lengthMax: number): string => plain(text, lengthMax).toWellFormed()

/** `amount` without leading zeros; `undefined` unless it is a whole number as text. */
export const canonicalUnits = (amount: unknown): string | undefined =>
  typeof amount === "string" && amount.length <= DIGITS_MAX && /^\d+$/.test(amount)
    ? amount.replace(/^0+(?=\d)/, "")
    : undefined

type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)
