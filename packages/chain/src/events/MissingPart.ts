import { TIME_MAX } from "@launch-registry/domain/solana/BlockTime"
import { TRANSACTION_INDEX_MAX } from "@launch-registry/domain/solana/Ordinal"
import { AccountTable } from "../transactions/AccountTable.ts"
import { decodersIn } from "./Decoders.ts"
import { loggedCalls } from "../transactions/LoggedCalls.ts"
import { type Called, isAllLogged, missingCalls } from "./MissingCalls.ts"
import { innerCalls, type ProgramDecoder } from "../transactions/ProgramDecoder.ts"
import type { DecodableTransaction, RawInstruction } from "../transactions/RawTransaction.ts"

/** A part of a transaction that a source left out: what it would say is unknown. */
export interface MissingPart {
  readonly part: string
  /** Otherwise the transaction may be whole: its logs were cut off, and an old program, or a call that did nothing, would look the same. */
  readonly isCertain: boolean
}

const missing = (part: string): MissingPart => ({ part, isCertain: true })

const ACCOUNTS = "account keys"
const CALLS = "inner instructions"
const INSTRUCTIONS = "instructions"

const SECONDS_END = Number(TIME_MAX) + 1
const PLACES_END = TRANSACTION_INDEX_MAX + 1
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/**
 * What a transaction, as JSON-RPC or a raw webhook wrote it, lacks of what its rows are derived from; `undefined` for one that is whole.
 * Its shape may be anything. One that failed has no rows, and neither has one that does not name our programs.
 *
 * JSON-RPC leaves out what a node did not record, and lists may be cut off anywhere: the logs name every call, and where they do not
 * suffice, the events of our programs tell (`missingCalls`).
 */
export const missingPart = (raw: unknown): MissingPart | undefined => {
  try {
    return missingOf(raw as DecodableTransaction)
  } catch {
    return missing("a part in its usual form")
  }
}

const isIndex = (value: unknown, length: number): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < length

const isAddress = (value: unknown): boolean => typeof value === "string" && ADDRESS.test(value)

const missingOf = (raw: DecodableTransaction): MissingPart | undefined => {
  const { meta, transaction } = raw
  if (typeof meta !== "object" || meta === null || meta.err === undefined) return missing("the outcome")
  const { accountKeys, addressTableLookups, instructions } = transaction.message
  if (!Array.isArray(accountKeys) || !accountKeys.every(isAddress)) return missing(ACCOUNTS)
  if (!Array.isArray(instructions)) return missing(INSTRUCTIONS)
  if (meta.err !== null) return undefined
  if (Array.isArray(addressTableLookups) && !hasLoaded(raw)) return missing("addresses of lookup tables")
  const keys = new AccountTable(raw)
  if (!hasPrograms(instructions, keys)) return missing(INSTRUCTIONS)
  const ours = decodersIn(keys)
  const isNamed = ours.size > 0
  const inner: unknown = meta.innerInstructions
  if (!Array.isArray(inner))
    return isNamed || !instructions.every((one) => hasAccounts(one, keys)) ? missing(CALLS) : undefined
  let count = 0
  for (const { index, instructions: calls } of inner) {
    if (!isIndex(index, instructions.length)) return missing(INSTRUCTIONS)
    if (!hasPrograms(calls, keys)) return missing(ACCOUNTS)
    count += calls.length
  }
  if (!isNamed) return undefined
  const called = calledOf(raw, ours)
  const part = called.length === 0 ? undefined : missingForCalls(raw, called, keys)
  if (part !== undefined) return missing(part)
  const logged = loggedCalls(meta.logMessages)
  if (logged !== undefined && logged.outer > instructions.length) return missing(INSTRUCTIONS)
  if (logged !== undefined && logged.inner > count) return missing(CALLS)
  if (isAllLogged(logged, instructions, keys)) return undefined
  const lacked = missingCalls(raw, called, ours, keys)
  // Nodes that record what was called record the logs as well.
  return lacked === "none" ? undefined : { part: CALLS, isCertain: lacked === "some" || logged === undefined }
}

/** What else is needed to tell what calls of our programs did. */
const missingForCalls = (
  raw: DecodableTransaction,
  called: ReadonlyArray<Called>,
  keys: AccountTable,
): string | undefined => {
  if (!isIndex(raw.blockTime, SECONDS_END)) return "the block time"
  if (raw.indexWithinBlock !== undefined && !isIndex(raw.indexWithinBlock, PLACES_END)) return "the place in the block"
  const balances = raw.meta.postTokenBalances ?? []
  const hasBalance = (account: number) => balances.some(({ accountIndex }) => accountIndex === account)
  for (const { call, decoder } of called) {
    if (!hasAccounts(call, keys)) return ACCOUNTS
    if (!decoder.balances(call).every(hasBalance)) return "token balances"
  }
  return undefined
}

/** Calls of these programs, in order. */
const calledOf = (raw: DecodableTransaction, ours: ReadonlyMap<number, ProgramDecoder>): ReadonlyArray<Called> => {
  const called: Array<Called> = []
  for (const [instruction, outer] of raw.transaction.message.instructions.entries()) {
    const calls = innerCalls(raw, instruction)
    for (let position = -1; position < calls.length; position++) {
      const call = calls[position] ?? outer
      const decoder = ours.get(call.programIdIndex)
      if (decoder !== undefined) called.push({ decoder, call, calls, position })
    }
  }
  return called
}

/** Whether there is an address for each that the transaction names of its lookup tables. */
const hasLoaded = ({ meta: { loadedAddresses }, transaction }: DecodableTransaction): boolean => {
  const lookups = transaction.message.addressTableLookups!
  const writable = lookups.reduce((sum, { writableIndexes }) => sum + writableIndexes.length, 0)
  const readonly = lookups.reduce((sum, { readonlyIndexes }) => sum + readonlyIndexes.length, 0)
  if (writable + readonly === 0) return true
  return loadedAddresses?.writable?.length === writable && loadedAddresses.readonly?.length === readonly
}

/** Whether the programs of these are among the keys. */
const hasPrograms = (instructions: ReadonlyArray<RawInstruction>, keys: AccountTable): boolean => {
  for (const { programIdIndex } of instructions) if (!isIndex(programIdIndex, keys.length)) return false
  return true
}

const hasAccounts = ({ accounts }: RawInstruction, keys: AccountTable): boolean => {
  for (const index of accounts) if (!isIndex(index, keys.length)) return false
  return true
}
