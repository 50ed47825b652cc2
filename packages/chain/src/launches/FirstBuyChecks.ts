import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import { InsufficientFunds } from "@launch-registry/domain/solana/InsufficientFunds"
import type { RawAccount } from "../accounts/AccountReads.ts"
import { associatedTokenAddress } from "../accounts/DerivedAddresses.ts"
import { NATIVE_MINT, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../accounts/Programs.ts"
import { tokenAccountFault } from "../accounts/TokenAccountChecks.ts"
import { tokenAccountOf } from "../accounts/TokenLayouts.ts"
import type { PoolToken } from "../venues/TokenPair.ts"

/** The accounts that a wallet may have for the quote token: before the mint is read, its program is not known. */
export const quoteAccounts = async (signer: string, quoteMint: string) => {
  const [ofSpl, of2022] = await Promise.all(
    [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((program) => associatedTokenAddress(signer, quoteMint, program)),
  )
  return { ofSpl: ofSpl!, of2022: of2022! }
}

/** What a wallet buys with. */
interface Paying {
  readonly signer: string
  readonly quote: PoolToken
  readonly amountIn: bigint
}

/** Why the wallet cannot send the quote tokens of a first buy from its account for them; SOL is wrapped there first. */
export const quoteTokenFault = (
  account: RawAccount | undefined,
  { amountIn, quote, signer }: Paying,
): InsufficientFunds | InvalidIssue | undefined => {
  const fault = tokenAccountFault(account, { ...quote, owner: signer, sends: true })
  if (fault !== undefined)
    return { path: "body.signer", message: `expected a wallet that can send the quote token: ${fault.message}` }
  const held = account === undefined ? 0n : (tokenAccountOf(account)?.amount ?? 0n)
  return quote.mint === NATIVE_MINT || held >= amountIn
    ? undefined
    : InsufficientFunds.of(signer, quote, held, amountIn)
}
