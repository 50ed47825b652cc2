import { type Instruction, isWritableRole } from "@solana/kit"
import { ASSOCIATED_TOKEN_PROGRAM } from "../accounts/Programs.ts"

/** Index of the token account in the instruction that creates it. */
const CREATED = 1

/**
 * The accounts that the instructions write and others write as well, which is what a priority fee is paid for: all but those of
 * the wallet and the ones in `own`. The same for every wallet, so that callers share what they paid lately.
 */
export const contendedAccounts = (
  instructions: ReadonlyArray<Instruction>,
  own: ReadonlyArray<string | undefined>,
): ReadonlyArray<string> => {
  const ours = new Set<string | undefined>(own)
  for (const { accounts = [], programAddress } of instructions)
    if (programAddress === ASSOCIATED_TOKEN_PROGRAM) ours.add(accounts[CREATED]?.address)
  const written = instructions.flatMap(({ accounts = [] }) =>
    accounts.filter(({ address, role }) => isWritableRole(role) && !ours.has(address)).map(({ address }) => address),
  )
  return [...new Set<string>(written)]
}
