import { type BodyElement, type BodyText, isTooMany, wholeElement } from "./BodyElement.ts"
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  endOfSpace,
  endOfString,
  endOfValue,
  type JsonBytes,
  NO_JSON,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  startAfterColon,
  wholeNumber,
} from "./JsonBytes.ts"
import { endOf, PART, type Part, startOf, TransactionElement } from "./TransactionElement.ts"
import { hasSignatureForm, RECEIVED_SLOT_MAX } from "./TransactionKey.ts"

/** A member to find in an object, and the members to find within it. */
interface Member {
  /** Its JSON text after the opening quote, including the closing one. */
  readonly name: Uint8Array
  /** The first four bytes of that as a number. */
  readonly head: number
  readonly part: Part
  readonly within: ReadonlyArray<Member>
}

const member = (key: keyof typeof PART, within: ReadonlyArray<Member> = []): Member => {
  const name = Buffer.from(`${key}"`)
  return { name, head: name.readInt32LE(), part: PART[key], within }
}

const TRANSACTION: ReadonlyArray<Member> = [
  member("slot"),
  member("meta", [
    ...[member("err"), member("innerInstructions"), member("loadedAddresses"), member("postTokenBalances")],
    member("logMessages"),
  ]),
  member("blockTime"),
  member("transaction", [member("message"), member("signatures")]),
  member("indexWithinBlock"),
]
const NOWHERE: ReadonlyArray<number> = Array.from({ length: 2 * Object.keys(PART).length }, () => 0)

/** Matches what `hasSignatureForm` accepts, by byte and by length: as fast as the rest of the scan, unlike a regular expression. */
const IN_SIGNATURES = Uint8Array.from({ length: 0x100 }, (_, byte) =>
  Number(hasSignatureForm(String.fromCharCode(byte).repeat(64))),
)
const IS_SIGNATURE_LENGTH = Uint8Array.from({ length: 0x100 }, (_, length) =>
  Number(hasSignatureForm("1".repeat(length))),
)

/**
 * The elements of a body in one pass over its bytes; `undefined` when the scan fails, because the body is not JSON
 * or is nested too deep. The result equals that of `JSON.parse`.
 */
export const scanBody = (body: BodyText): ReadonlyArray<BodyElement> | "too many" | undefined => {
  const { json } = body
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
      if (isTooMany(elements.length, body.bytes.length)) return "too many"
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

/** Scans the elements of a body one by one. */
class ElementScan {
  readonly #body: BodyText
  readonly #json: JsonBytes
  #parts = [...NOWHERE]
  /** Whether every part was found at most once, and no name is escaped in a way that could hide one. */
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

  /** The element scanned last. */
  get element(): BodyElement {
    const slot = this.#slot()
    const signature = this.#signature()
    const isWhole = slot === undefined || signature === undefined || !this.#isPlain || !this.#isObject(PART.meta)
    return isWhole
      ? wholeElement(this.#body, this.#from, this.#to)
      : new TransactionElement(this.#body, { slot, signature }, this.#parts, this.#from, this.#to)
  }

  #endOfObject(from: number, looked: ReadonlyArray<Member>): number {
    const json = this.#json
    const { bytes } = json
    let at = endOfSpace(json, from + 1)
    if (bytes[at] === CLOSE_OBJECT) return at + 1
    while (true) {
      if (bytes[at] !== QUOTE) return NO_JSON
      const found = memberAt(json, looked, at + 1)
      const end = found === undefined ? this.#endOfOther(at + 1) : at + 1 + found.name.length
      if (end === NO_JSON) return NO_JSON
      const start = startAfterColon(json, end)
      if (start === NO_JSON) return NO_JSON
      const isWithin = found !== undefined && found.within.length > 0 && bytes[start] === OPEN_OBJECT
      at = isWithin ? this.#endOfObject(start, found.within) : endOfValue(json, start)
      if (at === NO_JSON) return NO_JSON
      if (found !== undefined) this.#note(found.part, start, at)
      at = endOfSpace(json, at)
      const byte = bytes[at]
      if (byte !== COMMA) return byte === CLOSE_OBJECT ? at + 1 : NO_JSON
      at = endOfSpace(json, at + 1)
    }
  }

  /** The position after a member with another name; an escaped name may be one of ours. */
  #endOfOther(from: number): number {
    const end = endOfString(this.#json, from)
    if (this.#json.lastPlain < 0)
      for (let at = from; at < end; at++) if (this.#json.bytes[at] === BACKSLASH) this.#isPlain = false
    return end
  }

  /** Of members with the same name the last one counts, which is left to `JSON.parse`. */
  #note(part: Part, from: number, to: number): void {
    if (startOf(this.#parts, part) !== 0) this.#isPlain = false
    this.#parts[2 * part] = from
    this.#parts[2 * part + 1] = to
  }

  #isObject(part: Part): boolean {
    return this.#body.bytes[startOf(this.#parts, part)] === OPEN_OBJECT && startOf(this.#parts, part) !== 0
  }

  /** The slot when it is written in digits only. */
  #slot(): number | undefined {
    const slot = wholeNumber(this.#body.bytes, startOf(this.#parts, PART.slot), endOf(this.#parts, PART.slot))
    return slot !== undefined && slot <= RECEIVED_SLOT_MAX ? slot : undefined
  }

  /** The first signature when it has no escapes. */
  #signature(): string | undefined {
    const { bytes } = this.#body
    const array = startOf(this.#parts, PART.signatures)
    if (array === 0 || bytes[array] !== OPEN_ARRAY) return undefined
    const quote = endOfSpace(this.#json, array + 1)
    if (bytes[quote] !== QUOTE) return undefined
    const start = quote + 1
    let end = start
    while (IN_SIGNATURES[bytes[end]!] === 1) end++
    return bytes[end] === QUOTE && IS_SIGNATURE_LENGTH[end - start] === 1 ? this.#body.text(start, end) : undefined
  }
}

/** The member whose name is at `from`. */
const memberAt = ({ bytes, view }: JsonBytes, looked: ReadonlyArray<Member>, from: number): Member | undefined => {
  if (from + 4 > bytes.length) return undefined
  const head = view.getInt32(from, true)
  for (const one of looked) if (one.head === head && isAt(bytes, from, one.name)) return one
  return undefined
}

/** Whether `text` is at `from`, given its first four bytes. */
const isAt = (bytes: Uint8Array, from: number, text: Uint8Array): boolean => {
  for (let at = 4; at < text.length; at++) if (bytes[from + at] !== text[at]) return false
  return true
}
