import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import captured from "../../fixtures/captured-transactions.json" with { type: "json" }

/** A transaction of a captured launch, with its step. */
export interface CapturedTransaction extends RawTransaction {
  readonly launch: string
  readonly step: string
}

/** Steps up to the stage at which the local chain is seeded (`mid`). */
const STEPS_TO_MID = new Set([
  "create-config",
  "create-pool",
  "swap-buy",
  "swap-sell",
  "swap-buy-referral",
  "swap2-exact-out",
])

/** Both captured launches, from configuration to migration. */
export const capturedTransactions = captured as unknown as ReadonlyArray<CapturedTransaction>

/** What happened on the local chain before it was started. */
export const transactionsOfLocalChain = capturedTransactions.filter(({ step }) => STEPS_TO_MID.has(step))
