import type { SwapFilter } from "@launch-registry/domain/bridge/BridgeApi"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import { keysetPage, type ListedTable } from "@launch-registry/postgres/KeysetPage"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { addressKey } from "@launch-registry/domain/bridge/AddressKey"
import { type SwapRow, swapColumnsOf } from "./SwapRow.ts"

const SWAPS: ListedTable = { from: "bridge_swaps t", keys: ["t.created_at", "t.id"] }

const LISTED_COLUMNS = swapColumnsOf("t")

/** Swaps that match every given field, newest first. */
export const listSwaps = (sql: SqlClient, filter: SwapFilter, { after, limit, offset }: RowRange) => {
  const { depositAddress, needsReview, status, userAddress } = filter
  const conditions: Array<Fragment> = []
  if (depositAddress !== undefined) conditions.push(sql`t.deposit_key = ${addressKey(depositAddress)}`)
  if (userAddress !== undefined) conditions.push(sql`t.user_key = ${addressKey(userAddress)}`)
  if (status !== undefined) conditions.push(sql`t.status = ${status}`)
  // As two conditions, not a parameter: only then is the index of the few that need one used.
  if (needsReview !== undefined) conditions.push(needsReview === "true" ? sql`t.needs_review` : sql`not t.needs_review`)
  const range = { limit, offset, after: after && ([after.createdAt, after.id] as const) }
  return keysetPage<SwapRow>(sql, SWAPS, LISTED_COLUMNS, conditions, range)
}
