import type { LaunchCost, WalletFunds } from "@launch-registry/domain/launch/LaunchCost"
import { type ExtraAccounts, isFreeAddress, type RawAccount } from "../accounts/AccountReads.ts"
import type { ClaimGroup } from "./ClaimSteps.ts"
import type { ClaimAccounts } from "../venues/Position.ts"
import type { CurveSnapshot } from "../dbc/CurveSnapshot.ts"
import { checkFunds, type Payment } from "../build/FundsCheck.ts"
import { type CostPart, creationRent, launchCost, totalOf } from "../build/LaunchCosts.ts"
import { NATIVE_MINT } from "../accounts/Programs.ts"
import type { RentOf } from "../accounts/Rent.ts"
import { priorityFeeLamports, type TransactionPlan } from "../build/UnsignedTransaction.ts"

/** Only the wallet signs. */
const LAMPORTS_PER_SIGNATURE = 5_000n

/**
 * What the transactions of claims take from the wallet, and whether it can pay. What the claims give does not count: fees are taken
 * first, and token accounts are created before.
 */
export const claimPayments = ({
  accounts,
  curve,
  groups,
  plans,
  rent,
  to,
}: {
  readonly curve: CurveSnapshot
  readonly groups: ReadonlyArray<ClaimGroup>
  readonly plans: ReadonlyArray<TransactionPlan>
  readonly to: ClaimAccounts
  readonly accounts: ExtraAccounts<"wallet" | "baseAccount" | "quoteAccount">
  readonly rent: RentOf
}): { readonly cost: LaunchCost; readonly wallet: WalletFunds } => {
  const { base, quote } = curve
  const isNative = quote.mint === NATIVE_MINT
  const parts: Array<CostPart> = []
  const payments: Array<Payment> = []
  const created = new Set<string>()
  const create = (account: string, found: RawAccount | undefined, program: string): ReadonlyArray<CostPart> => {
    if (created.has(account) || !isFreeAddress(found)) return []
    created.add(account)
    return [{ item: "token_account_rent", account, lamports: creationRent(rent, program, found) }]
  }
  for (const [index, { needsBaseAccount }] of groups.entries()) {
    // The first transaction closes it, with what was there.
    const wrapped = index === 0 ? accounts.quoteAccount : undefined
    const spent = [
      ...(needsBaseAccount ? create(to.baseAccount, accounts.baseAccount, base.program) : []),
      ...(isNative ? [] : create(to.quoteAccount, accounts.quoteAccount, quote.program)),
    ]
    const priority = priorityFeeLamports(plans[index]!)
    parts.push(...spent, { item: "network_fee", account: null, lamports: LAMPORTS_PER_SIGNATURE })
    if (priority > 0n) parts.push({ item: "priority_fee", account: null, lamports: priority })
    payments.push({
      fees: LAMPORTS_PER_SIGNATURE + priority,
      spent: totalOf(spent),
      lent: isNative ? creationRent(rent, quote.program, wrapped) : 0n,
    })
  }
  return { cost: launchCost(parts), wallet: checkFunds(accounts.wallet?.lamports ?? 0n, payments, rent(0)) }
}
