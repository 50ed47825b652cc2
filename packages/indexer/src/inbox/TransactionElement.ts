import type { BodyElement, BodyText } from "./BodyElement.ts"
import { InstructionScan } from "./InstructionScan.ts"
import { wholeNumber } from "./JsonBytes.ts"
import type { TransactionKey } from "./TransactionKey.ts"

/** Members of a transaction that decoding needs, by their place in `Parts`. */
export const PART = {
  slot: 0,
  blockTime: 1,
  indexWithinBlock: 2,
  meta: 3,
  err: 4,
  innerInstructions: 5,
  loadedAddresses: 6,
  transaction: 7,
  message: 8,
  signatures: 9,
  postTokenBalances: 10,
  logMessages: 11,
} as const
export type Part = (typeof PART)[keyof typeof PART]

const LOWER_N = 0x6e

/** For each part its start and end in the body; both 0 when it is missing. */
export type Parts = ReadonlyArray<number>

export const startOf = (parts: Parts, part: Part): number => parts[2 * part]!
export const endOf = (parts: Parts, part: Part): number => parts[2 * part + 1]!

/** A transaction that is read in place in its body; balances and logs are parsed when they are asked for. */
export class TransactionElement implements BodyElement {
  readonly key: TransactionKey
  readonly #body: BodyText
  readonly #parts: Parts
  readonly #from: number
  readonly #to: number

  constructor(body: BodyText, key: TransactionKey, parts: Parts, from: number, to: number) {
    this.#body = body
    this.key = key
    this.#parts = parts
    this.#from = from
    this.#to = to
  }

  text(): string {
    return this.#body.text(this.#from, this.#to)
  }

  read(): unknown {
    const scan = new InstructionScan(this.#body)
    const message = startOf(this.#parts, PART.message)
    const inner = startOf(this.#parts, PART.innerInstructions)
    const loaded = startOf(this.#parts, PART.loadedAddresses)
    return {
      slot: this.key.slot,
      blockTime: this.#number(PART.blockTime),
      indexWithinBlock: this.#number(PART.indexWithinBlock),
      meta: new ScannedMeta(
        this.#parsed(PART.err),
        (inner && scan.innerInstructions(inner)) || this.#parsed(PART.innerInstructions),
        (loaded && scan.loadedAddresses(loaded)) || this.#parsed(PART.loadedAddresses),
        () => this.#parsed(PART.postTokenBalances),
        () => this.#parsed(PART.logMessages),
      ),
      transaction: {
        message: (message && scan.message(message)) || this.#parsed(PART.message),
        signatures: [this.key.signature],
      },
    }
  }

  #parsed(part: Part): unknown {
    const start = startOf(this.#parts, part)
    if (start === 0) return undefined
    const end = endOf(this.#parts, part)
    return end - start === 4 && this.#body.bytes[start] === LOWER_N ? null : this.#body.parse(start, end)
  }

  /** Nearly always digits only. */
  #number(part: Part): unknown {
    const value = wholeNumber(this.#body.bytes, startOf(this.#parts, part), endOf(this.#parts, part))
    return value ?? this.#parsed(part)
  }
}

/** The outcome of a transaction; its balances and logs are still bytes. */
class ScannedMeta {
  readonly err: unknown
  readonly innerInstructions: unknown
  readonly loadedAddresses: unknown
  readonly #balances: () => unknown
  readonly #logs: () => unknown
  #postTokenBalances: unknown
  #isParsed = false

  constructor(
    err: unknown,
    innerInstructions: unknown,
    loadedAddresses: unknown,
    balances: () => unknown,
    logs: () => unknown,
  ) {
    this.err = err
    this.innerInstructions = innerInstructions
    this.loadedAddresses = loadedAddresses
    this.#balances = balances
    this.#logs = logs
  }

  get postTokenBalances(): unknown {
    if (!this.#isParsed) this.#postTokenBalances = this.#balances()
    this.#isParsed = true
    return this.#postTokenBalances
  }

  /** Read once, by whoever checks that the transaction is whole. */
  get logMessages(): unknown {
    return this.#logs()
  }
}
