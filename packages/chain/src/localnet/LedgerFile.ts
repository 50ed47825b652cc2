import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import type { Account } from "./Account.ts"
import type { Outcome } from "./Outcome.ts"

export const LEDGER_VERSION = 2

/** The identity of a local chain, and the time it begins at. */
export interface LedgerHeader {
  readonly version: typeof LEDGER_VERSION
  readonly genesisHash: string
  readonly bornAtMillis: number
  /** A slot that the chain has reached; later slots are never lower. */
  readonly slot: bigint
  readonly firstKnownSlot: bigint
}

/** One transaction: its outcome, with the accounts as it left them. */
export interface LedgerRecord {
  readonly outcome?: Outcome
  readonly accounts?: ReadonlyArray<Account>
}

/** The file of a local chain cannot be read. */
export class LedgerDamaged extends Schema.TaggedError<LedgerDamaged>()("LedgerDamaged", {
  path: Schema.String,
  line: Schema.Int,
}) {
  override get message(): string {
    return `The local chain in ${this.path} is damaged in line ${this.line}: move its folder away, and a new chain begins`
  }
}

/** The history can no longer be written, so the chain accepts no more transactions. */
export class LedgerUnwritable extends Schema.TaggedError<LedgerUnwritable>()("LedgerUnwritable", {
  reason: Schema.String,
}) {
  override get message(): string {
    return `The local chain cannot be written: ${this.reason}`
  }
}

const NEWLINE = 10

/**
 * The history of a local chain: a header, then a line of JSON for everything that happened. A line is written before
 * its transaction is answered, so it survives kill -9. It is not synced to disk: a power failure may lose the last
 * transactions, which is acceptable for a development chain.
 */
export class LedgerFile {
  readonly #path: string
  #descriptor: number | undefined
  #failure: LedgerUnwritable | undefined
  #lines = 0

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.#path = join(folder, "ledger.jsonl")
  }

  /** Lines added since the file was last rewritten. */
  get lines(): number {
    return this.#lines
  }

  /**
   * The records of the file; none when there is no file. An incomplete last line was never acknowledged and is left
   * out.
   */
  read(): { readonly header: LedgerHeader; readonly records: ReadonlyArray<LedgerRecord> } | undefined {
    const bytes = bytesOf(this.#path)
    if (bytes === undefined) return undefined
    const values: Array<unknown> = []
    for (let start = 0; start < bytes.length;) {
      const end = bytes.indexOf(NEWLINE, start)
      if (end === -1) break
      try {
        values.push(JSON.parse(bytes.toString("utf8", start, end), revived))
      } catch {
        if (end !== bytes.length - 1 || values.length === 0)
          throw new LedgerDamaged({ path: this.#path, line: values.length + 1 })
      }
      start = end + 1
    }
    const [header, ...records] = values as [LedgerHeader | undefined, ...ReadonlyArray<LedgerRecord>]
    if (header?.version !== LEDGER_VERSION) throw new LedgerDamaged({ path: this.#path, line: 1 })
    return { header, records }
  }

  /** Replaces the file's content atomically. */
  rewrite(header: LedgerHeader, records: Iterable<LedgerRecord>): void {
    const unfinished = `${this.#path}.unfinished`
    const descriptor = openSync(unfinished, "w", 0o600)
    try {
      writeLine(descriptor, header)
      for (const record of records) writeLine(descriptor, record)
      renameSync(unfinished, this.#path)
    } catch (error) {
      closeSync(descriptor)
      throw error
    }
    this.close()
    this.#descriptor = descriptor
    this.#lines = 0
  }

  /** Throws when writing fails, and on every later call: lines after an incomplete one could not be read. */
  append(record: LedgerRecord): void {
    if (this.#failure !== undefined) throw this.#failure
    try {
      writeLine(this.#descriptor!, record)
    } catch (error) {
      this.#failure = new LedgerUnwritable({ reason: (error as Error).message })
      throw this.#failure
    }
    this.#lines++
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }
}

/** What JSON has no form for: bigints and bytes, each as an object of one field. */
function written(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  // A buffer has already been turned into something else in `value`.
  const original = this[name]
  if (typeof original === "bigint") return { $bigint: String(original) }
  return original instanceof Uint8Array ? { $base64: Buffer.from(original).toString("base64") } : value
}

const revived = (_: string, value: { readonly $bigint?: string; readonly $base64?: string } | null): unknown => {
  if (typeof value?.$bigint === "string") return BigInt(value.$bigint)
  return typeof value?.$base64 === "string" ? Uint8Array.from(Buffer.from(value.$base64, "base64")) : value
}

const writeLine = (descriptor: number, value: object): void => {
  const bytes = Buffer.from(`${JSON.stringify(value, written)}\n`)
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written)
}

const bytesOf = (path: string): Buffer | undefined => {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}
