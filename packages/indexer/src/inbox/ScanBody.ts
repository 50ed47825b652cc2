import { type BodyElement, type BodyText, wholeElement } from "./BodyElement.ts"
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  endOfSpace,
  endOfString,
  endOfValue,
  type JsonBytes,
  jsonBytes,
  NO_JSON,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  startAfterColon,
} from "./JsonBytes.ts"
import { endOf, PART, type Part, startOf, TransactionElement } from "./TransactionElement.ts"
import { isSignature, SLOT_MAX } from "./TransactionKey.ts"

/** A member of an object that is looked for, and those that are looked for within it. */
interface Member {
  readonly name: Uint8Array
  readonly part: Part
  readonly within: ReadonlyArray<Member>
}

const member = (name: keyof typeof PART, within: ReadonlyArray<Member> = []): Member => ({
  name: Buffer.from(name),
  part: PART[name],
  within,
})

const TRANSACTION: ReadonlyArray<Member> = [
  member("slot"),
  member("meta", [member("err"), member("innerInstructions"), member("loadedAddresses")]),
  member("blockTime"),
  member("transaction", [member("message"), member("signatures")]),
  member("indexWithinBlock"),
]
const NOWHERE: ReadonlyArray<number> = Array.from({ length: 2 * Object.keys(PART).length }, () => 0)

const BACKSLASH = 0x5c
const ZERO = 0x30
/** `SLOT_MAX` has ten. */
const SLOT_DIGITS_MAX = 10

/**
 * The elements of a body in one pass over its bytes; `undefined` where that does not get through, be it that the body is no JSON
 * or one that is nested too deep for it. What it gives is what `JSON.parse` would.
 */
export const scanBody = (body: BodyText): ReadonlyArray<BodyElement> | undefined => {
  const json = jsonBytes(body.bytes)
  const elements: Array<BodyElement> = []
  let at = endOfSpace(json, 0)
  const isArray = body.bytes[at] === OPEN_ARRAY
  if (isArray) at = endOfSpace(json, at + 1)
  if (isArray && body.bytes[at] === CLOSE_ARRAY) at++
  else {
    const scan = new ElementScan(body, json)
    while (true) {
      at = scan.endOfElement(at)
      if (at === NO_JSON) return undefined
      elements.push(scan.element)
      if (!isArray) break
      at = endOfSpace(json, at)
      const byte = body.bytes[at++]
      if (byte === CLOSE_ARRAY) break
      if (byte !== COMMA) return undefined
      at = endOfSpace(json, at)
    }
  }
  return endOfSpace(json, at) === body.bytes.length ? elements : undefined
}

/** Passes over one element of a body after the other. */
class ElementScan {
  readonly #body: BodyText
  readonly #json: JsonBytes
  #parts = [...NOWHERE]
  /** Whether every part was found at most once, and no name is written in a way that could hide one. */
  #isPlain = true
  #from = 0
  #to = 0

  constructor(body: BodyText, json: JsonBytes) {
    this.#body = body
    this.#json = json
  }

  endOfElement(from: number): number {
    this.#parts = [...NOWHERE]
    this.#isPlain = this.#body.bytes[from] === OPEN_OBJECT
    this.#from = from
    this.#to = this.#isPlain ? this.#endOfObject(from, TRANSACTION) : endOfValue(this.#json, from)
    return this.#to
  }

  /** The one that was passed over last. */
  get element(): BodyElement {
    const slot = this.#slot()
    const signature = this.#signature()
    const isWhole = slot === undefined || signature === undefined || !this.#isPlain || !this.#isObject(PART.meta)
    return isWhole
      ? wholeElement(this.#body, this.#from, this.#to)
      : new TransactionElement(this.#body, { slot, signature }, this.#parts)
  }

  #endOfObject(from: number, looked: ReadonlyArray<Member>): number {
    const { bytes } = this.#body
    const json = this.#json
    let at = endOfSpace(json, from + 1)
    if (bytes[at] === CLOSE_OBJECT) return at + 1
    while (true) {
      if (bytes[at] !== QUOTE) return NO_JSON
      const end = endOfString(json, at + 1)
      if (end === NO_JSON) return NO_JSON
      const found = this.#memberOf(looked, at + 1, end - 1)
      const start = startAfterColon(json, end)
      if (start === NO_JSON) return NO_JSON
      const isWithin = found !== undefined && found.within.length > 0 && bytes[start] === OPEN_OBJECT
      at = isWithin ? this.#endOfObject(start, found.within) : endOfValue(json, start)
      if (at === NO_JSON) return NO_JSON
      if (found !== undefined) this.#note(found.part, start, at)
      at = endOfSpace(json, at)
      const byte = bytes[at++]
      if (byte === CLOSE_OBJECT) return at
      if (byte !== COMMA) return NO_JSON
      at = endOfSpace(json, at)
    }
  }

  /** Of members of the same name the last one counts; which that is, parsing tells. */
  #note(part: Part, from: number, to: number): void {
    if (startOf(this.#parts, part) !== 0) this.#isPlain = false
    this.#parts[2 * part] = from
    this.#parts[2 * part + 1] = to
  }

  #memberOf(looked: ReadonlyArray<Member>, from: number, to: number): Member | undefined {
    const { bytes } = this.#body
    for (const one of looked) {
      const { name } = one
      if (name.length !== to - from) continue
      let same = 0
      while (same < name.length && bytes[from + same] === name[same]) same++
      if (same === name.length) return one
    }
    for (let at = from; at < to; at++) if (bytes[at] === BACKSLASH) this.#isPlain = false
    return undefined
  }

  #isObject(part: Part): boolean {
    return this.#body.bytes[startOf(this.#parts, part)] === OPEN_OBJECT && startOf(this.#parts, part) !== 0
  }

  /** Where it is written as digits alone. */
  #slot(): number | undefined {
    const from = startOf(this.#parts, PART.slot)
    const to = endOf(this.#parts, PART.slot)
    if (from === 0 || to - from > SLOT_DIGITS_MAX) return undefined
    let slot = 0
    for (let at = from; at < to; at++) {
      const digit = this.#body.bytes[at]! - ZERO
      if (digit < 0 || digit > 9) return undefined
      slot = slot * 10 + digit
    }
    return slot <= SLOT_MAX ? slot : undefined
  }

  /** The first one, where nothing in it is escaped. */
  #signature(): string | undefined {
    const array = startOf(this.#parts, PART.signatures)
    if (array === 0 || this.#body.bytes[array] !== OPEN_ARRAY) return undefined
    const from = endOfSpace(this.#json, array + 1)
    if (this.#body.bytes[from] !== QUOTE) return undefined
    const text = this.#body.text(from + 1, endOfString(this.#json, from + 1) - 1)
    return isSignature(text) ? text : undefined
  }
}
