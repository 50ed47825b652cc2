import type { SwapFilter } from "@launch-registry/domain/bridge/BridgeApi"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import { addressKey } from "./AddressKey.ts"
import { SWAP_COLUMNS, type SwapRow } from "./SwapRow.ts"

/** Swaps that match every given field, newest first. */
export const listSwaps = (sql: SqlClient, filter: SwapFilter, { after, limit, offset }: RowRange) => {
  const conditions: Array<Fragment> = [sql`true`]
  if (filter.userAddress !== undefined) conditions.push(sql`s.user_key = ${addressKey(filter.userAddress)}`)
  if (filter.depositAddress !== undefined) conditions.push(sql`s.deposit_key = ${addressKey(filter.depositAddress)}`)
  if (filter.status !== undefined) conditions.push(sql`s.status = ${filter.status}`)
  // As two conditions, not a parameter: only then is the index of the few that need one used.
  if (filter.needsReview === "true") conditions.push(sql`s.needs_review`)
  if (filter.needsReview === "false") conditions.push(sql`not s.needs_review`)
  if (after !== undefined) conditions.push(sql`(s.created_at, s.id) < (${after.createdAt}, ${after.id}::uuid)`)
  return sql<SwapRow>`
    select ${sql.literal(SWAP_COLUMNS)} from bridge_swaps s
    where ${sql.and(conditions)}
    order by s.created_at desc, s.id desc
    limit ${limit} offset ${offset}`
}
