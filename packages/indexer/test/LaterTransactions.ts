import type { RawInstruction, RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"

/** As many accounts as a transaction of version 1 may name (SIMD-0596). */
const ACCOUNTS_MAX = 96

const strangerOf = (number: number): string => encodeBase58(new Uint8Array(32).fill(number + 1))

/** As JSON-RPC and raw webhooks write the same in version 1: no lookup tables, limits in the message, and many accounts. */
export const asVersion1 = (from: RawTransaction): RawTransaction => {
  const { loadedAddresses } = from.meta
  const { accountKeys, addressTableLookups: _, ...message } = from.transaction.message
  const named = [...accountKeys, ...(loadedAddresses?.writable ?? []), ...(loadedAddresses?.readonly ?? [])]
  const others = Array.from({ length: ACCOUNTS_MAX - named.length }, (_key, at) => strangerOf(at))
  const transactionConfig = {
    ...{ computeUnitLimit: 300_000, heapSize: null, loadedAccountsDataSizeLimit: 67_108_864, priorityFee: 777 },
  }
  return Object.assign(
    {
      ...from,
      meta: { ...from.meta, loadedAddresses: { writable: [], readonly: [] } },
      transaction: {
        ...from.transaction,
        message: { ...message, accountKeys: [...named, ...others], transactionConfig },
      },
    },
    { version: 1 },
  )
}

/** The same call made by a program that `heights - 1` others called, one by the other. */
const nested = (call: RawInstruction, inner: ReadonlyArray<RawInstruction>, program: number, heights: number) => [
  ...Array.from({ length: heights - 1 }, (_, at) => ({
    ...{ programIdIndex: program, accounts: [...call.accounts, call.programIdIndex], data: "1", stackHeight: at + 2 },
  })),
  { ...call, stackHeight: heights + 1 },
  ...inner.map((one) => ({ ...one, stackHeight: (one.stackHeight ?? 2) + heights })),
]

/**
 * The same transaction, sent by a relayer, which pays and alone signs, with every instruction below `heights` calls of another program, one
 * of whose addresses stands for the wallet.
 */
export const relayed = (
  from: RawTransaction,
  { heights, trader, wallet }: { readonly heights: number; readonly trader: string; readonly wallet: string },
): RawTransaction => {
  const { message, signatures } = from.transaction
  const [relayer, program] = [strangerOf(200), strangerOf(201)]
  const accountKeys = [relayer, ...message.accountKeys.map((key) => (key === wallet ? trader : key)), program]
  const loadedFrom = message.accountKeys.length
  const moved = (index: number) => (index < loadedFrom ? index + 1 : index + 2)
  const movedCall = (call: RawInstruction): RawInstruction => ({
    ...{ ...call, programIdIndex: moved(call.programIdIndex), accounts: call.accounts.map(moved) },
  })
  const last = accountKeys.length - 1
  const innerInstructions = message.instructions.map((call, index) => {
    const calls = from.meta.innerInstructions?.find((inner) => inner.index === index)?.instructions ?? []
    return { index, instructions: nested(movedCall(call), calls.map(movedCall), last, heights) }
  })
  const linesOf = ({ programIdIndex }: RawInstruction, height: number) => {
    const program = accountKeys[programIdIndex] ?? strangerOf(202)
    return [`Program ${program} invoke [${height}]`, `Program ${program} success`]
  }
  const logMessages = innerInstructions.flatMap(({ instructions }) => [
    ...linesOf({ programIdIndex: last, accounts: [], data: "" }, 1),
    ...instructions.flatMap((one) => linesOf(one, one.stackHeight ?? 2)),
  ])
  const postTokenBalances = from.meta.postTokenBalances?.map((one) => ({
    ...{ ...one, accountIndex: moved(one.accountIndex) },
  }))
  return {
    ...from,
    meta: { ...from.meta, innerInstructions, logMessages, ...(postTokenBalances && { postTokenBalances }) },
    transaction: {
      signatures: signatures.slice(0, 1),
      message: {
        ...message,
        accountKeys,
        // A program calls only what it was given.
        instructions: message.instructions.map(({ accounts, programIdIndex }) => ({
          ...{ programIdIndex: last, accounts: [...accounts, programIdIndex].map(moved), data: "1" },
        })),
      },
    },
  }
}
