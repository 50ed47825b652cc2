import type { webcrypto } from "node:crypto"
import type { LaunchPurpose } from "@launch-registry/domain/launch/CreateLaunch"
import type { PriorityFee } from "@launch-registry/domain/launch/PriorityFee"
import type { Instruction } from "@solana/kit"
import type { CostPart } from "./LaunchCosts.ts"
import type { PriceOf } from "./PriorityFees.ts"
import type { TransactionPlan, TransactionVersion } from "./UnsignedTransaction.ts"

/** Instructions of a launch that belong into one transaction. */
export interface LaunchStep {
  readonly purpose: LaunchPurpose
  readonly instructions: ReadonlyArray<Instruction>
  /** Keys of new accounts that are signed with here. */
  readonly keys: ReadonlyArray<webcrypto.CryptoKeyPair>
  readonly computeUnits: number
  readonly costs: ReadonlyArray<CostPart>
  /** Lamports that are needed besides, and given back at the end of the transaction. */
  readonly lent: bigint
}

/** A transaction of a launch before it has a blockhash. */
export interface PlannedTransaction {
  readonly steps: ReadonlyArray<LaunchStep>
  readonly plan: TransactionPlan
}

/** How the transactions of a request are paid for and laid out. */
export interface PaymentOptions {
  readonly priorityFee?: PriorityFee | undefined
  readonly transactionVersion?: TransactionVersion | undefined
}

/** Who pays for a transaction, and how. */
export interface Paying {
  readonly feePayer: string
  readonly priceOf: PriceOf
  readonly version: TransactionVersion | undefined
}

/** The steps as one transaction. */
export const planned = (
  steps: ReadonlyArray<LaunchStep>,
  { feePayer, priceOf, version }: Paying,
): PlannedTransaction => {
  const computeUnitLimit = steps.reduce((sum, { computeUnits }) => sum + computeUnits, 0)
  return {
    steps,
    plan: {
      feePayer,
      instructions: steps.flatMap(({ instructions }) => instructions),
      signers: steps.flatMap(({ keys }) => keys),
      computeUnitLimit,
      computeUnitPriceMicroLamports: priceOf(computeUnitLimit),
      version,
    },
  }
}
