import type { SwapFilter } from "@launch-registry/domain/bridge/BridgeApi"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import type { Lead, ListedTable } from "@launch-registry/postgres/IndexRanges"
import { type ListBounds, listRows, type Way } from "@launch-registry/postgres/ListRows"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { addressKey } from "@launch-registry/domain/bridge/AddressKey"
import { type SwapRow, swapColumnsOf } from "./SwapRow.ts"

const SWAPS: ListedTable = {
  from: "bridge_swaps t",
  keys: [
    { column: "created_at", type: "timestamptz" },
    { column: "id", type: "uuid" },
  ],
  leads: "asc",
}

const LISTED_COLUMNS = swapColumnsOf("t")

const COLUMNS = ["deposit_key", "user_key", "status"] as const
type Column = (typeof COLUMNS)[number]

/** Indexes that have swaps of a filter in their order, and what each leaves to compare. */
export const waysToSwaps = (sql: SqlClient, filter: SwapFilter): ReadonlyArray<Way> => {
  const { depositAddress, needsReview, status, userAddress } = filter
  const values: Record<Column, string | undefined> = {
    deposit_key: depositAddress && addressKey(depositAddress),
    user_key: userAddress && addressKey(userAddress),
    status,
  }
  // As two conditions, not a parameter: only then is the index of the few that need one used.
  const reviews =
    needsReview === undefined ? [] : [needsReview === "true" ? sql`t.needs_review` : sql`not t.needs_review`]
  const given = COLUMNS.filter((column) => values[column] !== undefined)
  const way = (columns: ReadonlyArray<Column>, within: ReadonlyArray<Fragment> = []): Way => ({
    ...{ table: SWAPS, within },
    leads: columns.map((column): Lead => ({ column: `t.${column}`, type: "text", value: values[column]! })),
    left: [
      ...given
        .filter((column) => !columns.includes(column))
        .map((column) => sql`${sql.literal(`t.${column}`)} = ${values[column]!}`),
      ...(within.length === 0 ? reviews : []),
    ],
  })
  const isGiven = (column: Column) => given.includes(column)
  const ways: Array<Way> = []
  if (needsReview === "true") ways.push(way([], reviews))
  if (isGiven("deposit_key")) ways.push(way(["deposit_key"]))
  if (isGiven("user_key")) ways.push(way(isGiven("status") ? ["user_key", "status"] : ["user_key"]))
  else if (isGiven("status")) ways.push(way(["status"]))
  return ways.length > 0 ? ways : [way([])]
}

/** Swaps that match every given field, newest first. */
export const listSwaps = (
  sql: SqlClient,
  filter: SwapFilter,
  { after, limit, offset }: RowRange,
  bounds?: ListBounds,
) =>
  listRows<SwapRow, Date>(
    sql,
    waysToSwaps(sql, filter),
    LISTED_COLUMNS,
    { limit, offset, after: after && ([after.createdAt, after.id] as const) },
    bounds,
  )
