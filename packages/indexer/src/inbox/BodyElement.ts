import { isAscii } from "node:buffer"
import { type JsonBytes, jsonBytes } from "./JsonBytes.ts"
import { keyOf, type TransactionKey } from "./TransactionKey.ts"

/**
 * An element of a body, still as bytes: parsed, it would be many times as large and burden the garbage collector while it waits to be
 * committed and decoded.
 */
export interface BodyElement {
  /** The key of a transaction, or the reason why it is none. */
  readonly key: TransactionKey | string
  /**
   * Parsed JSON; of a transaction possibly only the parts that decoding needs (`RawTransaction`). Parsed again at every
   * call.
   */
  readonly read: () => unknown
  /** As it was received. */
  readonly text: () => string
}

/** A body as text. Decoded the same way when it is received and when it is read back, so that positions agree. */
export class BodyText {
  readonly bytes: Buffer
  /** ASCII is valid in both encodings, and latin1 is much faster to read. */
  readonly #encoding: "latin1" | "utf8"
  #json: JsonBytes | undefined

  constructor(body: Uint8Array) {
    this.bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    this.#encoding = isAscii(this.bytes) ? "latin1" : "utf8"
  }

  /** To be scanned. */
  get json(): JsonBytes {
    return (this.#json ??= jsonBytes(this.bytes))
  }

  text(from = 0, to = this.bytes.length): string {
    return this.bytes.toString(this.#encoding, from, to)
  }

  parse(from: number, to: number): unknown {
    return JSON.parse(this.text(from, to))
  }
}

/** The signature of a transaction alone is nearly as long. */
const TRANSACTION_BYTES_MIN = 100
const FEW_ELEMENTS = 10_000

/**
 * Whether a body has more elements than it could have transactions: an object for each of millions of numbers would
 * take gigabytes.
 */
export const isTooMany = (elements: number, bodyBytes: number): boolean =>
  elements > FEW_ELEMENTS + bodyBytes / TRANSACTION_BYTES_MIN

/** An element that was parsed together with its body. */
export const parsedElement = (value: unknown): BodyElement => ({
  key: keyOf(value),
  read: () => value,
  text: () => jsonOf(value),
})

/** Parsed JSON can be nested deeper than can be written again. */
export const jsonOf = (element: unknown): string => {
  try {
    return JSON.stringify(element) ?? ""
  } catch {
    return "nested too deep to be kept"
  }
}

/** A range of a body that is parsed as a whole. */
export const wholeElement = (body: BodyText, from: number, to: number): BodyElement => ({
  key: keyOf(body.parse(from, to)),
  read: () => body.parse(from, to),
  text: () => body.text(from, to),
})
