import type { LaunchCost, WalletFunds } from "@launch-registry/domain/launch/LaunchCost"
import { checkFunds, type Payment } from "./FundsCheck.ts"
import { type CostPart, launchCost, totalOf } from "./LaunchCosts.ts"
import type { PlannedTransaction } from "./LaunchStep.ts"
import type { RentOf } from "../accounts/Rent.ts"
import { priorityFeeLamports, shapeOf } from "./UnsignedTransaction.ts"

const LAMPORTS_PER_SIGNATURE = 5_000n

/** What the transactions take from a wallet that has so many lamports, and whether it can pay. */
export const paymentsOf = (
  transactions: ReadonlyArray<PlannedTransaction>,
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
