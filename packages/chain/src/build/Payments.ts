import type { LaunchCost, WalletFunds } from "@launch-registry/domain/launch/LaunchCost"
import { checkFunds, type Payment } from "./FundsCheck.ts"
import { type CostPart, launchCost, totalOf } from "./LaunchCosts.ts"
import type { RentOf } from "../accounts/Rent.ts"
import { LAMPORTS_PER_SIGNATURE, priorityFeeLamports, shapeOf, type TransactionPlan } from "./UnsignedTransaction.ts"

/** What the transactions take from a wallet that has so many lamports, and whether it can pay. */
export const paymentsOf = (
  transactions: ReadonlyArray<{
    readonly plan: TransactionPlan
    readonly steps: ReadonlyArray<{ readonly costs: ReadonlyArray<CostPart>; readonly lent: bigint }>
  }>,
  lamports: bigint,
  rent: RentOf,
): { readonly cost: LaunchCost; readonly wallet: WalletFunds } => {
  const parts: Array<CostPart> = []
  const payments: Array<Payment> = []
  for (const { plan, steps } of transactions) {
    const network = BigInt(shapeOf(plan).signers.length) * LAMPORTS_PER_SIGNATURE
    const priority = priorityFeeLamports(plan)
    const spent = steps.flatMap(({ costs }) => costs)
    parts.push(...spent, { item: "network_fee", account: null, lamports: network })
    if (priority > 0n) parts.push({ item: "priority_fee", account: null, lamports: priority })
    const lent = steps.reduce((sum, step) => sum + step.lent, 0n)
    payments.push({ fees: network + priority, spent: totalOf(spent), lent })
  }
  return { cost: launchCost(parts), wallet: checkFunds(lamports, payments, rent(0)) }
}
