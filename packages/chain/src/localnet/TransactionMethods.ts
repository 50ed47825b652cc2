import {
  assertIsTransactionWithinSizeLimit,
  getBase64Encoder,
  getTransactionDecoder,
  type Transaction,
} from "@solana/kit"
import { decodeBase58, encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { isAddress } from "@launch-registry/domain/solana/AddressText"
import { invalidParams, JsonRpcFault } from "./JsonRpcFault.ts"
import { inContext, NODE_VERSION } from "./AnswerContext.ts"
import { readMessage, type TransactionMessage } from "../submissions/TransactionMessage.ts"
import type { Ledger } from "./Ledger.ts"
import { feeOf } from "./MessageFee.ts"

const SLOTS_PER_EPOCH = 432_000
/** The most that one airdrop gives; plenty for any test. */
const AIRDROP_LAMPORTS_MAX = 10_000n * 10n ** 9n

interface SendConfig {
  readonly encoding?: string
  readonly skipPreflight?: boolean
  readonly sigVerify?: boolean
  readonly replaceRecentBlockhash?: boolean
}

const decodeTransaction = (wire: unknown, { encoding = "base58" }: SendConfig) => {
  if (typeof wire !== "string") throw invalidParams("expected an encoded transaction")
  const bytes = encoding === "base64" ? getBase64Encoder().encode(wire) : decodeBase58(wire)
  if (bytes === undefined) throw invalidParams("expected base58")
  try {
    const transaction = getTransactionDecoder().decode(bytes)
    assertIsTransactionWithinSizeLimit(transaction)
    return { transaction, message: readMessage(transaction.messageBytes) }
  } catch {
    throw invalidParams("failed to deserialize transaction")
  }
}

const decodeMessage = (message: unknown): TransactionMessage => {
  try {
    return readMessage(getBase64Encoder().encode(String(message)))
  } catch {
    throw invalidParams("failed to deserialize message")
  }
}

const signatureOf = (transaction: Transaction): string => {
  const [signature] = Object.values(transaction.signatures)
  if (signature === null || signature === undefined) {
    throw new JsonRpcFault(-32003, "Transaction signature verification failure")
  }
  return encodeBase58(signature)
}

/** Methods of Solana's JSON-RPC about the cluster and about transactions. */
export const transactionMethods = (ledger: Ledger) => {
  const withContext = inContext(ledger)
  const isLive = ({ lifetimeToken }: TransactionMessage) => ledger.isBlockhashValid(lifetimeToken)
  const failure = (err: unknown, logs: ReadonlyArray<string>, unitsConsumed: bigint | number) =>
    new JsonRpcFault(-32002, `Transaction simulation failed: ${JSON.stringify(err)}`, {
      accounts: null,
      err,
      logs,
      unitsConsumed: Number(unitsConsumed),
    })
  return {
    getHealth: () => "ok",
    getVersion: () => ({ "feature-set": 0, "solana-core": NODE_VERSION }),
    getGenesisHash: () => ledger.genesisHash,
    // Slots before the current one are final.
    getSlot: ([options]: ReadonlyArray<unknown>) => {
      const { commitment = "finalized" } = (options ?? {}) as { readonly commitment?: string }
      return Number(ledger.slot) - (commitment === "finalized" ? 1 : 0)
    },
    getBlockTime: () => ledger.timeSeconds,
    getBlockHeight: () => Number(ledger.blockHeight),
    getEpochInfo: () => ({
      absoluteSlot: Number(ledger.slot),
      blockHeight: Number(ledger.blockHeight),
      epoch: Math.floor(Number(ledger.slot) / SLOTS_PER_EPOCH),
      slotIndex: Number(ledger.slot) % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: null,
    }),
    getLatestBlockhash: () => {
      const { blockhash, lastValidBlockHeight } = ledger.latestBlockhash()
      return withContext({ blockhash, lastValidBlockHeight: Number(lastValidBlockHeight) })
    },
    isBlockhashValid: ([blockhash]: ReadonlyArray<unknown>) => withContext(ledger.isBlockhashValid(String(blockhash))),
    getMinimumBalanceForRentExemption: ([bytes]: ReadonlyArray<unknown>) => {
      if (typeof bytes !== "number" || !Number.isInteger(bytes) || bytes < 0)
        throw invalidParams("expected a size in bytes")
      return Number(ledger.rentOf(bytes))
    },
    getRecentPrioritizationFees: () => [{ slot: Number(ledger.slot), prioritizationFee: 0 }],
    getFeeForMessage: ([message]: ReadonlyArray<unknown>) => withContext(Number(feeOf(decodeMessage(message)))),
    requestAirdrop: ([address, lamports]: ReadonlyArray<unknown>) => {
      if (typeof address !== "string" || !isAddress(address)) throw invalidParams("expected a base58 public key")
      if (
        typeof lamports !== "number" ||
        !Number.isInteger(lamports) ||
        lamports <= 0 ||
        BigInt(lamports) > AIRDROP_LAMPORTS_MAX
      ) {
        throw invalidParams("expected an amount in lamports")
      }
      return ledger.airdrop(address, BigInt(lamports)).signature
    },
    simulateTransaction: ([wire, options]: ReadonlyArray<unknown>) => {
      const { message, transaction } = decodeTransaction(wire, (options ?? {}) as SendConfig)
      const { replaceRecentBlockhash, sigVerify = false } = (options ?? {}) as SendConfig
      if (sigVerify && replaceRecentBlockhash === true)
        throw invalidParams("sigVerify may not be used with replaceRecentBlockhash")
      if (sigVerify) signatureOf(transaction)
      const answer = (err: unknown, logs: ReadonlyArray<string>, unitsConsumed: bigint) =>
        withContext({ accounts: null, err, logs, returnData: null, unitsConsumed: Number(unitsConsumed) })
      if (replaceRecentBlockhash !== true && !isLive(message)) return answer("BlockhashNotFound", [], 0n)
      const { err, logs, unitsConsumed } = ledger.simulate(transaction, sigVerify)
      return answer(err, logs, unitsConsumed)
    },
    sendTransaction: ([wire, options]: ReadonlyArray<unknown>) => {
      const { message, transaction } = decodeTransaction(wire, (options ?? {}) as SendConfig)
      const signature = signatureOf(transaction)
      // The same signed bytes again: already executed, nothing to do.
      if (ledger.outcome(signature) !== undefined) return signature
      if (!isLive(message)) throw failure("BlockhashNotFound", [], 0)
      if ((options as SendConfig | undefined)?.skipPreflight !== true) {
        const { err, logs, unitsConsumed } = ledger.simulate(transaction)
        if (err !== null) throw failure(err, logs, unitsConsumed)
      }
      return ledger.send(signature, transaction).signature
    },
    getSignatureStatuses: ([signatures]: ReadonlyArray<unknown>) => {
      if (!Array.isArray(signatures)) throw invalidParams("expected signatures")
      const statuses = signatures.map((signature) => {
        const outcome = ledger.outcome(String(signature))
        if (outcome === undefined) return null
        const { err, slot } = outcome
        const status = err === null ? { Ok: null } : { Err: err }
        return { slot: Number(slot), confirmations: null, err, status, confirmationStatus: "finalized" }
      })
      return withContext(statuses)
    },
  }
}
