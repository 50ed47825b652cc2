import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { getBase64EncodedWireTransaction, getTransactionEncoder, type Transaction } from "@solana/kit"
import type { RawTransaction } from "../transactions/RawTransaction.ts"
import { UNSUPPORTED_VERSION } from "../rpc/TransactionVersion.ts"
import { isExecuted } from "../submissions/Executed.ts"
import { readMessage, type TransactionMessage } from "../submissions/TransactionMessage.ts"
import { invalidParams, JsonRpcFault } from "./JsonRpcFault.ts"
import { configOf } from "./MessageFee.ts"
import type { InnerCall, Outcome } from "./Outcome.ts"
import { parsedInstruction } from "./ParsedInstruction.ts"
import type { TokenBalance } from "./TokenBalances.ts"
import { isWritable } from "./TransactionAccounts.ts"
import { uiAmount } from "./UiAmount.ts"

/** As nodes answer a transaction that a block holds without having executed it. */
const UNEXECUTED = { logMessages: null, innerInstructions: null }

/** The fee is what no account of the transaction has any more. */
const lamportsJson = ({ postBalances, preBalances }: Pick<Outcome, "postBalances" | "preBalances">) => {
  if (preBalances === undefined || postBalances === undefined) return {}
  const sum = (balances: ReadonlyArray<number>) => balances.reduce((total, one) => total + BigInt(one), 0n)
  return { fee: Number(sum(preBalances) - sum(postBalances)), preBalances, postBalances }
}

/** What only one version of messages has. */
const versionJson = (message: TransactionMessage) => {
  const { lookups, version } = message
  if (version === "legacy") return {}
  if (version === 0)
    return {
      addressTableLookups: lookups.map(({ lookupTableAddress, readonlyIndexes, writableIndexes }) => ({
        ...{ accountKey: lookupTableAddress, writableIndexes, readonlyIndexes },
      })),
    }
  const { computeUnitLimit, heapSize, loadedAccountsDataSizeLimit, priorityFeeLamports } = configOf(message) ?? {}
  return {
    transactionConfig: {
      computeUnitLimit: computeUnitLimit ?? null,
      heapSize: heapSize ?? null,
      loadedAccountsDataSizeLimit: loadedAccountsDataSizeLimit ?? null,
      priorityFee: priorityFeeLamports === undefined ? null : Number(priorityFeeLamports),
    },
  }
}

/** A node gives no transaction of a version that its caller does not read. */
const assertReadable = (version: TransactionMessage["version"], versionMax: number | undefined): void => {
  if (version !== "legacy" && (versionMax === undefined || version > versionMax))
    throw new JsonRpcFault(
      UNSUPPORTED_VERSION,
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    )
}

/** How the caller wants a transaction: its encoding, in all detail or as its accounts, and up to which version. */
export interface TransactionOptions {
  readonly encoding?: string
  readonly transactionDetails?: string
  readonly maxSupportedTransactionVersion?: number
}

interface Executed extends Outcome {
  readonly message: TransactionMessage
  readonly transaction: Transaction
}

const ENCODINGS = ["json", "jsonParsed", "base64", "base58"]

/**
 * A transaction as `getTransaction` and blocks have it; `undefined` where only its outcome is known. One that was
 * captured has the encoding it was captured in, `json`.
 */
export const transactionJson = (outcome: Outcome, options: TransactionOptions) => {
  const { encoding = "json", maxSupportedTransactionVersion, transactionDetails = "full" } = options
  if (!ENCODINGS.includes(encoding)) throw invalidParams(`expected an encoding of ${ENCODINGS.join(", ")}`)
  if (outcome.captured !== undefined) {
    if (encoding !== "json" || transactionDetails !== "full")
      throw invalidParams(`${outcome.signature} was captured from a node and is served with encoding json alone`)
    return capturedJson(outcome.captured)
  }
  const { transaction } = outcome
  if (transaction === undefined) return undefined
  const message = readMessage(transaction.messageBytes)
  assertReadable(message.version, maxSupportedTransactionVersion)
  const executed = { ...outcome, message, transaction }
  const isAccountsOnly = transactionDetails === "accounts"
  return {
    slot: Number(outcome.slot),
    blockTime: outcome.blockTimeSeconds,
    version: message.version,
    meta: { ...effectsJson(outcome), ...(!isAccountsOnly && callsJson(executed, encoding === "jsonParsed")) },
    transaction: isAccountsOnly
      ? { signatures: signaturesOf(executed), accountKeys: keysJson(executed) }
      : encodedJson(executed, encoding),
  }
}

const effectsJson = (outcome: Outcome) => ({
  err: outcome.err,
  status: outcome.err === null ? { Ok: null } : { Err: outcome.err },
  ...lamportsJson(outcome),
  preTokenBalances: (outcome.preTokenBalances ?? []).map(balanceJson),
  postTokenBalances: (outcome.postTokenBalances ?? []).map(balanceJson),
})

const callsJson = (executed: Executed, isParsed: boolean) => {
  const callJson = (call: InnerCall) =>
    isParsed ? namedInstruction(executed, call) : { ...call, data: encodeBase58(call.data) }
  return {
    logMessages: executed.logs,
    computeUnitsConsumed: Number(executed.unitsConsumed),
    innerInstructions: executed.inner.flatMap((calls, index) =>
      calls.length === 0 ? [] : [{ index, instructions: calls.map(callJson) }],
    ),
    rewards: [],
    ...(!isParsed && { loadedAddresses: loadedBy(executed) }),
    ...(isExecuted(executed.err) === false && UNEXECUTED),
  }
}

const encodedJson = (executed: Executed, encoding: string) => {
  const { message, transaction } = executed
  if (encoding === "base64") return [getBase64EncodedWireTransaction(transaction), encoding]
  if (encoding === "base58")
    return [encodeBase58(Uint8Array.from(getTransactionEncoder().encode(transaction))), encoding]
  const { header, instructions, lifetimeToken, staticAccounts } = message
  const calls = instructions.map(({ accountIndices, data, programAddressIndex }) => ({
    programIdIndex: programAddressIndex,
    accounts: accountIndices,
    data: Uint8Array.from(data),
    stackHeight: 1,
  }))
  const parts =
    encoding === "jsonParsed"
      ? { accountKeys: keysJson(executed), instructions: calls.map((call) => namedInstruction(executed, call)) }
      : {
          header: {
            numRequiredSignatures: header.numSignerAccounts,
            numReadonlySignedAccounts: header.numReadonlySignerAccounts,
            numReadonlyUnsignedAccounts: header.numReadonlyNonSignerAccounts,
          },
          accountKeys: staticAccounts,
          instructions: calls.map((call) => ({ ...call, data: encodeBase58(call.data) })),
        }
  return {
    signatures: signaturesOf(executed),
    message: { ...parts, recentBlockhash: lifetimeToken, ...versionJson(message) },
  }
}

const loadedBy = ({ loadedAddresses = { writable: [], readonly: [] } }: Outcome) => loadedAddresses

/** All accounts with what the transaction may do to them. */
const keysJson = (executed: Executed) => {
  const { header, staticAccounts } = executed.message
  const { readonly, writable } = loadedBy(executed)
  const loaded = (isLoadedWritable: boolean) => (pubkey: string) => ({
    ...{ pubkey, signer: false, source: "lookupTable", writable: isLoadedWritable },
  })
  const fixed = staticAccounts.map((pubkey, index) => ({
    ...{ pubkey, signer: index < header.numSignerAccounts, source: "transaction" },
    writable: isWritable(executed.message, index),
  }))
  return [...fixed, ...writable.map(loaded(true)), ...readonly.map(loaded(false))]
}

const namedInstruction = (executed: Executed, { accounts, data, programIdIndex, stackHeight }: InnerCall) => {
  const { readonly, writable } = loadedBy(executed)
  const all: ReadonlyArray<string> = [...executed.message.staticAccounts, ...writable, ...readonly]
  const at = (index: number) => all[index] ?? ""
  return parsedInstruction({ programId: at(programIdIndex), accounts: accounts.map(at), data, stackHeight })
}

const balanceJson = ({ uiTokenAmount: { amount, decimals }, ...balance }: TokenBalance) => ({
  ...balance,
  uiTokenAmount: uiAmount(BigInt(amount), decimals),
})

const signaturesOf = ({ signature, transaction }: Executed): ReadonlyArray<string> => [
  signature,
  ...Object.values(transaction.signatures)
    .slice(1)
    .map((bytes) => (bytes === null ? "" : encodeBase58(bytes))),
]

/** Without the transaction's index in the block, which real nodes may leave out here as well. */
const capturedJson = ({ blockTime, meta, slot, transaction }: RawTransaction) => ({
  slot,
  blockTime,
  version: "legacy",
  meta,
  transaction,
})
