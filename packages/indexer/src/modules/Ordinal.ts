import type { EventPosition } from "@launch-registry/chain/launch/events/DbcEvent"

const TRANSACTION_BITS = 18n
const INSTRUCTION_BITS = 7n
const INNER_BITS = 7n
const SLOT_SHIFT = TRANSACTION_BITS + INSTRUCTION_BITS + INNER_BITS

/** A position that no ordinal can tell apart from others. */
export class OrdinalOutOfRange extends Error {
  override readonly name = "OrdinalOutOfRange"
}

/**
 * The place of something in the chain as one number: slot, transaction in its block, instruction, inner instruction, in 31, 18,
 * 7 and 7 bits, so that a `bigint` column holds it and its order is the order of the chain.
 */
export const ordinalOf = ({ innerInstruction, instruction, slot, transactionIndex }: EventPosition): bigint => {
  const inner = innerInstruction + 1
  if (
    slot < 0n ||
    slot >= 1n << 31n ||
    !fits(transactionIndex, TRANSACTION_BITS) ||
    !fits(instruction, INSTRUCTION_BITS) ||
    !fits(inner, INNER_BITS)
  )
    throw new OrdinalOutOfRange(`${slot}/${transactionIndex}/${instruction}/${innerInstruction} has no ordinal`)
  const low = transactionIndex * 2 ** 14 + instruction * 2 ** 7 + inner
  return (slot << SLOT_SHIFT) | BigInt(low)
}

const fits = (value: number, bits: bigint): boolean =>
  Number.isInteger(value) && value >= 0 && value < 2 ** Number(bits)

/**
 * A place in the block for a transaction that came without one: an arbitrary one, but the same whenever and in whatever company
 * it comes, so that what depends on the order within its slot does not depend on the order of arrival.
 */
export const placeWithoutIndex = (signature: string): number => {
  // FNV-1a, folded into the bits there are.
  let hash = 0x811c9dc5
  for (let at = 0; at < signature.length; at++) hash = Math.imul(hash ^ signature.charCodeAt(at), 0x01000193)
  return ((hash >>> 18) ^ hash) & (2 ** Number(TRANSACTION_BITS) - 1)
}

/** The least ordinal of a slot. */
export const firstOrdinalOf = (slot: bigint): bigint => slot << SLOT_SHIFT

/** The slot of an ordinal. */
export const slotOf = (ordinal: bigint): bigint => ordinal >> SLOT_SHIFT
