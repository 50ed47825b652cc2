import {
  ASSOCIATED_TOKEN_PROGRAM,
  DAMM_V1_PROGRAM,
  DAMM_V2_PROGRAM,
  DBC_PROGRAM,
  DYNAMIC_VAULT_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from "../Programs.ts"
import type { AccountTable } from "./AccountTable.ts"
import { dammV1SwapAccounts } from "./DammV1Swaps.ts"
import { emittedBy, type ProgramIndexes } from "./EmittedEvents.ts"
import type { LoggedCalls } from "./LoggedCalls.ts"
import type { DecodableTransaction, RawInstruction } from "./RawTransaction.ts"
import { tokenCalls } from "./TokenBatch.ts"

/** A call of one of our programs, with the calls below its instruction, among which it has this position; -1 for the instruction itself. */
export interface Called {
  readonly call: RawInstruction
  readonly calls: ReadonlyArray<RawInstruction>
  readonly instruction: number
  readonly position: number
}

/** Checks of signatures are made by the runtime, which logs no call of them. */
const UNLOGGED: ReadonlySet<string | undefined> = new Set([
  ...["Ed25519SigVerify111111111111111111111111111", "KeccakSecp256k11111111111111111111111111111"],
  "Secp256r1SigVerify1111111111111111111111111",
])
/** They call none of ours. */
const SIMPLE: ReadonlySet<string | undefined> = new Set([
  ...[ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM],
  "ComputeBudget111111111111111111111111111111",
])

/** Whether the logs name every call of the transaction, from its first instruction to its last: then nothing was cut off. */
export const isAllLogged = (
  logged: LoggedCalls | undefined,
  instructions: ReadonlyArray<RawInstruction>,
  keys: AccountTable,
): boolean => {
  if (logged === undefined || !logged.isWhole) return false
  if (logged.outer === instructions.length) return true
  return logged.outer === instructions.filter(({ programIdIndex }) => !UNLOGGED.has(keys.at(programIdIndex))).length
}

/** Whether calls of a transaction were cut off, as far as events and accounts tell. */
export const missingCalls = (
  { transaction }: DecodableTransaction,
  called: ReadonlyArray<Called>,
  keys: AccountTable,
): "some" | "maybe" | "none" => {
  const programs = programsOf(keys)
  const ours = [programs.dbc, programs.dammV2, programs.dammV1].filter((index) => index >= 0)
  let isDoubtful = false
  for (const { call, calls, position } of called) {
    const emitted = emittedBy(call, position, calls, programs)
    if (emitted === "cut") return "some"
    if (emitted === "doubtful") isDoubtful = true
    const isDammV1 = call.programIdIndex === programs.dammV1
    if (isDammV1 && !hasMoved(call, calls.slice(position + 1), programs)) return "some"
  }
  const { instructions } = transaction.message
  const isNamed = ({ accounts, programIdIndex }: RawInstruction) =>
    ours.includes(programIdIndex) || accounts.some((index) => ours.includes(index))
  // Accounts of a transaction are there for its instructions, but need not be used by one.
  if (!instructions.some(isNamed)) return "maybe"
  // Another program may call ours once more behind the last call that is there.
  const mayHide = instructions.some(
    (one) => !ours.includes(one.programIdIndex) && !SIMPLE.has(keys.at(one.programIdIndex)) && isNamed(one),
  )
  return isDoubtful || mayHide ? "maybe" : "none"
}

const programsOf = (keys: AccountTable): ProgramIndexes => ({
  dbc: keys.indexOf(DBC_PROGRAM),
  dammV2: keys.indexOf(DAMM_V2_PROGRAM),
  dammV1: keys.indexOf(DAMM_V1_PROGRAM),
  vaults: keys.indexOf(DYNAMIC_VAULT_PROGRAM),
  tokens: [keys.indexOf(TOKEN_PROGRAM), keys.indexOf(TOKEN_2022_PROGRAM)].filter((index) => index >= 0),
})

/** It deposits into one dynamic vault and withdraws from another, which burns shares and pays out. */
const hasMoved = (call: RawInstruction, after: ReadonlyArray<RawInstruction>, { tokens, vaults }: ProgramIndexes) => {
  if (dammV1SwapAccounts(call) === undefined) return true
  const [, second] = after.flatMap(({ programIdIndex }, position) => (programIdIndex === vaults ? [position] : []))
  if (second === undefined) return false
  const moving = after.slice(second).filter(({ programIdIndex }) => tokens.includes(programIdIndex))
  return moving.flatMap(tokenCalls).length >= 2
}
