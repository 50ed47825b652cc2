import {
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  ComputeBudgetInstruction,
  parseComputeBudgetInstruction,
} from "@solana-program/compute-budget"
import { decompileTransactionMessage } from "@solana/kit"
import { SYSTEM_PROGRAM } from "../accounts/Programs.ts"
import type { TransactionMessage } from "../submissions/TransactionMessage.ts"

const LAMPORTS_PER_SIGNATURE = 5_000n
const MICROLAMPORTS_PER_LAMPORT = 1_000_000n
/** Programs of the node itself. */
const BUILTINS: ReadonlyArray<string> = [SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM_ADDRESS]
/** What an instruction counts where a transaction states no limit: of such a program, or of any other. */
const BUILTIN_UNITS = 3_000
const PROGRAM_UNITS = 200_000
const UNITS_MAX = 1_400_000

/** What only version 1 has. */
export const configOf = ({ compiled }: TransactionMessage) =>
  compiled.version === 1 ? (decompileTransactionMessage(compiled).config ?? {}) : undefined

/** The fee of a transaction with this message, in lamports: 5,000 for each signature, and the priority fee. */
export const feeOf = (message: TransactionMessage): bigint => {
  const config = configOf(message)
  return (
    BigInt(message.header.numSignerAccounts) * LAMPORTS_PER_SIGNATURE +
    (config === undefined ? pricedFee(message) : (config.priorityFeeLamports ?? 0n))
  )
}

/** A price for each unit of the limit, in legacy and version 0. */
const pricedFee = ({ instructions, staticAccounts }: TransactionMessage): bigint => {
  let [price, units] = [0n, 0]
  let limit: number | undefined
  for (const { data, programAddressIndex } of instructions) {
    const programAddress = staticAccounts[programAddressIndex]!
    units += BUILTINS.includes(programAddress) ? BUILTIN_UNITS : PROGRAM_UNITS
    if (programAddress !== COMPUTE_BUDGET_PROGRAM_ADDRESS) continue
    const parsed = parseComputeBudgetInstruction({ programAddress, data })
    if (parsed.instructionType === ComputeBudgetInstruction.SetComputeUnitPrice)
      price = BigInt(parsed.data.microLamports)
    if (parsed.instructionType === ComputeBudgetInstruction.SetComputeUnitLimit) limit = parsed.data.units
  }
  const microlamports = price * BigInt(Math.min(limit ?? units, UNITS_MAX))
  return (microlamports + MICROLAMPORTS_PER_LAMPORT - 1n) / MICROLAMPORTS_PER_LAMPORT
}
