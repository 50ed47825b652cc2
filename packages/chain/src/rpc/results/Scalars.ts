import { TIME_MAX } from "@launch-registry/domain/solana/BlockTime"
import { isAddress } from "@launch-registry/domain/solana/AddressText"
import { SLOT_MAX } from "@launch-registry/domain/solana/Ordinal"
import { isSignature } from "@launch-registry/domain/solana/SignatureText"
import { exactJson } from "../LosslessJson.ts"

/**
 * Values of JSON-RPC results as `parseLossless` reads them: whole numbers are numbers up to 2^53, and bigints beyond. Predicates by hand,
 * because every answer of every endpoint passes them.
 */
export type Fields = Readonly<Record<string, unknown>>

/** Whether a value is what belongs in its place. */
export type Check = (value: unknown) => boolean

const U64_MAX = 2n ** 64n - 1n

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isWhole = (value: unknown, maximum: bigint): value is number | bigint =>
  (Number.isSafeInteger(value) || typeof value === "bigint") &&
  (value as number | bigint) >= 0 &&
  (value as number | bigint) <= maximum

export const isSlot = (value: unknown): value is number | bigint => isWhole(value, SLOT_MAX)

export const isU64 = (value: unknown): value is number | bigint => isWhole(value, U64_MAX)

/** Seconds since 1970. */
export const isTime = (value: unknown): value is number | bigint => isWhole(value, TIME_MAX)

/** 32 bytes in base58: an address, a blockhash, a genesis hash. */
export const isKey = (value: unknown): value is string => typeof value === "string" && isAddress(value)

/** 64 bytes in base58. */
export const isSignatureText = (value: unknown): value is string => typeof value === "string" && isSignature(value)

export const nullOr =
  (isRight: Check): Check =>
  (value) =>
    value === null || isRight(value)

/** `null`, or left out: what older nodes do not tell. */
export const optional =
  (isRight: Check): Check =>
  (value) =>
    value === null || value === undefined || isRight(value)

export const listOf =
  (isRight: Check, lengthMax = Number.POSITIVE_INFINITY): Check =>
  (value) =>
    Array.isArray(value) && value.length <= lengthMax && value.every(isRight)

/** An object with these fields; all others are ignored. */
export const fieldsOf = (checks: Readonly<Record<string, Check>>): Check => {
  const entries = Object.entries(checks)
  return (value) => isFields(value) && entries.every(([name, isRight]) => isRight(value[name]))
}

/** A value, and the slot it was read at. */
export const inContext = (isRight: Check): Check => fieldsOf({ context: fieldsOf({ slot: isSlot }), value: isRight })

/** Names and numbers of an error, such as `{ InstructionError: [2, { Custom: 6002 }] }`. */
const ERROR_LENGTH_MAX = 2_000
const ERROR_NAME = /^[A-Za-z]\w{0,99}$/

/** Why a transaction failed, and `null` when it did not: variants differ between versions, so only its size is checked. */
export const isTransactionError = (value: unknown): boolean => {
  if (value === null) return true
  if (typeof value === "string") return ERROR_NAME.test(value)
  return isFields(value) && Object.keys(value).length > 0 && exactJson(value).length <= ERROR_LENGTH_MAX
}
