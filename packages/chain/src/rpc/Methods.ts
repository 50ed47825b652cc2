import type { SolanaRpcApi } from "@solana/kit"
import { isMultipleAccounts, isProgramAccounts } from "./results/AccountResults.ts"
import {
  fieldsOf,
  inContext,
  isKey,
  isSignatureText,
  isSlot,
  isTime,
  isU64,
  listOf,
  nullOr,
} from "./results/Scalars.ts"
import {
  isBlock,
  isLandedTransaction,
  isSignatureList,
  isSimulation,
  isStatusList,
} from "./results/TransactionResults.ts"

/** How calls of a method may be treated. */
export interface MethodPolicy {
  /**
   * `read`: may be asked of several endpoints at once. `send`: the same signed bytes may be sent again, because one
   * signature cannot execute twice. `once`: never sent a second time.
   */
  readonly kind: "read" | "send" | "once"
  /** Deadline of one attempt. */
  readonly deadlineMillis: number
  /** Deadline of the whole call, all attempts included. */
  readonly totalMillis: number
  /** Bounds of the time after which a second endpoint is asked as well. */
  readonly hedgeMillisMin: number
  readonly hedgeMillisMax: number
  /** How much a node has to do depends on what is asked for: a late or missing answer says nothing of the endpoint, probes do. */
  readonly isOfAnySize?: boolean
}

const READ: MethodPolicy = {
  ...{ kind: "read", deadlineMillis: 1_000, totalMillis: 2_200 },
  ...{ hedgeMillisMin: 50, hedgeMillisMax: 500 },
}
/** Long ranges of history. Probes detect a dead endpoint long before this deadline. */
const SCAN: MethodPolicy = {
  ...{ kind: "read", deadlineMillis: 8_000, totalMillis: 10_000 },
  ...{ hedgeMillisMin: 500, hedgeMillisMax: 4_000 },
}
/** Anybody can have the token accounts of any mint read. */
const SCAN_OF_ANY_SIZE: MethodPolicy = { ...SCAN, isOfAnySize: true }
const SEND: MethodPolicy = { ...READ, kind: "send" }
const ONCE: MethodPolicy = { ...READ, kind: "once", deadlineMillis: 2_000 }

const [KIB, MIB] = [1024, 1024 * 1024]
/** One value, or an error with a message. */
const VALUE_BYTES = 64 * KIB
/** Logs are cut after 10 KB by default, and at most a megabyte of them is taken. */
const LOG_BYTES = 2 * MIB

interface Method {
  /**
   * Whether `result`, its whole numbers exact, is what the method gives for these parameters: the parts of it that are read here, everything
   * else is ignored.
   */
  readonly isSound: (result: unknown, params: ReadonlyArray<unknown>) => boolean
  /**
   * The longest answer, in bytes of its body. A longer one is not read to its end: `TooLarge`. Bounds the memory of an answer, and the time to
   * read it. One value by default.
   */
  readonly bytesMax?: number
  /** A read by default. */
  readonly policy?: MethodPolicy
}

/** The methods that are called. One that is not here cannot be: `CheckedApi` does not have it. */
export const METHODS = {
  getBalance: { isSound: inContext(isU64) },
  // 91 bytes for each of at most 65,536 signatures.
  getBlock: { isSound: isBlock, bytesMax: 8 * MIB, policy: SCAN },
  getBlockHeight: { isSound: isSlot },
  getBlockTime: { isSound: nullOr(isTime) },
  getEpochInfo: { isSound: fieldsOf({ absoluteSlot: isSlot, blockHeight: isSlot }) },
  getFirstAvailableBlock: { isSound: isSlot },
  getGenesisHash: { isSound: isKey },
  getLatestBlockhash: { isSound: inContext(fieldsOf({ blockhash: isKey, lastValidBlockHeight: isSlot })) },
  getMinimumBalanceForRentExemption: { isSound: isU64 },
  // The largest account has 10 MiB, which base64 makes a third longer. A hundred of what is read here take a tenth.
  getMultipleAccounts: { isSound: isMultipleAccounts, bytesMax: 16 * MIB },
  // 3,700 token accounts, of which the owner and the amount are asked for: they are read within 50 ms.
  getProgramAccounts: { isSound: isProgramAccounts, bytesMax: MIB, policy: SCAN_OF_ANY_SIZE },
  // 60 bytes for each of 150 slots.
  getRecentPrioritizationFees: { isSound: listOf(fieldsOf({ slot: isSlot, prioritizationFee: isU64 }), 1_000) },
  // 200 bytes for each of 256.
  getSignatureStatuses: { isSound: isStatusList, bytesMax: MIB },
  // A thousand, each with the memos of its transaction.
  getSignaturesForAddress: { isSound: isSignatureList, bytesMax: 4 * MIB, policy: SCAN },
  getSlot: { isSound: isSlot },
  // 150 bytes for each of 20.
  getTokenLargestAccounts: { isSound: inContext(listOf(fieldsOf({ address: isKey }), 20)), policy: SCAN_OF_ANY_SIZE },
  // A transaction has 4 KB at most, its inner instructions 64 times 14 KB, its balances 256 times 300 bytes.
  getTransaction: { isSound: isLandedTransaction, bytesMax: 4 * MIB },
  isBlockhashValid: { isSound: inContext((value) => typeof value === "boolean") },
  requestAirdrop: { isSound: isSignatureText, policy: ONCE },
  sendTransaction: { isSound: isSignatureText, bytesMax: LOG_BYTES, policy: SEND },
  simulateTransaction: { isSound: isSimulation, bytesMax: LOG_BYTES },
} satisfies { readonly [Name in keyof SolanaRpcApi]?: Method }

export type CheckedMethod = keyof typeof METHODS

/** The methods of the JSON-RPC API that are called. */
export type CheckedApi = Pick<SolanaRpcApi, CheckedMethod>

const methodOf = (name: string): Method | undefined =>
  Object.hasOwn(METHODS, name) ? METHODS[name as CheckedMethod] : undefined

/** Whether a result is what its method gives. */
export const isSoundResult = (method: string, params: ReadonlyArray<unknown>, result: unknown): boolean =>
  methodOf(method)?.isSound(result, params) === true

/** The longest answer to a method. */
export const answerBytesMax = (method: string): number => methodOf(method)?.bytesMax ?? VALUE_BYTES

export const policyOf = (method: string): MethodPolicy => methodOf(method)?.policy ?? READ
