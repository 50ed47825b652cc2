import { type BodyElement, BodyText, parsedElement } from "./BodyElement.ts"
import { scanBody } from "./ScanBody.ts"
import type { TransactionKey } from "./TransactionKey.ts"

/** A transaction of a body, or of the segment that holds it. */
export interface KeyAt extends TransactionKey {
  /** Among everything in there. */
  readonly position: number
}

/** Something in a body that is no transaction. */
export interface Unreadable {
  readonly reason: string
  readonly text: string
}

export interface ReadBody {
  readonly keys: ReadonlyArray<KeyAt>
  /** Everything in it by position, what is unreadable included. */
  readonly elements: ReadonlyArray<BodyElement>
  readonly unreadable: ReadonlyArray<Unreadable>
}

/** The transactions of a body: an array of them, or a single one. Total: what cannot be read is in the result. */
export const readBody = (body: Uint8Array): ReadBody => {
  const text = new BodyText(body)
  const scanned = scanBody(text)
  return scanned === undefined ? parseBody(text.text()) : readElements(scanned)
}

/** The same by `JSON.parse` alone: what `readBody` has to agree with, and what it falls back to. */
export const parseBody = (text: string): ReadBody => {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return { keys: [], elements: [], unreadable: [{ reason: "no JSON", text }] }
  }
  return readElements((Array.isArray(parsed) ? parsed : [parsed]).map(parsedElement))
}

const readElements = (elements: ReadonlyArray<BodyElement>): ReadBody => {
  const keys: Array<KeyAt> = []
  const unreadable: Array<Unreadable> = []
  for (const [position, element] of elements.entries()) {
    const { key } = element
    if (typeof key === "string") unreadable.push({ reason: key, text: jsonOf(element.read()) })
    else keys.push({ slot: key.slot, signature: key.signature, position })
  }
  return { keys, elements, unreadable }
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
  const keys: Array<KeyAt> = []
  const unreadable: Array<Unreadable> = []
  for (const body of bodies) {
    for (const { position, signature, slot } of body.keys)
      keys.push({ slot, signature, position: elements.length + position })
    for (const element of body.elements) elements.push(element)
    for (const one of body.unreadable) unreadable.push(one)
  }
  return { keys, elements, unreadable }
}
