import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { Address, Lamports, Transaction } from "@solana/kit"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import type { LiteSVM as Svm, TransactionMetadata } from "litesvm"
import { DAMM_V2_PROGRAM, DBC_PROGRAM, METADATA_PROGRAM } from "../launch/Programs.ts"
import { dammAccounts } from "./DammConfigs.ts"
import { SEED_SLOT, SEED_TIME_SECONDS, type SeedAccount, seedAccounts, type SeedStage } from "./SeedAccounts.ts"
import { errorJson } from "./TransactionErrorJson.ts"

const SLOT_MILLIS = 400
/** A blockhash can be used for this many blocks, as on every cluster. */
const BLOCKHASH_BLOCKS = 150
/** Outcomes kept for status and history queries; the oldest go first. */
const HISTORY_MAX = 10_000

/** Programs that are loaded when their `.so` lies in the programs folder, by file name. */
const PROGRAM_FILES: Readonly<Record<string, Address>> = {
  "dynamic_bonding_curve.so": DBC_PROGRAM,
  "dbc.so": DBC_PROGRAM,
  "mpl_token_metadata.so": METADATA_PROGRAM,
  "metaplex.so": METADATA_PROGRAM,
  "damm_v2.so": DAMM_V2_PROGRAM,
  "cp_amm.so": DAMM_V2_PROGRAM,
}

/** What became of a transaction. */
export interface Outcome {
  readonly signature: string
  readonly slot: bigint
  readonly blockTimeSeconds: number
  readonly err: unknown
  readonly logs: ReadonlyArray<string>
  readonly unitsConsumed: bigint
  /** What programs called, by instruction of the transaction. */
  readonly inner: ReadonlyArray<ReadonlyArray<InnerCall>>
  /** Absent for airdrops, which are nobody's transaction. */
  readonly transaction?: Transaction
}

/** A call of a program by another one; accounts and program by their index in the message. */
export interface InnerCall {
  readonly programIdIndex: number
  readonly accounts: ReadonlyArray<number>
  readonly data: Uint8Array
  readonly stackHeight: number
}

export interface Account {
  readonly address: string
  readonly owner: string
  readonly lamports: bigint
  readonly data: Uint8Array
  readonly executable: boolean
}

/** A LiteSVM whose slots and blockhashes move with time, as a cluster's do. */
export class Ledger {
  readonly genesisHash = encodeBase58(crypto.getRandomValues(new Uint8Array(32)))
  /** File names of the programs that were loaded. */
  readonly programs: ReadonlyArray<string>
  readonly #svm: Svm
  readonly #bornAtMillis = Date.now()
  readonly #blockhashes = new Map<string, bigint>()
  readonly #outcomes = new Map<string, Outcome>()
  readonly #listeners = new Set<(outcome: Outcome) => void>()
  #blockhashSlot = -1n
  #firstKnownSlot = SEED_SLOT + 1n

  private constructor(svm: Svm, programs: ReadonlyArray<string>) {
    this.#svm = svm
    this.programs = programs
  }

  /** A ledger with the captured launches at `stage`, and the programs whose `.so` lie in `programsFolder`. */
  static async open(options: { readonly stage: SeedStage; readonly programsFolder?: string }): Promise<Ledger> {
    const { LiteSVM } = await import("litesvm")
    const svm = new LiteSVM().withNativeMints().withBlockhashCheck(false)
    const programs = options.programsFolder === undefined ? [] : loadPrograms(svm, options.programsFolder)
    const ledger = new Ledger(svm, programs)
    const rentOf = (bytes: number) => ledger.rentOf(bytes)
    for (const account of await seedAccounts(options.stage, rentOf)) ledger.put(account)
    for (const account of dammAccounts(rentOf)) ledger.put(account)
    ledger.advance()
    return ledger
  }

  get slot(): bigint {
    return SEED_SLOT + 1n + BigInt(Math.floor((Date.now() - this.#bornAtMillis) / SLOT_MILLIS))
  }

  /** The first slot of which everything is still known. */
  get firstKnownSlot(): bigint {
    return this.#firstKnownSlot
  }

  /** A local chain has no skipped slots. */
  get blockHeight(): bigint {
    return this.slot
  }

  /** Seconds since 1970, never before the captured launches. */
  get timeSeconds(): number {
    return Math.max(Math.floor(Date.now() / 1000), SEED_TIME_SECONDS + 1)
  }

  /** Brings the clock that programs read to the present. */
  advance(): void {
    const { slot } = this
    this.#svm.warpToSlot(slot)
    const clock = this.#svm.getClock()
    clock.unixTimestamp = BigInt(this.timeSeconds)
    this.#svm.setClock(clock)
  }

  latestBlockhash(): { readonly blockhash: string; readonly lastValidBlockHeight: bigint } {
    const height = this.blockHeight
    if (this.#blockhashSlot !== height) {
      this.#svm.expireBlockhash()
      this.#blockhashSlot = height
      this.#blockhashes.set(this.#svm.latestBlockhash(), height + BigInt(BLOCKHASH_BLOCKS))
      for (const [blockhash, last] of this.#blockhashes) {
        if (last >= height) break
        this.#blockhashes.delete(blockhash)
      }
    }
    const blockhash = this.#svm.latestBlockhash()
    return { blockhash, lastValidBlockHeight: this.#blockhashes.get(blockhash)! }
  }

  isBlockhashValid(blockhash: string): boolean {
    const last = this.#blockhashes.get(blockhash)
    return last !== undefined && last >= this.blockHeight
  }

  rentOf(bytes: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(bytes))
  }

  account(address: string): Account | undefined {
    if (address === "SysvarC1ock11111111111111111111111111111111") this.advance()
    const account = this.#svm.getAccount(address as Address)
    if (!account.exists) return undefined
    const { data, executable, lamports, programAddress } = account
    return { address, owner: programAddress, lamports, data: Uint8Array.from(data), executable }
  }

  accountsOf(program: string): ReadonlyArray<Account> {
    return this.#svm
      .getProgramAccounts(program as Address)
      .map(({ address, data, executable, lamports, programAddress }) => ({
        address,
        owner: programAddress,
        lamports,
        data: Uint8Array.from(data),
        executable,
      }))
  }

  put({ address, data, lamports, owner }: SeedAccount): void {
    this.#svm.setAccount({
      address: address as Address,
      data,
      executable: false,
      lamports: lamports as Lamports,
      programAddress: owner as Address,
      space: BigInt(data.length),
    })
  }

  airdrop(address: string, lamports: bigint): Outcome {
    this.advance()
    const result = this.#svm.airdrop(address as Address, lamports as Lamports)
    if (result === null || "err" in result) throw new Error("the airdrop failed")
    return this.#keep(encodeBase58(result.signature()), null, result)
  }

  send(signature: string, transaction: Transaction): Outcome {
    this.advance()
    const result = this.#svm.sendTransaction(transaction)
    return "err" in result
      ? this.#keep(signature, errorJson(result.err()), result.meta(), transaction)
      : this.#keep(signature, null, result, transaction)
  }

  simulate(transaction: Transaction, checksSignatures = true): Omit<Outcome, "signature"> {
    this.advance()
    this.#svm.withSigverify(checksSignatures)
    const result = this.#svm.simulateTransaction(transaction)
    this.#svm.withSigverify(true)
    return this.#outcome("err" in result ? errorJson(result.err()) : null, result.meta())
  }

  outcome(signature: string): Outcome | undefined {
    return this.#outcomes.get(signature)
  }

  /** Calls `listener` after every transaction, until what this returns is called. */
  onOutcome(listener: (outcome: Outcome) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The newest first. */
  outcomes(): ReadonlyArray<Outcome> {
    return [...this.#outcomes.values()].toReversed()
  }

  #forgetOldest(): void {
    const [[signature, { slot }]] = this.#outcomes as unknown as [[string, Outcome]]
    this.#outcomes.delete(signature)
    this.#firstKnownSlot = slot + 1n
  }

  #outcome(err: unknown, meta: TransactionMetadata): Omit<Outcome, "signature"> {
    return {
      slot: this.slot,
      blockTimeSeconds: this.timeSeconds,
      err,
      logs: meta.logs(),
      unitsConsumed: meta.computeUnitsConsumed(),
      inner: meta.innerInstructions().map((calls) =>
        calls.map((call) => ({
          programIdIndex: call.instruction().programIdIndex(),
          accounts: [...call.instruction().accounts()],
          data: call.instruction().data(),
          stackHeight: call.stackHeight(),
        })),
      ),
    }
  }

  #keep(signature: string, err: unknown, meta: TransactionMetadata, transaction?: Transaction): Outcome {
    const outcome = { signature, ...this.#outcome(err, meta), ...(transaction && { transaction }) }
    this.#outcomes.set(signature, outcome)
    for (const listener of this.#listeners) {
      try {
        listener(outcome)
      } catch {
        // Who listens is told nothing more; what happened has happened.
        this.#listeners.delete(listener)
      }
    }
    if (this.#outcomes.size > HISTORY_MAX) this.#forgetOldest()
    return outcome
  }
}

const loadPrograms = (svm: Svm, folder: string): ReadonlyArray<string> => {
  const present = new Set(filesOf(folder))
  const loaded = Object.entries(PROGRAM_FILES).filter(([file]) => present.has(file))
  for (const [file, program] of loaded) svm.addProgramFromFile(program, join(folder, file))
  return loaded.map(([file]) => file)
}

const filesOf = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
