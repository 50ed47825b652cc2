import type { Transaction } from "@solana/kit"
import type { TransactionMetadata } from "litesvm"
import type { RawTransaction } from "../transactions/RawTransaction.ts"
import type { Account } from "./Account.ts"
import type { TokenBalance } from "./TokenBalances.ts"
import type { TransactionAccounts } from "./TransactionAccounts.ts"

/** The outcome of a transaction. */
export interface Outcome {
  readonly signature: string
  readonly slot: bigint
  readonly blockTimeSeconds: number
  readonly err: unknown
  readonly logs: ReadonlyArray<string>
  readonly unitsConsumed: bigint
  /** What programs called, by instruction of the transaction. */
  readonly inner: ReadonlyArray<ReadonlyArray<InnerCall>>
  /** Lamports of all accounts before and after; absent for airdrops and for captured transactions. */
  readonly preBalances?: ReadonlyArray<number>
  readonly postBalances?: ReadonlyArray<number>
  /** What token accounts held before and after; absent for airdrops and for captured transactions. */
  readonly preTokenBalances?: ReadonlyArray<TokenBalance>
  readonly postTokenBalances?: ReadonlyArray<TokenBalance>
  /** Absent for airdrops and for captured accounts. */
  readonly transaction?: Transaction
  /** Of its lookup tables, as they were then; absent where there is no transaction. */
  readonly loadedAddresses?: TransactionAccounts["loaded"]
  /** A transaction of a captured launch, as a node answered it. */
  readonly captured?: RawTransaction
}

/** Is told of a transaction, with the accounts that it may have changed. */
export type OutcomeListener = (outcome: Outcome, written: ReadonlyArray<string>) => void

/** The outcome that a transaction would have, and accounts after it. */
export interface Simulated extends Omit<Outcome, "signature"> {
  readonly accountsAfter: (addresses: ReadonlyArray<string>) => ReadonlyArray<Account | undefined>
}

/** A call of a program by another one; accounts and program by their index in the message. */
export interface InnerCall {
  readonly programIdIndex: number
  readonly accounts: ReadonlyArray<number>
  readonly data: Uint8Array
  readonly stackHeight: number
}

/** A captured transaction, which happened before the local chain began. */
export const capturedOutcome = (captured: RawTransaction): Outcome => ({
  signature: captured.transaction.signatures[0]!,
  slot: BigInt(captured.slot),
  blockTimeSeconds: captured.blockTime ?? 0,
  err: captured.meta.err,
  logs: [],
  unitsConsumed: 0n,
  inner: [],
  captured,
})

/** What LiteSVM says of a transaction that it executed. */
export const executionOf = (meta: TransactionMetadata): Pick<Outcome, "inner" | "logs" | "unitsConsumed"> => ({
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
})
