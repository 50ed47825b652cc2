import type { AccountTable } from "./AccountTable.ts"
import type { RawInstruction } from "./RawTransaction.ts"

/** A call of a program, and where it stands. */
export interface ProgramCall {
  readonly instruction: number
  /** -1 for the instruction itself. */
  readonly innerInstruction: number
  readonly raw: RawInstruction
}

/** An account that a call was given, by its position among them; empty where there is none. */
export const accountOf = ({ raw }: ProgramCall, position: number, keys: AccountTable): string => {
  const index = raw.accounts[position]
  return index === undefined ? "" : (keys.at(index) ?? "")
}
