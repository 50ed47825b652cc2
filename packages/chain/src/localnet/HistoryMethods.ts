import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { readMessage } from "../submissions/TransactionMessage.ts"
import { addressParam } from "./AccountMethods.ts"
import { invalidParams, JsonRpcFault } from "./JsonRpcFault.ts"
import type { Ledger } from "./Ledger.ts"
import type { Outcome } from "./Outcome.ts"
import { SEED_SLOT } from "./SeedAccounts.ts"
import { transactionJson, type TransactionOptions } from "./TransactionJson.ts"

const SIGNATURES_MAX = 1_000
/** The slots that one call may ask for, as of a node. */
const BLOCKS_MAX = 500_000
/** JSON-RPC error of a node (Agave `JSON_RPC_SERVER_ERROR_BLOCK_NOT_AVAILABLE`). */
const BLOCK_NOT_AVAILABLE = -32004
const DETAILS = ["full", "accounts", "signatures", "none"]

interface HistoryConfig {
  readonly limit?: number
  readonly before?: string
  readonly until?: string
}

/** All accounts that a transaction names. */
export const accountsOf = ({ captured, loadedAddresses, transaction }: Outcome): ReadonlyArray<string> => {
  const fixed =
    transaction === undefined
      ? (captured?.transaction.message.accountKeys ?? [])
      : readMessage(transaction.messageBytes).staticAccounts
  const { readonly = [], writable = [] } = loadedAddresses ?? captured?.meta.loadedAddresses ?? {}
  return [...fixed, ...writable, ...readonly]
}

/** Methods of Solana's JSON-RPC about past transactions. The local chain remembers its own latest ones. */
export const historyMethods = (ledger: Ledger) => ({
  getSignaturesForAddress: ([address, options]: ReadonlyArray<unknown>) => {
    const wanted = addressParam(address)
    const { before, limit = SIGNATURES_MAX, until } = (options ?? {}) as HistoryConfig
    if (!Number.isInteger(limit) || limit < 1 || limit > SIGNATURES_MAX)
      throw invalidParams(`expected a limit from 1 to ${SIGNATURES_MAX}`)
    const all = ledger.outcomes()
    const start = before === undefined ? 0 : all.findIndex(({ signature }) => signature === before) + 1
    const end = until === undefined ? all.length : all.findIndex(({ signature }) => signature === until)
    return all
      .slice(start, end === -1 ? all.length : end)
      .filter((outcome) => accountsOf(outcome).includes(wanted))
      .slice(0, limit)
      .map(({ blockTimeSeconds, err, signature, slot }) => ({
        signature,
        slot: Number(slot),
        err,
        memo: null,
        blockTime: blockTimeSeconds,
        confirmationStatus: "finalized",
      }))
  },
  getFirstAvailableBlock: () => Number(ledger.firstKnownSlot),
  minimumLedgerSlot: () => Number(ledger.firstKnownSlot),
  getTransactionCount: () => ledger.transactionCount,
  getBlockTime: ([wanted]: ReadonlyArray<unknown>) => {
    const slot = BigInt(slotParam(wanted))
    // The first block is made when the chain begins, though pages of history see it right behind what was captured.
    return slot === SEED_SLOT + 1n ? Math.floor(ledger.clock.bornAtMillis / 1000) : ledger.timeOf(slot)
  },
  // No slot is skipped.
  getBlocks: ([first, last]: ReadonlyArray<unknown>) => {
    const from = slotParam(first)
    const until = Math.min(typeof last === "number" ? slotParam(last) : Infinity, Number(ledger.slot))
    if (until - from >= BLOCKS_MAX) throw invalidParams(`expected a range of at most ${BLOCKS_MAX} slots`)
    const earliest = Math.max(from, Number(ledger.firstKnownSlot))
    return Array.from({ length: Math.max(until - earliest + 1, 0) }, (_, index) => earliest + index)
  },
  getBlock: ([wanted, options]: ReadonlyArray<unknown>) => {
    const slot = BigInt(slotParam(wanted))
    const config = (options ?? {}) as TransactionOptions & { readonly rewards?: boolean }
    const { rewards = true, transactionDetails = "full" } = config
    if (!DETAILS.includes(transactionDetails))
      throw invalidParams(`expected transactionDetails of ${DETAILS.join(", ")}`)
    if (slot > ledger.slot) throw new JsonRpcFault(BLOCK_NOT_AVAILABLE, `Block not available for slot ${slot}`)
    const inSlot = ledger
      .outcomes()
      .filter((outcome) => outcome.slot === slot)
      .toReversed()
    return {
      blockHeight: Number(slot),
      blockTime: inSlot[0]?.blockTimeSeconds ?? ledger.timeOf(slot),
      blockhash: ledger.blockhashOf(slot),
      parentSlot: Number(slot) - 1,
      previousBlockhash: ledger.blockhashOf(slot - 1n),
      ...(transactionDetails === "signatures" && { signatures: inSlot.map(({ signature }) => signature) }),
      ...((transactionDetails === "full" || transactionDetails === "accounts") && {
        transactions: inSlot.flatMap((outcome) => transactionJson(outcome, config) ?? []),
      }),
      ...(rewards && { rewards: [] }),
    }
  },
  getTransaction: ([signature, options]: ReadonlyArray<unknown>) => {
    if (typeof signature !== "string" || decodeBase58(signature)?.length !== 64)
      throw invalidParams("expected a signature")
    const outcome = ledger.outcome(signature)
    const config = typeof options === "string" ? { encoding: options } : (options ?? {})
    return (outcome && transactionJson(outcome, config)) ?? null
  },
})

const slotParam = (value: unknown): number => {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw invalidParams("expected a slot")
  return value
}
