import type { Address, Lamports, Transaction } from "@solana/kit"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import type { LiteSVM as Svm, TransactionMetadata } from "litesvm"
import type { RawTransaction } from "../transactions/RawTransaction.ts"
import { type Account, goneAccount, storedAccount } from "./Account.ts"
import { dammAccounts } from "./DammConfigs.ts"
import { LEDGER_VERSION, LedgerFile, type LedgerHeader, type LedgerRecord } from "./LedgerFile.ts"
import { capturedOutcome, executionOf, type Outcome, type OutcomeListener, type Simulated } from "./Outcome.ts"
import { Faucet } from "./Faucet.ts"
import { LOOKUP_TABLE_PROGRAM } from "../accounts/Programs.ts"
import type { LedgerOptions } from "./LedgerOptions.ts"
import { LoadedPrograms } from "./ProgramFiles.ts"
import { RecentBlockhashes } from "./RecentBlockhashes.ts"
import { LAMPORTS_PER_BYTE, SEED_SLOT, type SeedAccount, seedAccounts } from "./SeedAccounts.ts"
import { SLOT_MILLIS, SlotClock } from "./SlotClock.ts"
import { readMessage, type TransactionMessage } from "../submissions/TransactionMessage.ts"
import { tokenBalances } from "./TokenBalances.ts"
import { errorJson } from "./TransactionErrorJson.ts"
import { transactionAccounts } from "./TransactionAccounts.ts"

/** Outcomes kept for status and history queries; the oldest go first. */
const HISTORY_MAX = 10_000

/** A LiteSVM whose slots and blockhashes move with time, as a cluster's do. */
export class Ledger {
  readonly genesisHash: string
  readonly programs: LoadedPrograms
  readonly #svm: Svm
  readonly clock: SlotClock
  readonly #blockhashes: RecentBlockhashes
  readonly #faucet: Faucet
  /** Transactions since this process opened the chain. */
  transactionCount = 0
  readonly #outcomes = new Map<string, Outcome>()
  readonly #listeners = new Set<OutcomeListener>()
  /** Addresses of all accounts that changed after the chain was seeded. */
  readonly #changed = new Set<string>()
  /** Addresses of all accounts that were put here. */
  readonly #placed = new Set<string>()
  readonly #file: LedgerFile | undefined
  readonly #historyMax: number
  #firstKnownSlot: bigint
  /** Lamports that keep an account of so many bytes alive. */
  readonly rentOf = (bytes: number): bigint => this.#svm.minimumBalanceForRentExemption(BigInt(bytes))

  private constructor(
    svm: Svm,
    programs: LoadedPrograms,
    file: LedgerFile | undefined,
    header: Omit<LedgerHeader, "version">,
    { historyMax = HISTORY_MAX, slotMillis = SLOT_MILLIS }: LedgerOptions,
  ) {
    this.#svm = svm
    this.#historyMax = historyMax
    this.programs = programs
    this.#file = file
    this.genesisHash = header.genesisHash
    this.clock = new SlotClock(header.bornAtMillis, header.slot, slotMillis)
    this.#firstKnownSlot = header.firstKnownSlot
    this.#faucet = new Faucet(this.genesisHash)
    this.#blockhashes = new RecentBlockhashes(this.genesisHash, SEED_SLOT + 1n)
  }

  /** A ledger with the captured launches at `stage`, and the programs that have a `.so` file in `programsFolders`. */
  static async open(options: LedgerOptions): Promise<Ledger> {
    const { accounts = [], captured = [], folder, programsFolders = [], stage } = options
    const file = folder === undefined ? undefined : new LedgerFile(folder)
    const kept = file?.read()
    const { LiteSVM, Rent } = await import("litesvm")
    const svm = new LiteSVM().withNativeMints().withBlockhashCheck(false)
    svm.setRent(new Rent(options.lamportsPerByte ?? LAMPORTS_PER_BYTE, 1, 0))
    const programs = new LoadedPrograms(svm)
    for (const each of programsFolders) programs.loadFolder(each)
    const header = kept?.header ?? {
      genesisHash: encodeBase58(crypto.getRandomValues(new Uint8Array(32))),
      bornAtMillis: Date.now(),
      slot: SEED_SLOT + 1n,
      firstKnownSlot: BigInt(captured[0]?.slot ?? SEED_SLOT + 1n),
    }
    const records = kept?.records ?? []
    const lastSlot = records.findLast(({ outcome }) => outcome !== undefined)?.outcome?.slot ?? header.slot
    const slot = lastSlot > header.slot ? lastSlot : header.slot
    const ledger = new Ledger(svm, programs, file, { ...header, slot }, options)
    const seeded = [...(await seedAccounts(stage, ledger.rentOf)), ...dammAccounts(ledger.rentOf)]
    for (const account of [...seeded, ...accounts]) ledger.put(account)
    ledger.#restore(captured, records)
    ledger.#rewrite()
    ledger.advance()
    return ledger
  }

  get slot(): bigint {
    return this.clock.slot
  }

  /** The first slot whose transactions are all still stored. */
  get firstKnownSlot(): bigint {
    return this.#firstKnownSlot
  }

  /** A local chain has no skipped slots. */
  get blockHeight(): bigint {
    return this.slot
  }

  get timeSeconds(): number {
    return this.clock.timeSeconds
  }

  /** Time of a slot without transactions, in seconds since 1970; null for a future slot. */
  timeOf(slot: bigint): number | null {
    return this.clock.timeOf(slot)
  }

  /** Sets the clock that programs read to the present. */
  advance(): void {
    this.#svm.warpToSlot(this.slot)
    const clock = this.#svm.getClock()
    clock.unixTimestamp = BigInt(this.timeSeconds)
    this.#svm.setClock(clock)
  }

  latestBlockhash(): { readonly blockhash: string; readonly lastValidBlockHeight: bigint } {
    return this.#blockhashes.at(this.blockHeight)
  }

  /** Who leads every slot: the chain has one key of its own, its faucet's. */
  get identity(): string {
    return this.#faucet.address
  }

  blockhashOf(slot: bigint): string {
    return this.#blockhashes.at(slot).blockhash
  }

  isBlockhashValid(blockhash: string): boolean {
    return this.#blockhashes.isValid(blockhash, this.blockHeight)
  }

  account(address: string): Account | undefined {
    if (address === "SysvarC1ock11111111111111111111111111111111") this.advance()
    const account = this.#svm.getAccount(address as Address)
    return account.exists ? storedAccount(account) : undefined
  }

  accountsOf(program: string): ReadonlyArray<Account> {
    return this.#svm.getProgramAccounts(program as Address).map(storedAccount)
  }

  /** All that were seeded or written; not what LiteSVM itself comes with. */
  accounts = () => [...this.#placed.union(this.#changed)].flatMap((address) => this.account(address) ?? [])

  put({ address, data, executable = false, lamports, owner }: SeedAccount & { readonly executable?: boolean }): void {
    this.#placed.add(address)
    this.#svm.setAccount({
      address: address as Address,
      data,
      executable,
      lamports: lamports as Lamports,
      programAddress: owner as Address,
      space: BigInt(data.length),
    })
  }

  airdrop(address: string, lamports: bigint): Outcome {
    this.put(this.#faucet.filled)
    const transaction = this.#faucet.airdrop(address, lamports, this.latestBlockhash().blockhash)
    return this.send(encodeBase58(Object.values(transaction.signatures)[0]!), transaction)
  }

  send(signature: string, transaction: Transaction): Outcome {
    const message = readMessage(transaction.messageBytes)
    this.#advanceFor(message)
    const accounts = transactionAccounts(message, (table) => this.account(table)?.data)
    const lamports = () => accounts.all.map((address) => Number(this.#svm.getBalance(address as Address) ?? 0n))
    const tokens = () => tokenBalances(accounts, (address) => this.account(address))
    const [preBalances, preTokenBalances] = [lamports(), tokens()]
    const result = this.#svm.sendTransaction(transaction)
    const outcome = "err" in result ? this.#outcome(errorJson(result), result.meta()) : this.#outcome(null, result)
    const held = { preBalances, postBalances: lamports(), preTokenBalances, postTokenBalances: tokens() }
    return this.#keep(
      { signature, ...outcome, ...held, loadedAddresses: accounts.loaded, transaction },
      accounts.writable,
    )
  }

  simulate(transaction: Transaction, checksSignatures = true): Simulated {
    this.#advanceFor(readMessage(transaction.messageBytes))
    this.#svm.withSigverify(checksSignatures)
    const result = this.#svm.simulateTransaction(transaction)
    this.#svm.withSigverify(true)
    const outcome = this.#outcome("err" in result ? errorJson(result) : null, result.meta())
    return {
      ...outcome,
      accountsAfter: (addresses) => {
        const changed = "err" in result ? [] : result.postAccounts().map(storedAccount)
        return addresses.map((address) => changed.find((one) => one.address === address) ?? this.account(address))
      },
    }
  }

  outcome(signature: string): Outcome | undefined {
    return this.#outcomes.get(signature)
  }

  /** No more transactions are accepted; another process may use the folder. */
  close(): void {
    this.#file?.close()
  }

  /** Calls `listener` after every transaction; returns a function that unsubscribes it. */
  onOutcome(listener: OutcomeListener): () => void {
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

  /** Lookup tables alone need the slot hashes, which take longer to set than most transactions to execute. */
  #advanceFor({ lookups, staticAccounts }: TransactionMessage): void {
    this.advance()
    if (lookups.length > 0 || staticAccounts.includes(LOOKUP_TABLE_PROGRAM))
      this.#svm.setSlotHashes(this.#blockhashes.before(this.slot))
  }

  #outcome(err: unknown, meta: TransactionMetadata): Omit<Outcome, "signature"> {
    return { slot: this.slot, blockTimeSeconds: this.timeSeconds, err, ...executionOf(meta) }
  }

  /** Stored before it is answered or notified. */
  #keep(outcome: Outcome, written: ReadonlyArray<string>): Outcome {
    this.transactionCount++
    for (const address of written) this.#changed.add(address)
    this.#file?.append({ outcome, accounts: written.map((address) => this.#stored(address)) })
    this.#outcomes.set(outcome.signature, outcome)
    for (const listener of this.#listeners) {
      try {
        listener(outcome, written)
      } catch {
        // Subscribers get no more notifications; the outcome stands.
        this.#listeners.delete(listener)
      }
    }
    if (this.#outcomes.size > this.#historyMax) this.#forgetOldest()
    if (this.#file !== undefined && this.#file.lines >= 2 * this.#historyMax) this.#rewrite()
    return outcome
  }

  #stored(address: string): Account {
    return this.account(address) ?? goneAccount(address)
  }

  #restore(captured: ReadonlyArray<RawTransaction>, records: ReadonlyArray<LedgerRecord>): void {
    for (const transaction of captured)
      if (BigInt(transaction.slot) >= this.#firstKnownSlot) this.#remember(capturedOutcome(transaction))
    const accounts = new Map<string, Account>()
    for (const record of records) {
      for (const account of record.accounts ?? []) accounts.set(account.address, account)
      if (record.outcome !== undefined) this.#remember(record.outcome)
    }
    // The program's data account has to exist before the program account.
    const ordered = [...accounts.values()].sort((left, right) => Number(left.executable) - Number(right.executable))
    for (const account of ordered) {
      this.#changed.add(account.address)
      this.put(account)
    }
  }

  #remember(outcome: Outcome): void {
    this.#outcomes.set(outcome.signature, outcome)
    if (this.#outcomes.size > this.#historyMax) this.#forgetOldest()
  }

  /** The records of a rewritten file: each account once, and the outcomes that are still stored. */
  #rewrite(): void {
    const header = {
      version: LEDGER_VERSION,
      genesisHash: this.genesisHash,
      bornAtMillis: this.clock.bornAtMillis,
      slot: this.slot,
      firstKnownSlot: this.#firstKnownSlot,
    } as const
    this.#file?.rewrite(header, this.#records())
  }

  *#records(): Generator<LedgerRecord> {
    for (const address of this.#changed) yield { accounts: [this.#stored(address)] }
    for (const outcome of this.#outcomes.values()) if (outcome.captured === undefined) yield { outcome }
  }
}
