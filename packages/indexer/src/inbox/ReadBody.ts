import { type BodyElement, BodyText, isTooMany, parsedElement } from "./BodyElement.ts"
import { scanBody } from "./ScanBody.ts"

/** An element of a body that is no transaction. */
export interface Unreadable {
  readonly reason: string
  readonly text: string
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
    if (typeof element.key === "string") unreadable.push({ reason: element.key, text: jsonOf(element.read()) })
  return { elements, unreadable }
}

/** How many of the elements are transactions. */
export const transactionsIn = ({ elements }: Pick<ReadBody, "elements">): number => {
  let transactions = 0
  for (const { key } of elements) if (typeof key !== "string") transactions++
  return transactions
}

/** Parsed JSON can be nested deeper than can be written again. */
const jsonOf = (element: unknown): string => {
  try {
    return JSON.stringify(element)
  } catch {
    return "nested too deep to be kept"
  }
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
