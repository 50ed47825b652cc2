import type { SqlClient } from "effect/sql/SqlClient"

/** Rows are counted up to this number, to bound the cost. */
const COUNTED_MAX = 100_000

/** Transfers in one state. */
export interface TransferFigures {
  readonly state: string
  readonly transfers: bigint
  /** Of those, how many an operator must review. */
  readonly needingReview: bigint
  /** Since the first of them last made progress. */
  readonly oldestSeconds: number
}

/** Transfers that are open or were quoted in the last 7 days, by state. */
export const readTransferFigures = (sql: SqlClient) => sql<TransferFigures>`
  select substatus as state, count(*) as transfers, count(*) filter (where needs_review) as needing_review,
    greatest(0, extract(epoch from now() - min(progressed_at)))::float8 as oldest_seconds
  from (
    select substatus, needs_review, progressed_at from bridge_swaps
    where status = 'pending' or created_at > now() - interval '7 days' limit ${COUNTED_MAX}
  ) recent group by substatus`
