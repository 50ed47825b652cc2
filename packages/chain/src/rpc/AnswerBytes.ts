import type { CheckedMethod } from "./results/ResultChecks.ts"

const [KIB, MIB] = [1024, 1024 * 1024]

/** One value, or an error with a message. */
const VALUE = 64 * KIB
/** Logs are cut after 10 KB by default, and at most a megabyte of them is taken. */
const WITH_LOGS = 2 * MIB
/** The largest account has 10 MiB, which base64 makes a third longer. A hundred of what is read here take a tenth. */
const ACCOUNTS = 16 * MIB

/**
 * The longest answer to each method, in bytes of its body. A longer one is not read to its end: `TooLarge`. Bounds the memory of an answer,
 * and the time to read it.
 */
const ANSWER_BYTES_MAX: Readonly<Record<CheckedMethod | "getTokenAccounts" | "getTransactionsForAddress", number>> = {
  getAccountInfo: ACCOUNTS,
  getBalance: VALUE,
  // 91 bytes for each of at most 65,536 signatures.
  getBlock: 8 * MIB,
  getBlockHeight: VALUE,
  getBlockTime: VALUE,
  getEpochInfo: VALUE,
  getFirstAvailableBlock: VALUE,
  getGenesisHash: VALUE,
  getHealth: VALUE,
  getLatestBlockhash: VALUE,
  getMinimumBalanceForRentExemption: VALUE,
  getMultipleAccounts: ACCOUNTS,
  // 3,700 token accounts, of which the owner and the amount are asked for: they are read within 50 ms.
  getProgramAccounts: MIB,
  // 60 bytes for each of 150 slots.
  getRecentPrioritizationFees: VALUE,
  // 200 bytes for each of 256.
  getSignatureStatuses: MIB,
  // A thousand, each with the memos of its transaction.
  getSignaturesForAddress: 4 * MIB,
  getSlot: VALUE,
  // Token accounts, DAS: 300 bytes for each of a thousand, those of Token-2022 with extensions more.
  getTokenAccounts: 2 * MIB,
  // 150 bytes for each of 20.
  getTokenLargestAccounts: VALUE,
  // A transaction has 4 KB at most, its inner instructions 64 times 14 KB, its balances 256 times 300 bytes.
  getTransaction: 4 * MIB,
  // A thousand whole transactions, by Helius: some 10 MB.
  getTransactionsForAddress: 64 * MIB,
  isBlockhashValid: VALUE,
  requestAirdrop: VALUE,
  sendTransaction: WITH_LOGS,
  simulateTransaction: WITH_LOGS,
}

/** The longest answer to a method. */
export const answerBytesMax = (method: string): number =>
  Object.hasOwn(ANSWER_BYTES_MAX, method) ? ANSWER_BYTES_MAX[method as keyof typeof ANSWER_BYTES_MAX] : VALUE
