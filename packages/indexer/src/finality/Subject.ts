import { DBC_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { LogEntry } from "../inbox/IngestLog.ts"
import { poolEntries } from "../pools/PoolEntries.ts"
import type { HistoryIncomplete, Listing } from "../sources/ChainHistory.ts"
import { answeringPools } from "./AnsweringPools.ts"
import { coverageStatements } from "./CoverageStatements.ts"
import { reconcileStatements } from "./ReconcileStatements.ts"

/** Entries that are in no listing of an address. */
export interface Unlisted {
  /** To be judged by the transactions themselves. */
  readonly closely: ReadonlyArray<LogEntry>
  /** To be judged by the outcomes of their signatures: they have no facts. */
  readonly loosely: ReadonlyArray<LogEntry>
}

/** Why a transaction is reverted that is on the chain and has nothing to do with what is proven. */
export type Foreign = "it does not involve the program" | "it does not involve the pool"

/** What is proven: that the log has the transactions of an address, and no others that claim to be of it. */
export interface Subject {
  readonly address: string
  readonly foreign: Foreign
  readonly coverage: ReturnType<typeof coverageStatements>
  /** What the log holds of a listing's slots that concerns the address, and of what is listed. */
  readonly entries: (listing: Listing) => Effect.Effect<ReadonlyArray<LogEntry>, SqlError>
  /** How to judge entries that are not listed; those that others answer for are left out. */
  readonly unlisted: (entries: ReadonlyArray<LogEntry>) => Effect.Effect<Unlisted, HistoryIncomplete | SqlError>
  /** A transaction of it in proven slots above this one: where a listing of those below begins. */
  readonly firstCoveredAbove: (slot: bigint) => Effect.Effect<string | undefined, SqlError>
}

/** The program. Trades on migrated pools are not of it, unless their transactions also call it. */
export const programSubject = (sql: SqlClient): Subject => {
  const { entriesBetween, firstCoveredAbove } = reconcileStatements(sql)
  return {
    address: DBC_PROGRAM,
    foreign: "it does not involve the program",
    coverage: coverageStatements(sql),
    entries: ({ fromSlot, toSlot }) => entriesBetween(fromSlot, toSlot),
    unlisted: answeringPools(sql),
    firstCoveredAbove,
  }
}

/** A migrated pool. */
export const poolSubject = (sql: SqlClient) => {
  const { firstCoveredAbove, ofListing } = poolEntries(sql)
  return (pool: string): Subject => ({
    address: pool,
    foreign: "it does not involve the pool",
    coverage: coverageStatements(sql, pool),
    entries: (listing) => ofListing(pool, listing),
    unlisted: (entries) => Effect.succeed({ closely: entries, loosely: [] }),
    firstCoveredAbove: (slot) => firstCoveredAbove(pool, slot),
  })
}
