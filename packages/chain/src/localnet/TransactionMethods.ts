import {
  assertIsTransactionWithinSizeLimit,
  getBase64Encoder,
  getTransactionDecoder,
  type Transaction,
} from "@solana/kit"
import { decodeBase58, encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { isAddress } from "@launch-registry/domain/solana/AddressText"
import { SYSTEM_PROGRAM } from "../accounts/Programs.ts"
import { invalidParams, JsonRpcFault } from "./JsonRpcFault.ts"
import { inContext } from "./AnswerContext.ts"
import { readMessage, type TransactionMessage } from "../submissions/TransactionMessage.ts"
import { accountJson, addressParam } from "./AccountMethods.ts"
import type { Ledger } from "./Ledger.ts"
import type { Simulated } from "./Outcome.ts"
import { feeOf } from "./MessageFee.ts"

/** The most that one airdrop gives; plenty for any test. */
const AIRDROP_LAMPORTS_MAX = 10_000n * 10n ** 9n

interface SendConfig {
  readonly encoding?: string
  readonly skipPreflight?: boolean
  readonly sigVerify?: boolean
  readonly replaceRecentBlockhash?: boolean
  readonly accounts?: { readonly addresses: ReadonlyArray<string>; readonly encoding?: string } | null
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

/** The accounts that were asked for, as the simulated transaction would leave them. */
const accountsAfter = (ledger: Ledger, simulated: Simulated | undefined, wanted: SendConfig["accounts"]) => {
  if (wanted === undefined || wanted === null || simulated === undefined) return null
  const { addresses, encoding = "base64" } = wanted
  return simulated
    .accountsAfter(addresses.map(addressParam))
    .map((account) =>
      account === undefined || account.lamports === 0n ? null : accountJson(ledger, account, { encoding }),
    )
}

/** Methods of Solana's JSON-RPC that prepare, simulate and send transactions. */
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
      if (address === SYSTEM_PROGRAM) throw invalidParams("the system program is no wallet")
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
      const { accounts, replaceRecentBlockhash, sigVerify = false } = (options ?? {}) as SendConfig
      if (sigVerify && replaceRecentBlockhash === true)
        throw invalidParams("sigVerify may not be used with replaceRecentBlockhash")
      if (sigVerify) signatureOf(transaction)
      const answer = (err: unknown, simulated?: Simulated) =>
        withContext({
          err,
          accounts: accountsAfter(ledger, simulated, accounts),
          logs: simulated?.logs ?? [],
          returnData: null,
          unitsConsumed: Number(simulated?.unitsConsumed ?? 0n),
        })
      if (replaceRecentBlockhash !== true && !isLive(message)) return answer("BlockhashNotFound")
      const simulated = ledger.simulate(transaction, sigVerify)
      return answer(simulated.err, simulated)
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
