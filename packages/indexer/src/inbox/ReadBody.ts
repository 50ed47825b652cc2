import { missingPart } from "@launch-registry/chain/events/MissingPart"
import { type BodyElement, BodyText, isTooMany, jsonOf, parsedElement } from "./BodyElement.ts"
import { scanBody } from "./ScanBody.ts"
import { hasSignatureForm, type TransactionKey } from "./TransactionKey.ts"

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

/**
 * The transactions of a body: an array of them, or a single one. Never fails: unreadable elements are part of the
 * result.
 */
export const readBody = (body: Uint8Array): ReadBody => {
  const text = new BodyText(body)
  const scanned = scanBody(text)
  if (scanned === "too many") return tooMany(text.text())
  return scanned === undefined ? parseBody(text.text()) : readElements(scanned)
}

/** The same by `JSON.parse` alone: the fallback of `readBody`, which must give the same result. */
export const parseBody = (text: string): ReadBody => {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return { elements: [], unreadable: [{ reason: "no JSON", text }] }
  }
  const values = Array.isArray(parsed) ? parsed : [parsed]
  if (isTooMany(values.length, text.length)) return tooMany(text)
  return readElements(values.map(parsedElement))
}

const tooMany = (text: string): ReadBody => ({ elements: [], unreadable: [{ reason: "too many elements", text }] })

const readElements = (elements: ReadonlyArray<BodyElement>): ReadBody => {
  const unreadable: Array<Unreadable> = []
  for (const element of elements)
    if (typeof element.key === "string") unreadable.push(unreadableOf(element.key, element.read()))
  return { elements, unreadable }
}

const unreadableOf = (reason: string, value: unknown): Unreadable => {
  const { transaction } = (value ?? {}) as { readonly transaction?: { readonly signatures?: unknown } | null }
  const signatures = transaction?.signatures
  const signature: unknown = Array.isArray(signatures) ? signatures[0] : undefined
  const isOne = typeof signature === "string" && hasSignatureForm(signature)
  return { reason, text: jsonOf(value), ...(isOne ? { signature } : {}) }
}

/** What of a transaction was not received, if that is so. */
export const incompleteOf = (element: BodyElement): Unreadable | undefined => {
  const { key } = element
  const missing = typeof key === "string" ? undefined : missingPart(element.read())
  return missing && { ...(key as TransactionKey), reason: `without ${missing.part}`, text: element.text() }
}

/** How many of the elements are transactions. */
export const transactionsIn = ({ elements }: Pick<ReadBody, "elements">): number => {
  let transactions = 0
  for (const { key } of elements) if (typeof key !== "string") transactions++
  return transactions
}

/** Several bodies read as one: positions count through all of them. */
export const joinBodies = (bodies: ReadonlyArray<ReadBody>): ReadBody => {
  const elements: Array<BodyElement> = []
  const unreadable: Array<Unreadable> = []
  for (const body of bodies) {
    for (const element of body.elements) elements.push(element)
    for (const one of body.unreadable) unreadable.push(one)
  }
  return { elements, unreadable }
}
