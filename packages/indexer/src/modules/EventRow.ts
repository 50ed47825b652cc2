import type { DbcFact } from "@launch-registry/chain/launch/events/DbcEvent"

/** A row of `dbc_events`: whatever the program did besides swaps. */
export interface EventRow {
  readonly ordinal: bigint
  readonly signature: string
  readonly type: Exclude<DbcFact["type"], "Swapped">
  readonly pool: string | null
  readonly config: string | null
  /** Everything the event says; amounts are decimal strings. */
  readonly facts: Readonly<Record<string, unknown>>
  /** Seconds since 1970. */
  readonly blockTime: number
}
