const TRANSACTION_BITS = 18
const INSTRUCTION_BITS = 7
const INNER_BITS = 7
const INSTRUCTION_SHIFT = INNER_BITS
const TRANSACTION_SHIFT = INSTRUCTION_SHIFT + INSTRUCTION_BITS

/** `ordinal >> SLOT_SHIFT` is the slot of an ordinal, in SQL as well. */
export const SLOT_SHIFT = TRANSACTION_SHIFT + TRANSACTION_BITS

/** A slot or block height above this is none: twenty years of slots from now, and the most that an ordinal holds. */
export const SLOT_MAX = 2n ** 31n - 1n

/** The place of a transaction in its block; blocks have some thousands. */
export const TRANSACTION_INDEX_MAX = 2 ** TRANSACTION_BITS - 1

/** The last place of the last slot: what a `bigint` column holds. */
export const ORDINAL_MAX = ((SLOT_MAX + 1n) << BigInt(SLOT_SHIFT)) - 1n

/** Where in the chain something happened: total order is slot, transaction, instruction, inner instruction. */
export interface ChainPosition {
  readonly slot: bigint
  readonly transactionIndex: number
  readonly instruction: number
  /** Position among the calls below the instruction; -1 for the instruction itself. */
  readonly innerInstruction: number
}

/** A position that no ordinal can tell apart from others. */
export class OrdinalOutOfRange extends Error {
  override readonly name = "OrdinalOutOfRange"
}

/**
 * The place of something in the chain as one number: slot, transaction in its block, instruction, inner instruction, in 31, 18,
 * 7 and 7 bits, so that a `bigint` column holds it and its order is the order of the chain.
 */
export const ordinalOf = ({ innerInstruction, instruction, slot, transactionIndex }: ChainPosition): bigint => {
  const inner = innerInstruction + 1
  if (
    slot < 0n ||
    slot > SLOT_MAX ||
    !fits(transactionIndex, TRANSACTION_BITS) ||
    !fits(instruction, INSTRUCTION_BITS) ||
    !fits(inner, INNER_BITS)
  )
    throw new OrdinalOutOfRange(`${slot}/${transactionIndex}/${instruction}/${innerInstruction} has no ordinal`)
  const low = transactionIndex * 2 ** TRANSACTION_SHIFT + instruction * 2 ** INSTRUCTION_SHIFT + inner
  return (slot << BigInt(SLOT_SHIFT)) | BigInt(low)
}

const fits = (value: number, bits: number): boolean => Number.isInteger(value) && value >= 0 && value < 2 ** bits

/**
 * A place in the block for a transaction that came without one: arbitrary but deterministic, so that the order within its slot does not depend on the
 * order of arrival.
 */
export const placeWithoutIndex = (signature: string): number => {
  // FNV-1a, folded into the bits there are.
  let hash = 0x811c9dc5
  for (let at = 0; at < signature.length; at++) hash = Math.imul(hash ^ signature.charCodeAt(at), 0x01000193)
  return ((hash >>> TRANSACTION_BITS) ^ hash) & TRANSACTION_INDEX_MAX
}

/** The least ordinal of a slot. */
export const firstOrdinalOf = (slot: bigint): bigint => slot << BigInt(SLOT_SHIFT)

/** The slot of an ordinal. */
export const slotOf = (ordinal: bigint): bigint => ordinal >> BigInt(SLOT_SHIFT)

/** Where in its transaction something happened: the instruction, and the call below it. */
export const placeInTransaction = (ordinal: bigint): bigint => ordinal & ((1n << BigInt(TRANSACTION_SHIFT)) - 1n)
