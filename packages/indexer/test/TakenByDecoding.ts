import { ScannedKeys } from "../src/inbox/ScannedKeys.ts"

type Record = { readonly [name: string]: unknown }

const isRecord = (value: unknown): value is Record => typeof value === "object" && value !== null

const listOf = (value: unknown, of: (element: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map(of) : value

const keysOf = (value: unknown): unknown =>
  value instanceof ScannedKeys ? Array.from({ length: value.length }, (_, index) => value.at(index)) : value

const instructionOf = (value: unknown): unknown => {
  if (!isRecord(value)) return value
  const { accounts, data, programIdIndex, stackHeight } = value
  return { accounts, data, programIdIndex, stackHeight }
}

const innerOf = (value: unknown): unknown =>
  isRecord(value) ? { index: value.index, instructions: listOf(value.instructions, instructionOf) } : value

const loadedOf = (value: unknown): unknown =>
  isRecord(value) ? { writable: keysOf(value.writable), readonly: keysOf(value.readonly) } : value

const messageOf = (value: unknown): unknown =>
  isRecord(value)
    ? { accountKeys: keysOf(value.accountKeys), instructions: listOf(value.instructions, instructionOf) }
    : value

/** The parts of a transaction that decoding reads, whether it was parsed or is still bytes. */
// oxlint-disable-next-line typescript/no-explicit-any
export const takenOf = ({ blockTime, indexWithinBlock, meta, slot, transaction }: any) => ({
  slot,
  blockTime,
  indexWithinBlock,
  meta: {
    err: meta.err,
    innerInstructions: listOf(meta.innerInstructions, innerOf),
    loadedAddresses: loadedOf(meta.loadedAddresses),
    postTokenBalances: meta.postTokenBalances,
  },
  transaction: { message: messageOf(transaction.message), signatures: [transaction.signatures[0]] },
})
