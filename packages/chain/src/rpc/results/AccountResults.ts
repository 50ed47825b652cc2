import { type Check, fieldsOf, inContext, isFields, isKey, isU64, listOf, nullOr } from "./Scalars.ts"

/** The runtime lets no account grow beyond this. */
const ACCOUNT_BYTES_MAX = 10 * 1024 * 1024

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The number of bytes in padded base64 text; `undefined` when it is not valid. */
const lengthOfBase64 = (text: string): number | undefined => {
  if (text.length % 4 !== 0 || !BASE64.test(text)) return undefined
  return (text.length / 4) * 3 - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0)
}

/** Bytes requested of every account; the caller's filters make sure that each account has that many. */
const sliceLength = (config: unknown): number | undefined => {
  const slice = isFields(config) ? config.dataSlice : undefined
  return isFields(slice) ? Number(slice.length) : undefined
}

/** An account with data in base64, complete: `space` is the length that the node reports. */
const isAccount =
  (config: unknown): Check =>
  (value) => {
    if (!isFields(value) || !isU64(value.lamports) || !isKey(value.owner)) return false
    const { data, space } = value
    if (!Array.isArray(data) || typeof data[0] !== "string" || data[1] !== "base64") return false
    const bytes = data[0].length > 2 * ACCOUNT_BYTES_MAX ? undefined : lengthOfBase64(data[0])
    const expected = sliceLength(config) ?? (space === undefined ? bytes : space)
    return bytes !== undefined && bytes <= ACCOUNT_BYTES_MAX && bytes === expected
  }

type Params = ReadonlyArray<unknown>

/** As many as were asked for, in their order. */
export const isMultipleAccounts = (result: unknown, [addresses, config]: Params): boolean => {
  const isList = listOf(nullOr(isAccount(config)))
  const { length } = addresses as ReadonlyArray<unknown>
  return inContext((value) => isList(value) && (value as ReadonlyArray<unknown>).length === length)(result)
}

export const isProgramAccounts = (result: unknown, [, config]: Params): boolean =>
  listOf(fieldsOf({ pubkey: isKey, account: isAccount(config) }))(result)
