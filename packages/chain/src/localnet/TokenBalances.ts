import { mintOf, tokenAccountOf } from "../accounts/TokenLayouts.ts"
import type { Account } from "./Account.ts"
import type { TransactionAccounts } from "./TransactionAccounts.ts"

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
    const account = accountOf(address)
    const held = account && tokenAccountOf(account)
    if (account === undefined || held === undefined) return []
    const { amount, mint, owner } = held
    const decimals = mintOf(accountOf(mint))?.decimals ?? 0
    const uiTokenAmount = { amount: String(amount), decimals }
    return { accountIndex: all.indexOf(address), mint, owner, programId: account.owner, uiTokenAmount }
  })
