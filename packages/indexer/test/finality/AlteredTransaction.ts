import { isDeepStrictEqual } from "node:util"
import { decodeTransaction } from "@launch-registry/chain/events/DecodeTransaction"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { decodeBase58, encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { EVENTS } from "../../fixtures/EncodeEvents.ts"
import { SeededRandom } from "../../fixtures/SeededRandom.ts"
import { changesOf } from "../../src/modules/DatabaseChanges.ts"

type Alteration = (from: RawTransaction) => unknown

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")
/** Where events of swaps have the paid amount; see `DecodeTransaction`. */
const AMOUNT_OFFSETS = new Map([
  [hexOf(EVENTS.swap), 154],
  [hexOf(EVENTS.swap2), 99],
  [hexOf(EVENTS.swap2Hook), 99],
])

const withOtherAmount = (data: string): string => {
  const bytes = decodeBase58(data)!
  const offset = AMOUNT_OFFSETS.get(hexOf(bytes.subarray(0, 16)))
  if (offset === undefined) return data
  bytes[offset]! ^= 1
  return encodeBase58(bytes)
}

export const withInner = (from: RawTransaction, innerInstructions: RawTransaction["meta"]["innerInstructions"]) => ({
  ...from,
  meta: { ...from.meta, innerInstructions: innerInstructions ?? [] },
})

/** Forgeries that a sender with the webhook's secret can make: signature and slot stay unchanged. */
export const ALTERATIONS = {
  "another amount": (from) =>
    withInner(
      from,
      from.meta.innerInstructions?.map((inner) => ({
        ...inner,
        instructions: inner.instructions.map((one) => ({ ...one, data: withOtherAmount(one.data) })),
      })),
    ),
  "another trader": (from) => {
    const { message } = from.transaction
    const traders = decodeTransaction(from).flatMap((event) => (event.type === "Swapped" ? [event.trader] : []))
    const other = encodeBase58(new SeededRandom(from.slot).bytes(32))
    const accountKeys = message.accountKeys.map((key) => (traders.includes(key) ? other : key))
    return { ...from, transaction: { ...from.transaction, message: { ...message, accountKeys } } }
  },
  "another block time": (from) => ({ ...from, blockTime: from.blockTime! + 61 }),
  "everything twice": (from) => {
    const { message } = from.transaction
    const { instructions } = message
    const inner = from.meta.innerInstructions ?? []
    const again = inner.map((one) => ({ ...one, index: one.index + instructions.length }))
    return {
      ...withInner(from, [...inner, ...again]),
      transaction: { ...from.transaction, message: { ...message, instructions: [...instructions, ...instructions] } },
    }
  },
  "a failure": (from) => ({ ...from, meta: { ...from.meta, err: { InstructionError: [0, { Custom: 6002 }] } } }),
} as const satisfies Readonly<Record<string, Alteration>>

export type AlterationName = keyof typeof ALTERATIONS
export const ALTERATION_NAMES = Object.keys(ALTERATIONS) as ReadonlyArray<AlterationName>

const rowsOf = (transaction: RawTransaction) => changesOf([transaction])

/** Altered so that the tables show it; `undefined` where the change has no effect on them. */
export const altered = (from: RawTransaction, name: AlterationName): RawTransaction | undefined => {
  const made = ALTERATIONS[name](from) as RawTransaction
  return isDeepStrictEqual(rowsOf(made), rowsOf(from)) ? undefined : made
}
