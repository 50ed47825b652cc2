import { AccountReader } from "../accounts/AccountReader.ts"
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../accounts/Programs.ts"
import { mintOf, TOKEN_ACCOUNT_BYTES } from "../accounts/TokenLayouts.ts"
import type { Account } from "./Account.ts"
import type { TransactionAccounts } from "./TransactionAccounts.ts"

const TOKEN_PROGRAMS: ReadonlyArray<string> = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]
/** State of a token account: 0 is one that was never initialized. */
const STATE_OFFSET = 108

/** What a token account held, as `getTransaction` answers it; the account by its index in the message. */
export interface TokenBalance {
  readonly accountIndex: number
  readonly mint: string
  readonly owner: string
  readonly programId: string
  /** Smallest units, and the decimals of the mint. */
  readonly uiTokenAmount: { readonly amount: string; readonly decimals: number }
}

/** What the token accounts hold now that a transaction may change. */
export const tokenBalances = (
  { all, writable }: TransactionAccounts,
  accountOf: (address: string) => Account | undefined,
): ReadonlyArray<TokenBalance> =>
  writable.flatMap((address) => {
    const accountIndex = all.indexOf(address)
    const account = accountOf(address)
    if (account === undefined || !isTokenAccount(account)) return []
    const reader = new AccountReader(account.data)
    const mint = reader.address(0)
    const decimals = mintOf(accountOf(mint))?.decimals ?? 0
    const uiTokenAmount = { amount: String(reader.u64(64)), decimals }
    return { accountIndex, mint, owner: reader.address(32), programId: account.owner, uiTokenAmount }
  })

const isTokenAccount = (account: Account): boolean =>
  TOKEN_PROGRAMS.includes(account.owner) &&
  account.data.length >= TOKEN_ACCOUNT_BYTES &&
  mintOf(account) === undefined &&
  account.data[STATE_OFFSET] !== 0
