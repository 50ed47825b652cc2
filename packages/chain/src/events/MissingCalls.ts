import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../accounts/Programs.ts"
import type { AccountTable } from "../transactions/AccountTable.ts"
import type { LoggedCalls } from "../transactions/LoggedCalls.ts"
import { calledBelow, type ProgramDecoder } from "../transactions/ProgramDecoder.ts"
import type { DecodableTransaction, RawInstruction } from "../transactions/RawTransaction.ts"

/** A call of one of our programs, with the calls below its instruction, among which it has this position; -1 for the instruction itself. */
export interface Called {
  readonly decoder: ProgramDecoder
  readonly call: RawInstruction
  readonly calls: ReadonlyArray<RawInstruction>
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
  ours: ReadonlyMap<number, ProgramDecoder>,
  keys: AccountTable,
): "some" | "maybe" | "none" => {
  const emitted = called.map(({ call, calls, decoder, position }) =>
    decoder.emitted(call, () => calledBelow(call, position, calls), keys),
  )
  if (emitted.includes("cut")) return "some"
  const { instructions } = transaction.message
  const isNamed = ({ accounts, programIdIndex }: RawInstruction) =>
    ours.has(programIdIndex) || accounts.some((index) => ours.has(index))
  // Accounts of a transaction are there for its instructions, but need not be used by one.
  if (!instructions.some(isNamed)) return "maybe"
  // Another program may call ours once more behind the last call that is there.
  const mayHide = instructions.some(
    (one) => !ours.has(one.programIdIndex) && !SIMPLE.has(keys.at(one.programIdIndex)) && isNamed(one),
  )
  return mayHide || emitted.includes("doubtful") ? "maybe" : "none"
}
