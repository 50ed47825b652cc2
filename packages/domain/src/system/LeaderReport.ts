/** Name of the indexer's lease in `leases`. */
export const INDEXER_LEASE = "indexer"

/** Source of confirmed transactions: Helius webhooks, polling the RPC endpoints, or none. */
export const INDEX_SOURCES = ["webhook", "poll", "off"] as const
export type IndexSource = (typeof INDEX_SOURCES)[number]

/** Reports in `indexer_reports` that other packages read. */
export type ReportName = "leader" | "webhook" | "replay" | "pools" | "history" | "windows"

/** Report of the leader, for requests that other replicas serve. */
export interface LeaderReport {
  /** Genesis hash of the indexed chain; null while unknown. */
  readonly cluster: string | null
  /** Genesis hash of the RPC endpoints' chain if it differs: nothing is indexed then. */
  readonly otherCluster: string | null
  /** First slot to prove; null while unknown. */
  readonly originSlot: string | null
  readonly finalizedSlot: string | null
  /** When that slot was first seen to be the latest finalized one, since 1970; absent in older reports. */
  readonly finalizedSinceMillis?: number | undefined
  readonly source: IndexSource
  /** Interval of reconciliation rounds. */
  readonly reconcileSeconds: number
  /** How long a slot takes, as the leader has measured. */
  readonly slotMillis: number
  /** Transactions that the last reconciliation round found missing. */
  readonly missing: number
  readonly dropped: number
  /** Why the last round proved nothing; null if it succeeded. */
  readonly problem: string | null
}

/** Report of the leader about the migrated pools, which are proven by their addresses. */
export interface PoolsReport {
  /** Migrated pools that are followed. */
  readonly followed: number
  /** Those of them that are due to be compared with the chain. */
  readonly due: number
  /** Since when the one that has waited longest is due; null without one. */
  readonly dueSince: string | null
  /**
   * Every slot from the origin to this one is proven for each pool, and for the program, which tells what pools there are; null while
   * none is.
   */
  readonly provenSlot: string | null
  /** Pools with slots that could not be proven. */
  readonly failing: number
  /** Transactions that the last round found missing. */
  readonly missing: number
  readonly dropped: number
  /** Requests that the last round took. */
  readonly requests: number
  /** Why slots of a pool are not proven, until all are; or why the last round failed. */
  readonly problem: string | null
}

/** What a replay is doing: copying facts of slots that were deleted from the log, folding the log, comparing both tables, or nothing more. */
export type ReplayState = "copying" | "deriving" | "comparing" | "done"

/** How far a replay of the log into new tables is. Offsets of the log, and slots, are decimal strings. */
export interface ReplayReport {
  readonly state: ReplayState
  /** Folded again so far. */
  readonly transactions: number
  readonly logOffset: string
  /** Where it ends: what the live tables have. */
  readonly headOffset: string
  readonly copiedSlot: string | null
  /** Of the run that reports: a leader that takes over goes on. */
  readonly startedAt: string
  /** In this run; null before the first. */
  readonly transactionsPerSecond: number | null
  /** At the rate of this run. */
  readonly endsAt: string | null
}

/** Report of the leader about its work with history. */
export interface FailingReport {
  /** Why the last attempt failed; null if it did not. */
  readonly problem: string | null
  /** Since when every attempt has failed; null if the last one did not. */
  readonly failingSince: string | null
}
