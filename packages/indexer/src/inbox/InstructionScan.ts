import type { AddressList, RawInstruction } from "@launch-registry/chain/transactions/RawTransaction"
import { ADDRESS_LENGTH_MAX, ADDRESS_LENGTH_MIN } from "@launch-registry/solana/AddressText"
import type { BodyText } from "./BodyElement.ts"
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  endOfString,
  endOfValue,
  EXACT_DIGITS_MAX,
  type JsonBytes,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from "./JsonBytes.ts"
import { ScannedInstruction } from "./ScannedInstruction.ts"
import { ScannedKeys } from "./ScannedKeys.ts"

const SPACE = 0x20
const ZERO = 0x30
const NINE = 0x39
const LOWER_N = 0x6e

/** Thrown when the text is not in its usual form: `JSON.parse` is used instead. */
const NOT_PLAIN = new Error("not plain")

const namesOf = (...names: ReadonlyArray<string>): ReadonlyArray<Uint8Array> => names.map((name) => Buffer.from(name))
const MESSAGE = namesOf("accountKeys", "instructions", "addressTableLookups")
const LOADED = namesOf("writable", "readonly")
const INNER = namesOf("index", "instructions")
const INSTRUCTION = namesOf("programIdIndex", "accounts", "data", "stackHeight")

/** Accounts and instructions of a message. */
interface ScannedMessage {
  readonly accountKeys: AddressList | undefined
  readonly instructions: ReadonlyArray<RawInstruction> | undefined
  readonly addressTableLookups: unknown
}

/** Accounts of lookup tables. */
interface LoadedAddresses {
  readonly writable: AddressList
  readonly readonly: AddressList
}

/** Inner instructions of one instruction. */
interface InnerInstructions {
  readonly index: number
  readonly instructions: ReadonlyArray<RawInstruction>
}

/**
 * Reads the instructions of a transaction in place, in a body that is known to be valid JSON. Values are built on demand: of most
 * instructions only the program is needed. Results equal those of `JSON.parse`, or are `undefined` when the text is not in its usual form.
 */
export class InstructionScan {
  readonly #body: BodyText
  readonly #bytes: Uint8Array
  readonly #json: JsonBytes
  #at = 0

  constructor(body: BodyText) {
    this.#body = body
    this.#bytes = body.bytes
    this.#json = body.json
  }

  /** The message at `from`. */
  message(from: number): ScannedMessage | undefined {
    return this.#plainAt(from, this.#message)
  }

  /** The inner instructions at `from`. */
  innerInstructions(from: number): ReadonlyArray<InnerInstructions> | undefined {
    return this.#plainAt(from, this.#inner)
  }

  /** The accounts of lookup tables at `from`. */
  loadedAddresses(from: number): LoadedAddresses | undefined {
    return this.#plainAt(from, this.#loaded)
  }

  #plainAt<A>(from: number, read: () => A): A | undefined {
    this.#at = from
    try {
      return read.call(this)
    } catch (error) {
      if (error === NOT_PLAIN) return undefined
      throw error
    }
  }

  #loaded(): LoadedAddresses {
    let writable: AddressList | undefined
    let readonly: AddressList | undefined
    if (!this.#opens(OPEN_OBJECT)) throw NOT_PLAIN
    do {
      const member = this.#member(LOADED)
      if (member === 0) writable = this.#keys()
      else if (member === 1) readonly = this.#keys()
      else this.#passOver()
    } while (this.#goesOn(CLOSE_OBJECT))
    if (writable === undefined || readonly === undefined) throw NOT_PLAIN
    return { writable, readonly }
  }

  #message(): ScannedMessage {
    let accountKeys: AddressList | undefined
    let instructions: ReadonlyArray<RawInstruction> | undefined
    let addressTableLookups: unknown
    if (!this.#opens(OPEN_OBJECT)) return { accountKeys, instructions, addressTableLookups }
    do {
      const member = this.#member(MESSAGE)
      const from = this.#at
      if (member === 0) accountKeys = this.#keys()
      else if (member === 1) instructions = this.#instructions()
      else this.#passOver()
      if (member === 2) addressTableLookups = this.#body.parse(from, this.#at)
    } while (this.#goesOn(CLOSE_OBJECT))
    return { accountKeys, instructions, addressTableLookups }
  }

  #inner(): ReadonlyArray<InnerInstructions> {
    const inner: Array<InnerInstructions> = []
    if (!this.#opens(OPEN_ARRAY)) return inner
    do {
      let index: number | undefined
      let instructions: ReadonlyArray<RawInstruction> | undefined
      if (!this.#opens(OPEN_OBJECT)) throw NOT_PLAIN
      do {
        const member = this.#member(INNER)
        if (member === 0) index = this.#integer()
        else if (member === 1) instructions = this.#instructions()
        else this.#passOver()
      } while (this.#goesOn(CLOSE_OBJECT))
      if (index === undefined || instructions === undefined) throw NOT_PLAIN
      inner.push({ index, instructions })
    } while (this.#goesOn(CLOSE_ARRAY))
    return inner
  }

  #instructions(): ReadonlyArray<RawInstruction> {
    const instructions: Array<RawInstruction> = []
    if (!this.#opens(OPEN_ARRAY)) return instructions
    do instructions.push(this.#instruction())
    while (this.#goesOn(CLOSE_ARRAY))
    return instructions
  }

  #instruction(): RawInstruction {
    let programIdIndex = -1
    let stackHeight: number | null | undefined
    let accountsFrom = 0
    let accountsTo = 0
    let dataFrom = 0
    let dataTo = 0
    if (!this.#opens(OPEN_OBJECT)) throw NOT_PLAIN
    do {
      const member = this.#member(INSTRUCTION)
      if (member === 0) programIdIndex = this.#integer()
      else if (member === 1) {
        accountsFrom = this.#at
        if (this.#bytes[accountsFrom] !== OPEN_ARRAY) throw NOT_PLAIN
        this.#passOver()
        accountsTo = this.#at
      } else if (member === 2) {
        dataFrom = this.#at + 1
        dataTo = this.#endOfString() - 1
      } else if (member === 3) stackHeight = this.#bytes[this.#at] === LOWER_N ? this.#null() : this.#integer()
      else this.#passOver()
    } while (this.#goesOn(CLOSE_OBJECT))
    if (programIdIndex < 0 || accountsTo === 0 || dataFrom === 0) throw NOT_PLAIN
    return new ScannedInstruction(this.#body, programIdIndex, stackHeight, accountsFrom, accountsTo, dataFrom, dataTo)
  }

  #keys(): AddressList {
    const positions: Array<number> = []
    if (this.#opens(OPEN_ARRAY)) {
      do {
        const from = this.#at + 1
        const to = this.#endOfString() - 1
        // Of no address: whoever checks the text has to see it.
        if (to - from < ADDRESS_LENGTH_MIN || to - from > ADDRESS_LENGTH_MAX) throw NOT_PLAIN
        positions.push(from, to)
      } while (this.#goesOn(CLOSE_ARRAY))
    }
    return new ScannedKeys(this.#body, positions)
  }

  /** Enters an array or an object; skips it and returns `false` when it is empty. */
  #opens(bracket: number): boolean {
    if (this.#bytes[this.#at] !== bracket) throw NOT_PLAIN
    this.#at++
    this.#passSpace()
    if (this.#bytes[this.#at] !== bracket + 2) return true
    this.#at++
    return false
  }

  /** Moves past an element or a member to the next one, or past the end. */
  #goesOn(bracket: number): boolean {
    this.#passSpace()
    const byte = this.#bytes[this.#at++]
    if (byte === bracket) return false
    if (byte !== COMMA) throw NOT_PLAIN
    this.#passSpace()
    return true
  }

  /** Moves to the value of a member; returns the index of its name, or -1 for any other name. */
  #member(names: ReadonlyArray<Uint8Array>): number {
    const bytes = this.#bytes
    const from = this.#at + 1
    const to = this.#endOfString() - 1
    this.#passSpace()
    if (bytes[this.#at] !== COLON) throw NOT_PLAIN
    this.#at++
    this.#passSpace()
    for (let index = 0; index < names.length; index++) {
      const name = names[index]!
      if (name.length !== to - from) continue
      let same = 0
      while (same < name.length && bytes[from + same] === name[same]) same++
      if (same === name.length) return index
    }
    return -1
  }

  #integer(): number {
    const from = this.#at
    let value = 0
    let digit: number
    while ((digit = this.#bytes[this.#at]! - ZERO) >= 0 && digit <= NINE - ZERO) {
      value = value * 10 + digit
      this.#at++
    }
    const next = this.#bytes[this.#at]!
    // Anything else after the digits is not a plain whole number.
    const isWhole = next === COMMA || next === CLOSE_OBJECT || next <= SPACE
    if (!isWhole || this.#at === from || this.#at - from > EXACT_DIGITS_MAX) throw NOT_PLAIN
    return value
  }

  #null(): null {
    this.#at += "null".length
    return null
  }

  /** Moves past a string without escapes. */
  #endOfString(): number {
    const from = this.#at
    if (this.#bytes[from] !== QUOTE) throw NOT_PLAIN
    const to = endOfString(this.#json, from + 1)
    if (this.#json.lastPlain < 0 && this.#bytes.subarray(from, to).includes(BACKSLASH)) throw NOT_PLAIN
    this.#at = to
    return to
  }

  /** Moves past any value. */
  #passOver(): void {
    this.#at = endOfValue(this.#json, this.#at)
  }

  #passSpace(): void {
    while (this.#bytes[this.#at]! <= SPACE) this.#at++
  }
}
