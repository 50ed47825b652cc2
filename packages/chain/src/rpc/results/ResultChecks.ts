import type { SolanaRpcApi } from "@solana/kit"
import { isAccountInfo, isBalance, isLargestAccounts, isMultipleAccounts, isProgramAccounts } from "./AccountResults.ts"
import { isFields, isInContext, isKey, isListOf, isNullOr, isSignatureText, isSlot, isTime, isU64 } from "./Scalars.ts"
import { isBlock, isLandedTransaction, isSignatureList, isSimulation, isStatusList } from "./TransactionResults.ts"

/** Whether `result`, its whole numbers exact, is what a method gives for these parameters. */
type ResultCheck = (result: unknown, params: ReadonlyArray<unknown>) => boolean

const isLatestBlockhash: ResultCheck = (result) =>
  isInContext(result, (value) => isFields(value) && isKey(value.blockhash) && isSlot(value.lastValidBlockHeight))

const isEpochInfo: ResultCheck = (result) =>
  isFields(result) && isSlot(result.absoluteSlot) && isSlot(result.blockHeight)

const isValidity: ResultCheck = (result) => isInContext(result, (value) => typeof value === "boolean")

/** Nodes remember 150 slots. */
const FEES_MAX = 1_000

const isFeeList: ResultCheck = (result) =>
  isListOf(result, (fee) => isFields(fee) && isSlot(fee.slot) && isU64(fee.prioritizationFee), FEES_MAX)

/**
 * The parts of each method's result that are read here; everything else is ignored. A method without a check cannot be
 * called: `CheckedApi` does not have it.
 */
export const RESULT_CHECKS = {
  getAccountInfo: isAccountInfo,
  getBalance: isBalance,
  getBlock: isBlock,
  getBlockHeight: isSlot,
  getBlockTime: isNullOr(isTime),
  getEpochInfo: isEpochInfo,
  getFirstAvailableBlock: isSlot,
  getGenesisHash: isKey,
  getHealth: (result) => result === "ok",
  getLatestBlockhash: isLatestBlockhash,
  getMinimumBalanceForRentExemption: isU64,
  getMultipleAccounts: isMultipleAccounts,
  getProgramAccounts: isProgramAccounts,
  getRecentPrioritizationFees: isFeeList,
  getSignatureStatuses: isStatusList,
  getSignaturesForAddress: isSignatureList,
  getSlot: isSlot,
  getTokenLargestAccounts: isLargestAccounts,
  getTransaction: isLandedTransaction,
  isBlockhashValid: isValidity,
  requestAirdrop: isSignatureText,
  sendTransaction: isSignatureText,
  simulateTransaction: isSimulation,
} satisfies { readonly [Method in keyof SolanaRpcApi]?: ResultCheck }

export type CheckedMethod = keyof typeof RESULT_CHECKS

/** The methods of the JSON-RPC API whose results are checked. */
export type CheckedApi = Pick<SolanaRpcApi, CheckedMethod>

/** Whether a result is what its method gives. */
export const isSoundResult = (method: string, params: ReadonlyArray<unknown>, result: unknown): boolean =>
  Object.hasOwn(RESULT_CHECKS, method) && RESULT_CHECKS[method as CheckedMethod](result, params)
