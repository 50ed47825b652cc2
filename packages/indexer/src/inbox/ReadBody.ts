/** A transaction of a body: where it stands in the chain and in the body. */
export interface TransactionKey {
  readonly slot: number
  readonly signature: string
  /** Among the transactions of the body, or of the segment that holds it. */
  readonly position: number
}

/** Something in a body that is no transaction. */
export interface Unreadable {
  readonly reason: string
  readonly text: string
}

export interface ReadBody {
  readonly keys: ReadonlyArray<TransactionKey>
  /** Everything in it by position, what is unreadable included. */
  readonly elements: ReadonlyArray<unknown>
  readonly unreadable: ReadonlyArray<Unreadable>
}

const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/
/** As far as ordinals reach; at the present pace, some 27 years from now. */
export const SLOT_MAX = 2 ** 31 - 2

/** The transactions in the text of a body: an array of them, or a single one. Total: what cannot be read is in the result. */
export const readBody = (text: string): ReadBody => {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return { keys: [], elements: [], unreadable: [{ reason: "no JSON", text }] }
  }
  return readElements(Array.isArray(parsed) ? parsed : [parsed])
}

/** The transactions among what a body holds. */
export const readElements = (elements: ReadonlyArray<unknown>): ReadBody => {
  const keys: Array<TransactionKey> = []
  const unreadable: Array<Unreadable> = []
  for (const [position, element] of elements.entries()) {
    const key = keyOf(element)
    if (typeof key === "string") unreadable.push({ reason: key, text: jsonOf(element) })
    else keys.push({ ...key, position })
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

/** Slot and first signature of what should be a transaction, or what it lacks. */
export const keyOf = (element: unknown): Omit<TransactionKey, "position"> | string => {
  if (typeof element !== "object" || element === null) return "no transaction"
  const { slot, transaction } = element as { readonly slot?: unknown; readonly transaction?: unknown }
  if (typeof slot !== "number" || !Number.isInteger(slot) || slot < 0 || slot > SLOT_MAX) return "no slot"
  const signatures = (transaction as { readonly signatures?: unknown } | null | undefined)?.signatures
  const signature: unknown = Array.isArray(signatures) ? signatures[0] : undefined
  return typeof signature === "string" && SIGNATURE.test(signature) ? { slot, signature } : "no signature"
}

/** Several bodies read as one: positions count through all of them. */
export const joinBodies = (bodies: ReadonlyArray<ReadBody>): ReadBody => {
  const elements: Array<unknown> = []
  const keys: Array<TransactionKey> = []
  const unreadable: Array<Unreadable> = []
  for (const body of bodies) {
    for (const key of body.keys) keys.push({ ...key, position: elements.length + key.position })
    for (const element of body.elements) elements.push(element)
    for (const one of body.unreadable) unreadable.push(one)
  }
  return { keys, elements, unreadable }
}
