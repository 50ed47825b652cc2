import { TRANSACTION_INDEX_MAX } from "@launch-registry/solana/Ordinal"
import {
  isFields,
  isInContext,
  isKey,
  isListOf,
  isNullOr,
  isOptional,
  isSignatureText,
  isSlot,
  isTime,
  isTransactionError,
  isU64,
  isWhole,
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

const isIndex = (value: unknown): boolean => isWhole(value, INDEX_MAX)

const isInstruction = (value: unknown): boolean =>
  isFields(value) &&
  isIndex(value.programIdIndex) &&
  isListOf(value.accounts, isIndex) &&
  typeof value.data === "string" &&
  value.data.length <= DATA_LENGTH_MAX &&
  BASE58.test(value.data) &&
  isOptional((height) => isWhole(height, STACK_HEIGHT_MAX))(value.stackHeight)

const isInner = (value: unknown): boolean =>
  isFields(value) && isIndex(value.index) && isListOf(value.instructions, isInstruction)

const isLoaded = (value: unknown): boolean =>
  isFields(value) && isListOf(value.writable, isKey) && isListOf(value.readonly, isKey)

const lengthOf = (texts: ReadonlyArray<unknown>): number =>
  texts.reduce<number>((sum, text) => sum + (text as string).length, 0)

const isLogs = (value: unknown): boolean =>
  isListOf(value, (line) => typeof line === "string") && lengthOf(value) <= LOG_LENGTH_MAX

const isMeta = (value: unknown): boolean =>
  isFields(value) &&
  isTransactionError(value.err) &&
  isOptional((inner) => isListOf(inner, isInner))(value.innerInstructions) &&
  isOptional(isLoaded)(value.loadedAddresses) &&
  isOptional(isLogs)(value.logMessages)

const isTransaction = (value: unknown, asked: unknown): boolean => {
  if (!isFields(value) || !isFields(value.message)) return false
  const { message, signatures } = value
  return (
    isListOf(message.accountKeys, isKey) &&
    message.accountKeys.length > 0 &&
    isListOf(message.instructions, isInstruction) &&
    isListOf(signatures, isSignatureText) &&
    signatures[0] === asked
  )
}

/** A landed transaction with encoding `json`: the one that was asked for. */
export const isLandedTransaction = (result: unknown, [signature]: Params): boolean =>
  result === null ||
  (isFields(result) &&
    isSlot(result.slot) &&
    isOptional(isTime)(result.blockTime) &&
    isOptional((place) => isWhole(place, PLACE_MAX))(result.transactionIndex) &&
    isMeta(result.meta) &&
    isTransaction(result.transaction, signature))

/** `err` has to be there: without it, every transaction would have failed. */
const isSignatureInfo = (value: unknown): boolean =>
  isFields(value) && isSignatureText(value.signature) && isSlot(value.slot) && isTransactionError(value.err)

/** At most as many as were asked for. */
export const isSignatureList = (result: unknown, [, config]: Params): boolean => {
  const limit = isFields(config) ? config.limit : undefined
  return isListOf(result, isSignatureInfo, limit === undefined ? SIGNATURES_MAX : Number(limit))
}

const isStatus = (value: unknown): boolean =>
  isFields(value) && isSlot(value.slot) && isTransactionError(value.err) && CONFIRMATIONS.has(value.confirmationStatus)

/** As many as were asked for, in their order. */
export const isStatusList = (result: unknown, [signatures]: Params): boolean =>
  isInContext(
    result,
    (value) => isListOf(value, isNullOr(isStatus)) && value.length === (signatures as ReadonlyArray<unknown>).length,
  )

const isRun = (value: unknown): boolean =>
  isFields(value) &&
  isTransactionError(value.err) &&
  isNullOr(isLogs)(value.logs) &&
  isOptional(isU64)(value.unitsConsumed)

export const isSimulation = (result: unknown): boolean => isInContext(result, isRun)

/** A block without transactions, or with their signatures alone: more is never asked for. */
export const isBlock = (result: unknown, [, config]: Params): boolean =>
  result === null ||
  (isFields(result) &&
    isOptional(isSlot)(result.blockHeight) &&
    isOptional(isTime)(result.blockTime) &&
    ((isFields(config) && config.transactionDetails === "none") || isListOf(result.signatures, isSignatureText)))
