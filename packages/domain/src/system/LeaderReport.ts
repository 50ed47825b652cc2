/** Name in `leases` of the lease of the process that folds the log. */
export const INDEXER_LEASE = "indexer"

/** Where confirmed transactions come from: Helius sends them, the chain is asked for them, or the chain is left alone. */
export const INDEX_SOURCES = ["webhook", "poll", "off"] as const
export type IndexSource = (typeof INDEX_SOURCES)[number]

/** Reports in `indexer_reports` that are read by others than who wrote them. */
export type ReportName = "leader" | "webhook" | "replay"

/** What the leader says of itself, for requests that another replica answers. */
export interface LeaderReport {
  /** Genesis hash of the chain that the index is of; null before it is known. */
  readonly cluster: string | null
  /** Genesis hash of the chain that the RPC endpoints are of, when it is another one: nothing is indexed then. */
  readonly otherCluster: string | null
  /** From here on, everything is to be proven; null before that is known. */
  readonly originSlot: string | null
  readonly finalizedSlot: string | null
  readonly source: IndexSource
  /** How often a round is due. */
  readonly reconcileSeconds: number
  /** Of the last round of the reconciler. */
  readonly missing: number
  readonly dropped: number
  /** Why the last round proved nothing; null when it did. */
  readonly problem: string | null
}
