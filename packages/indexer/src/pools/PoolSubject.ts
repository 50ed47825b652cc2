import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Subject } from "../finality/ProveListing.ts"
import { poolCoverage } from "./PoolCoverage.ts"
import { poolEntries } from "./PoolEntries.ts"

/** A migrated pool. */
export const poolSubject = (sql: SqlClient) => {
  const coverage = poolCoverage(sql)
  const entries = poolEntries(sql)
  return (pool: string): Subject => ({
    address: pool,
    foreign: "it does not involve the pool",
    entries: (listing) => entries.ofListing(pool, listing),
    unlisted: (unlisted) => Effect.succeed({ closely: unlisted, loosely: [] }),
    cover: (covered, now) => coverage.add(pool, covered, now),
  })
}
