import type { RawTransaction } from "../transactions/RawTransaction.ts"
import type { SeedAccount, SeedStage } from "./SeedAccounts.ts"

export interface LedgerOptions {
  readonly stage: SeedStage
  /** A program that two of them have is loaded from the first. */
  readonly programsFolders?: ReadonlyArray<string>
  /** The folder that stores the chain, used by one process at a time. Without it the chain ends with the process. */
  readonly folder?: string
  /** Accounts that the chain begins with besides those of its stage; they replace these at their addresses. */
  readonly accounts?: ReadonlyArray<SeedAccount>
  /** Transactions before the chain's first slot, oldest first. */
  readonly captured?: ReadonlyArray<RawTransaction>
  readonly historyMax?: number
  /** Rent from now on, also of a chain that was stored with another: it changes on a cluster too. */
  readonly lamportsPerByte?: bigint
  /** How long a slot takes; as on mainnet by default. */
  readonly slotMillis?: number
}
