import type { PoolFact } from "@launch-registry/chain/transactions/DbcEvent"

/** A row of `dbc_events`: whatever the program did besides swaps. */
export interface EventRow {
  readonly ordinal: bigint
  readonly signature: string
  readonly type: PoolFact["type"]
  readonly pool: string | null
  readonly config: string | null
  /** Everything the event says. */
  readonly facts: PoolFact
  /** Seconds since 1970. */
  readonly blockTime: number
}
