import { decodeBase58, encodeBase58 } from "@launch-registry/domain/solana/Base58"
import type { Transaction } from "@solana/kit"
import type { RawTransaction } from "../transactions/RawTransaction.ts"
import { UNSUPPORTED_VERSION } from "../rpc/TransactionVersion.ts"
import { isExecuted } from "../submissions/Executed.ts"
import { readMessage, type TransactionMessage } from "../submissions/TransactionMessage.ts"
import { addressParam } from "./AccountMethods.ts"
import { invalidParams, JsonRpcFault } from "./JsonRpcFault.ts"
import type { Ledger } from "./Ledger.ts"
import { configOf } from "./MessageFee.ts"
import type { Outcome } from "./Outcome.ts"
import type { TokenBalance } from "./TokenBalances.ts"
import { uiAmount } from "./UiAmount.ts"

const SIGNATURES_MAX = 1_000
/** As nodes answer a transaction that a block holds without having executed it. */
const UNEXECUTED = { logMessages: null, innerInstructions: null }

/** The fee is what no account of the transaction has any more. */
const lamportsJson = ({ postBalances, preBalances }: Pick<Outcome, "postBalances" | "preBalances">) => {
  if (preBalances === undefined || postBalances === undefined) return {}
  const sum = (balances: ReadonlyArray<number>) => balances.reduce((total, one) => total + BigInt(one), 0n)
  return { fee: Number(sum(preBalances) - sum(postBalances)), preBalances, postBalances }
}

interface HistoryConfig {
  readonly limit?: number
  readonly before?: string
  readonly until?: string
  readonly encoding?: string
  readonly maxSupportedTransactionVersion?: number
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

const transactionJson = ({
  inner,
  message,
  signature,
  transaction,
  ...outcome
}: Outcome & { readonly message: TransactionMessage; readonly transaction: Transaction }) => {
  const { header, instructions, lifetimeToken, staticAccounts, version } = message
  return {
    slot: Number(outcome.slot),
    blockTime: outcome.blockTimeSeconds,
    version,
    meta: {
      err: outcome.err,
      status: outcome.err === null ? { Ok: null } : { Err: outcome.err },
      logMessages: outcome.logs,
      computeUnitsConsumed: Number(outcome.unitsConsumed),
      ...lamportsJson(outcome),
      preTokenBalances: (outcome.preTokenBalances ?? []).map(balanceJson),
      postTokenBalances: (outcome.postTokenBalances ?? []).map(balanceJson),
      loadedAddresses: outcome.loadedAddresses ?? { writable: [], readonly: [] },
      innerInstructions: inner.flatMap((calls, index) =>
        calls.length === 0
          ? []
          : [{ index, instructions: calls.map(({ data, ...call }) => ({ ...call, data: encodeBase58(data) })) }],
      ),
      ...(isExecuted(outcome.err) === false && UNEXECUTED),
    },
    transaction: {
      signatures: [signature, ...otherSignatures(transaction)],
      message: {
        header: {
          numRequiredSignatures: header.numSignerAccounts,
          numReadonlySignedAccounts: header.numReadonlySignerAccounts,
          numReadonlyUnsignedAccounts: header.numReadonlyNonSignerAccounts,
        },
        accountKeys: staticAccounts,
        recentBlockhash: lifetimeToken,
        instructions: instructions.map(({ accountIndices, data, programAddressIndex }) => ({
          programIdIndex: programAddressIndex,
          accounts: accountIndices,
          data: encodeBase58(Uint8Array.from(data)),
          stackHeight: 1,
        })),
        ...versionJson(message),
      },
    },
  }
}

const balanceJson = ({ uiTokenAmount: { amount, decimals }, ...balance }: TokenBalance) => ({
  ...balance,
  uiTokenAmount: uiAmount(BigInt(amount), decimals),
})

const otherSignatures = ({ signatures }: Transaction): ReadonlyArray<string> =>
  Object.values(signatures)
    .slice(1)
    .map((bytes) => (bytes === null ? "" : encodeBase58(bytes)))

const accountsOf = ({ captured, loadedAddresses, transaction }: Outcome): ReadonlyArray<string> => {
  const fixed =
    transaction === undefined
      ? (captured?.transaction.message.accountKeys ?? [])
      : readMessage(transaction.messageBytes).staticAccounts
  const { readonly = [], writable = [] } = loadedAddresses ?? captured?.meta.loadedAddresses ?? {}
  return [...fixed, ...writable, ...readonly]
}

/** Without the transaction's index in the block, which real nodes may leave out here as well. */
const capturedJson = ({ blockTime, meta, slot, transaction }: RawTransaction) => ({
  slot,
  blockTime,
  version: "legacy",
  meta,
  transaction,
})

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
  getBlock: ([slot, options]: ReadonlyArray<unknown>) => {
    const { transactionDetails = "full" } = (options ?? {}) as { readonly transactionDetails?: string }
    if (transactionDetails !== "signatures" && transactionDetails !== "none")
      throw invalidParams(`transactionDetails ${transactionDetails} are not served here`)
    const inSlot = ledger.outcomes().filter((outcome) => Number(outcome.slot) === slot)
    const signatures = inSlot.toReversed().map(({ signature }) => signature)
    return {
      blockHeight: slot,
      blockTime: inSlot[0]?.blockTimeSeconds ?? (Number.isInteger(slot) ? ledger.timeOf(BigInt(slot as number)) : null),
      parentSlot: Number(slot) - 1,
      ...(transactionDetails === "signatures" && { signatures }),
    }
  },
  getTransaction: ([signature, options]: ReadonlyArray<unknown>) => {
    if (typeof signature !== "string" || decodeBase58(signature)?.length !== 64)
      throw invalidParams("expected a signature")
    const { encoding = "json", maxSupportedTransactionVersion } = (options ?? {}) as HistoryConfig
    if (encoding !== "json") throw invalidParams(`encoding ${encoding} is not served here`)
    const outcome = ledger.outcome(signature)
    if (outcome?.captured !== undefined) return capturedJson(outcome.captured)
    if (outcome?.transaction === undefined) return null
    const message = readMessage(outcome.transaction.messageBytes)
    assertReadable(message.version, maxSupportedTransactionVersion)
    return transactionJson({ ...outcome, message, transaction: outcome.transaction })
  },
})
