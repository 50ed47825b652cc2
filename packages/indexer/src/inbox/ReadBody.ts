import { isAscii } from "node:buffer"
import { missingPart } from "@launch-registry/chain/events/MissingPart"
import { SLOT_MAX } from "@launch-registry/domain/solana/Ordinal"

/** A transaction: where it stands in the chain. */
export interface TransactionKey {
  readonly slot: number
  readonly signature: string
}

/** An element of a body. */
export interface BodyElement {
  /** The key of a transaction, or the reason why it is none. */
  readonly key: TransactionKey | string
  /** Parsed JSON. */
  readonly value: unknown
}

/** An element of a body that is no transaction, or not all of one. */
export interface Unreadable {
  readonly reason: string
  readonly text: string
  /** Of the transaction that it is of, and the slot, where it says these: it can be fetched from the chain. */
  readonly signature?: string
  readonly slot?: number
}

export interface ReadBody {
  /**
   * All elements by position, including unreadable ones; empty when the body is not JSON or holds anything but
   * transactions.
   */
  readonly elements: ReadonlyArray<BodyElement>
  readonly unreadable: ReadonlyArray<Unreadable>
}

/** The signature of a transaction alone is nearly as long. */
const TRANSACTION_BYTES_MIN = 100
const FEW_ELEMENTS = 10_000

/**
 * The transactions of a body: an array of them, or a single one. Never fails: unreadable elements are part of the
 * result. Read the same way when it is received and when it is read back, so that positions agree.
 */
export const readBody = (body: Uint8Array): ReadBody => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const text = bytes.toString(isAscii(bytes) ? "latin1" : "utf8")
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return { elements: [], unreadable: [{ reason: "no JSON", text }] }
  }
  const values: ReadonlyArray<unknown> = Array.isArray(parsed) ? parsed : [parsed]
  // More than it could have transactions: a row for each of millions of numbers would take gigabytes.
  if (values.length > FEW_ELEMENTS + bytes.length / TRANSACTION_BYTES_MIN)
    return { elements: [], unreadable: [{ reason: "too many elements", text }] }
  const elements = values.map((value) => ({ key: keyOf(value), value }))
  return { elements, unreadable: elements.flatMap(unreadableOf) }
}

const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/
/** As far as ordinals reach with the slot after it; at the present pace, some 27 years from now. */
export const RECEIVED_SLOT_MAX = Number(SLOT_MAX) - 1

const signatureOf = (element: unknown): string | undefined => {
  const { transaction } = (element ?? {}) as { readonly transaction?: { readonly signatures?: unknown } | null }
  const signatures = transaction?.signatures
  const signature: unknown = Array.isArray(signatures) ? signatures[0] : undefined
  return typeof signature === "string" && SIGNATURE.test(signature) ? signature : undefined
}

/** Slot and first signature of a transaction, or the reason why it has none. */
export const keyOf = (element: unknown): TransactionKey | string => {
  if (typeof element !== "object" || element === null) return "no transaction"
  const { slot } = element as { readonly slot?: unknown }
  if (typeof slot !== "number" || !Number.isInteger(slot) || slot < 0 || slot > RECEIVED_SLOT_MAX) return "no slot"
  const signature = signatureOf(element)
  return signature === undefined ? "no signature" : { slot, signature }
}

const unreadableOf = ({ key, value }: BodyElement): ReadonlyArray<Unreadable> => {
  if (typeof key !== "string") return []
  const signature = signatureOf(value)
  return [{ reason: key, text: textOf(value), ...(signature === undefined ? {} : { signature }) }]
}

/** Parsed JSON can be nested deeper than can be written again. */
export const textOf = (element: unknown): string => {
  try {
    return JSON.stringify(element)
  } catch {
    return "nested too deep to be kept"
  }
}

/** What of a transaction was not received, if that is so. */
export const incompleteOf = ({ key, value }: BodyElement): Unreadable | undefined => {
  const missing = typeof key === "string" ? undefined : missingPart(value)
  return missing && { ...(key as TransactionKey), reason: `without ${missing.part}`, text: textOf(value) }
}

/** How many of the elements are transactions. */
export const transactionsIn = ({ elements }: Pick<ReadBody, "elements">): number =>
  elements.reduce((transactions, { key }) => (typeof key === "string" ? transactions : transactions + 1), 0)

/** Several bodies read as one: positions count through all of them. */
export const joinBodies = (bodies: ReadonlyArray<ReadBody>): ReadBody => ({
  elements: bodies.flatMap(({ elements }) => elements),
  unreadable: bodies.flatMap(({ unreadable }) => unreadable),
})
