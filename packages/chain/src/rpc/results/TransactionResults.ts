import { TRANSACTION_INDEX_MAX } from "@launch-registry/domain/solana/Ordinal"
import {
  type Check,
  fieldsOf,
  inContext,
  isFields,
  isKey,
  isSignatureText,
  isSlot,
  isTime,
  isTransactionError,
  isU64,
  isWhole,
  listOf,
  nullOr,
  optional,
} from "./Scalars.ts"

/** Accounts of a transaction are counted in a byte. */
const INDEX_MAX = 255n
const PLACE_MAX = BigInt(TRANSACTION_INDEX_MAX)
/** Instructions called by programs have at most 10 KB of data. */
const DATA_LENGTH_MAX = 15_000
const STACK_HEIGHT_MAX = 64n
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]*$/

/** Agave truncates logs at 10 KB by default. */
const LOG_LENGTH_MAX = 1_000_000

/** The most that `getSignaturesForAddress` lists. */
const SIGNATURES_MAX = 1_000
const CONFIRMATIONS: ReadonlySet<unknown> = new Set([null, undefined, "processed", "confirmed", "finalized"])

type Params = ReadonlyArray<unknown>

const upTo =
  (maximum: bigint): Check =>
  (value) =>
    isWhole(value, maximum)

const areInstructions = listOf(
  fieldsOf({
    programIdIndex: upTo(INDEX_MAX),
    accounts: listOf(upTo(INDEX_MAX)),
    data: (data) => typeof data === "string" && data.length <= DATA_LENGTH_MAX && BASE58.test(data),
    stackHeight: optional(upTo(STACK_HEIGHT_MAX)),
  }),
)

const isLogs: Check = (value) =>
  listOf((line) => typeof line === "string")(value) &&
  (value as ReadonlyArray<string>).reduce((sum, line) => sum + line.length, 0) <= LOG_LENGTH_MAX

const isLanded = fieldsOf({
  slot: isSlot,
  blockTime: optional(isTime),
  transactionIndex: optional(upTo(PLACE_MAX)),
  meta: fieldsOf({
    err: isTransactionError,
    innerInstructions: optional(listOf(fieldsOf({ index: upTo(INDEX_MAX), instructions: areInstructions }))),
    loadedAddresses: optional(fieldsOf({ writable: listOf(isKey), readonly: listOf(isKey) })),
    logMessages: optional(isLogs),
  }),
  transaction: fieldsOf({
    message: fieldsOf({
      accountKeys: (keys) => listOf(isKey)(keys) && (keys as ReadonlyArray<unknown>).length > 0,
      instructions: areInstructions,
    }),
    signatures: listOf(isSignatureText),
  }),
})

/** A landed transaction with encoding `json`: the one that was asked for. */
export const isLandedTransaction = (result: unknown, [signature]: Params): boolean =>
  result === null ||
  (isLanded(result) &&
    (result as { readonly transaction: { readonly signatures: Params } }).transaction.signatures[0] === signature)

/** `err` has to be there: without it, every transaction would have failed. At most as many as were asked for. */
export const isSignatureList = (result: unknown, [, config]: Params): boolean => {
  const limit = isFields(config) ? config.limit : undefined
  const isInfo = fieldsOf({ signature: isSignatureText, slot: isSlot, err: isTransactionError })
  return listOf(isInfo, limit === undefined ? SIGNATURES_MAX : Number(limit))(result)
}

const areStatuses = listOf(
  nullOr(
    fieldsOf({
      slot: isSlot,
      err: isTransactionError,
      confirmationStatus: (status) => CONFIRMATIONS.has(status),
    }),
  ),
)

/** As many as were asked for, in their order. */
export const isStatusList = (result: unknown, [signatures]: Params): boolean =>
  inContext((value) => areStatuses(value) && (value as Params).length === (signatures as Params).length)(result)

export const isSimulation = inContext(
  fieldsOf({ err: isTransactionError, logs: nullOr(isLogs), unitsConsumed: optional(isU64) }),
)

/** A block without transactions, or with their signatures alone: more is never asked for. */
export const isBlock = (result: unknown, [, config]: Params): boolean => {
  const isBare = isFields(config) && config.transactionDetails === "none"
  const signatures: Check = isBare ? () => true : listOf(isSignatureText)
  return nullOr(fieldsOf({ blockHeight: optional(isSlot), blockTime: optional(isTime), signatures }))(result)
}
