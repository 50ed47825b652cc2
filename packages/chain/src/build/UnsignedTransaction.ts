import type { webcrypto } from "node:crypto"
import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget"
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getTransactionEncoder,
  type Instruction,
  partiallySignTransaction,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLoadedAccountsDataSizeLimit,
  setTransactionMessagePriorityFeeLamports,
} from "@solana/kit"
import { Effect } from "effect"
import { chainUnavailable } from "../accounts/AccountReads.ts"
import type { SeenBlockhash } from "../rpc/ChainHead.ts"
import type { Rpc } from "../rpc/Rpc.ts"

/** What of a transaction says how it is laid out: 1 is larger, and has its limits in the message (SIMD-0385). */
export type TransactionVersion = 0 | 1

/** Largest size by version, in bytes. */
export const TRANSACTION_BYTES_MAX: Readonly<Record<TransactionVersion, number>> = { 0: 1_232, 1: 4_096 }

/** What version 0 may load by default. Version 1 has no default: without a limit nothing can be loaded. */
const LOADED_BYTES_DEFAULT = 64 * 1024 * 1024

/** Default price of a compute unit: enough to be scheduled, worth less than a signature. */
export const DEFAULT_PRICE_MICRO_LAMPORTS = 10_000n

/** A transaction that the wallet of its fee payer has yet to sign, and until when it can land. */
export interface UnsignedTransaction {
  /** Wire bytes, in base64. */
  readonly transaction: string
  readonly blockhash: string
  readonly lastValidBlockHeight: string
  readonly expiresInSeconds: number
  readonly slot: string
  readonly computeUnitLimit: number
  readonly priorityFeeLamports: string
}

const MICRO = 1_000_000n
export const LAMPORTS_PER_SIGNATURE = 5_000n

/** What the network takes for compute units, in lamports: for those that are asked for, used or not, rounded up. */
export const priorityFeeLamports = ({
  computeUnitLimit,
  computeUnitPriceMicroLamports,
}: Pick<TransactionPlan, "computeUnitLimit" | "computeUnitPriceMicroLamports">): bigint =>
  (BigInt(computeUnitLimit) * computeUnitPriceMicroLamports + MICRO - 1n) / MICRO

/** A transaction would not fit a packet of the network. */
export class TransactionTooLarge extends Error {
  constructor(bytes: number, version: TransactionVersion) {
    super(`the transaction takes ${bytes} bytes, more than ${TRANSACTION_BYTES_MAX[version]}`)
  }
}

/** What goes into a transaction. */
export interface TransactionPlan {
  readonly feePayer: string
  readonly instructions: ReadonlyArray<Instruction>
  /** Keys that sign besides the wallet, such as that of a new account. */
  readonly signers: ReadonlyArray<webcrypto.CryptoKeyPair>
  readonly computeUnitLimit: number
  readonly computeUnitPriceMicroLamports: bigint
  /** 0 by default, which every wallet signs. */
  readonly version?: TransactionVersion | undefined
  /** Bytes of all accounts that are loaded, programs among them; of version 1 alone. */
  readonly loadedBytesLimit?: number | undefined
}

const compiled = (plan: TransactionPlan, latest: Pick<SeenBlockhash, "blockhash" | "lastValidBlockHeight">) => {
  const { computeUnitLimit, computeUnitPriceMicroLamports, feePayer, instructions } = plan
  const lifetime = {
    blockhash: latest.blockhash as Blockhash,
    lastValidBlockHeight: latest.lastValidBlockHeight,
  }
  if (plan.version === 1) {
    const message = pipe(
      createTransactionMessage({ version: 1 }),
      (empty) => setTransactionMessageFeePayer(feePayer as Address, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
      (live) => setTransactionMessageComputeUnitLimit(computeUnitLimit, live),
      (limited) =>
        setTransactionMessageLoadedAccountsDataSizeLimit(plan.loadedBytesLimit ?? LOADED_BYTES_DEFAULT, limited),
      (limited) => setTransactionMessagePriorityFeeLamports(priorityFeeLamports(plan), limited),
      (priced) => appendTransactionMessageInstructions(instructions, priced),
    )
    return compileTransaction(message)
  }
  const budget = [
    getSetComputeUnitLimitInstruction({ units: computeUnitLimit }),
    getSetComputeUnitPriceInstruction({ microLamports: computeUnitPriceMicroLamports }),
  ]
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(feePayer as Address, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (live) => appendTransactionMessageInstructions([...budget, ...instructions], live),
  )
  return compileTransaction(message)
}

/** Any blockhash takes 32 bytes. */
const ANY_BLOCKHASH = { blockhash: "1".repeat(32), lastValidBlockHeight: 0n }

/** Whether the signed transaction fits a packet. */
export const fits = (plan: TransactionPlan): boolean => shapeOf(plan).bytes <= TRANSACTION_BYTES_MAX[plan.version ?? 0]

/** Size of the signed transaction in bytes, and who signs, the fee payer first. */
export const shapeOf = (plan: TransactionPlan): { readonly bytes: number; readonly signers: ReadonlyArray<string> } => {
  const transaction = compiled(plan, ANY_BLOCKHASH)
  return { bytes: getTransactionEncoder().encode(transaction).length, signers: Object.keys(transaction.signatures) }
}

/** Builds transactions on one latest blockhash, signed with the keys of new accounts. One that would not fit a packet is a defect. */
export const buildTransactions = Effect.fnUntraced(function* (
  rpc: Rpc["Service"],
  plans: ReadonlyArray<TransactionPlan>,
) {
  const latest = yield* Effect.catch(rpc.getLatestBlockhash, chainUnavailable)
  const build = async (plan: TransactionPlan) => {
    const unsigned = compiled(plan, latest)
    const signed = plan.signers.length === 0 ? unsigned : await partiallySignTransaction([...plan.signers], unsigned)
    const size = getTransactionEncoder().encode(signed).length
    const { version = 0 } = plan
    if (size > TRANSACTION_BYTES_MAX[version]) throw new TransactionTooLarge(size, version)
    return {
      transaction: getBase64EncodedWireTransaction(signed) as string,
      size,
      signers: Object.keys(signed.signatures),
      computeUnitLimit: plan.computeUnitLimit,
      priorityFeeLamports: priorityFeeLamports(plan).toString(),
    }
  }
  return {
    blockhash: latest.blockhash as string,
    lastValidBlockHeight: latest.lastValidBlockHeight.toString(),
    expiresInSeconds: latest.expiresInSeconds,
    slot: latest.slot.toString(),
    transactions: yield* Effect.promise(() => Promise.all(plans.map(build))),
  }
})

/** Builds one. */
export const buildTransaction = (
  rpc: Rpc["Service"],
  plan: TransactionPlan,
): Effect.Effect<UnsignedTransaction, Unavailable> =>
  Effect.map(buildTransactions(rpc, [plan]), ({ transactions: [built], ...latest }) => {
    const { computeUnitLimit, priorityFeeLamports: fee, transaction } = built!
    return { transaction, ...latest, computeUnitLimit, priorityFeeLamports: fee }
  })
