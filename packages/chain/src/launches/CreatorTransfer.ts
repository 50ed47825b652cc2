import type { NotFound } from "@launch-registry/domain/http/NotFound"
import type { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { CreatorNotTransferable } from "@launch-registry/domain/launch/TransferCreator"
import { Effect } from "effect"
import { isFreeAddress } from "../accounts/AccountReads.ts"
import { rentOf, SYSVAR_RENT } from "../accounts/Rent.ts"
import { contendedAccounts } from "../build/ContendedAccounts.ts"
import type { PaymentOptions } from "../build/LaunchStep.ts"
import { paymentsOf } from "../build/Payments.ts"
import type { PriorityFees } from "../build/PriorityFees.ts"
import { refuseIssues } from "../build/RefuseIssues.ts"
import { isReservedAddress, signingIssues } from "../build/SigningKeys.ts"
import { buildTransaction } from "../build/UnsignedTransaction.ts"
import { type CurveSnapshot, venueOf } from "../dbc/CurveSnapshot.ts"
import { transferCreatorInstruction } from "../dbc/DbcInstructions.ts"
import type { Pools } from "../pools/Pools.ts"
import type { Rpc } from "../rpc/Rpc.ts"
import type { PaidTransaction } from "./LaunchTransactions.ts"

/** Measured at 12k. */
const TRANSFER_UNITS = 30_000
/** `migration_progress` between the last purchase and the migration. */
const AWAITS_MIGRATION = [1, 2]

/** A pool to hand over. */
export interface CreatorTransfer extends PaymentOptions {
  readonly baseMint: string
  /** The present creator, who signs and pays. */
  readonly wallet: string
  readonly newCreator: string
}

export interface CreatorTransferTransaction extends PaidTransaction {
  readonly pool: string
}

interface Services {
  readonly rpc: Rpc["Service"]
  readonly pools: Pools["Service"]
  readonly fees: PriorityFees["Service"]
}

/** Builds the transaction that gives a pool another creator, which the program would take. */
export const buildCreatorTransfer = Effect.fn("buildCreatorTransfer")(function* (
  { fees, pools, rpc }: Services,
  { baseMint, newCreator, priorityFee, transactionVersion: version, wallet }: CreatorTransfer,
): Effect.fn.Return<CreatorTransferTransaction, InvalidRequest | NotFound | CreatorNotTransferable | Unavailable> {
  yield* refuseIssues([
    ...signingIssues("body.walletAddress", wallet, { "the base mint": baseMint }),
    ...fees.issuesOf(priorityFee),
  ])
  const named = () => Promise.resolve({ wallet, rent: SYSVAR_RENT })
  const { accounts, curve } = yield* pools.getCurveWith(baseMint, named)
  const { config, creator } = curve.pool
  yield* refuseIssues([
    ...receiverIssues(curve, newCreator),
    ...(isFreeAddress(accounts.wallet)
      ? []
      : [{ path: "body.walletAddress", message: "expected a wallet: this account belongs to a program" }]),
  ])
  const reason = refusalOf(curve, wallet)
  if (reason !== undefined) return yield* new CreatorNotTransferable({ mintAddress: baseMint, creator, reason })
  const instructions = [transferCreatorInstruction({ config, pool: curve.address }, wallet, newCreator)]
  const priceOf = yield* fees.priceOf(priorityFee, contendedAccounts(instructions, [wallet]))
  const plan = {
    ...{ feePayer: wallet, instructions, signers: [], version, computeUnitLimit: TRANSFER_UNITS },
    computeUnitPriceMicroLamports: priceOf(TRANSFER_UNITS),
  }
  const rent = yield* rentOf(accounts.rent)
  const payments = paymentsOf([{ plan, steps: [] }], accounts.wallet?.lamports ?? 0n, rent)
  return { pool: curve.address, unsigned: yield* buildTransaction(rpc, plan), ...payments }
})

/** Who holds no key, and no program signs for it, could never hand the pool on. */
const receiverIssues = ({ address, base, pool, quote }: CurveSnapshot, newCreator: string) => {
  const path = "body.newCreator"
  if (newCreator === pool.creator)
    return [{ path, message: "expected another address: this one is the creator already" }]
  return isReservedAddress(newCreator) || [address, base.mint, quote.mint, pool.config].includes(newCreator)
    ? [
        {
          path,
          message: "expected an address that somebody can claim with, not that of a program, a sysvar or the pool",
        },
      ]
    : []
}

const refusalOf = (curve: CurveSnapshot, wallet: string): CreatorNotTransferable["reason"] | undefined => {
  const { creator, isMigrated, migrationProgress } = curve.pool
  if (creator !== wallet) return "not_creator"
  if (AWAITS_MIGRATION.includes(migrationProgress)) return "not_migrated"
  return isMigrated && venueOf(curve) === "damm_v1" ? "damm_v1" : undefined
}
