import { addressKey } from "@launch-registry/domain/bridge/AddressKey"
import { TransactionAction, TransactionStatus } from "@launch-registry/domain/transactions/Transaction"
import type { TransactionFilter } from "@launch-registry/domain/transactions/TransactionsApi"
import type { SqlClient } from "effect/sql/SqlClient"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import { type Lead, type ListedTable, newestRows } from "@launch-registry/postgres/IndexRanges"
import { type ListBounds, listRows, type Way } from "@launch-registry/postgres/ListRows"
import { TRANSACTION_COLUMNS, type TransactionRow } from "./TransactionRow.ts"

const RECORDS: ListedTable = {
  from: "transactions t",
  keys: [
    { column: "created_at", type: "timestamptz" },
    { column: "id", type: "uuid" },
  ],
  leads: "asc",
}

const SINGLE = ["user_address", "base_token", "quote_token"] as const
/** In the order of their index. */
const FACETS = ["chain", "action", "status"] as const

type Column = (typeof SINGLE | typeof FACETS)[number]

const EACH: Partial<Record<Column, ReadonlyArray<string>>> = {
  action: TransactionAction.literals,
  status: TransactionStatus.literals,
}

const leadOf = (column: Column, value: string | undefined): Lead => {
  const named = { column: `t.${column}`, type: "text" }
  return value === undefined ? { ...named, each: EACH[column]!.map((each) => `'${each}'`) } : { ...named, value }
}

/** Indexes that have records of a filter in their order, and what each leaves to compare. */
export const waysToTransactions = (sql: SqlClient, filter: TransactionFilter): ReadonlyArray<Way> => {
  const values: Record<Column, string | undefined> = {
    ...{
      user_address: filter.userAddress && addressKey(filter.userAddress),
      base_token: filter.baseToken,
      quote_token: filter.quoteToken,
    },
    ...{ chain: filter.chain, action: filter.action, status: filter.status },
  }
  const isGiven = (column: Column) => values[column] !== undefined
  const given = [...SINGLE, ...FACETS].filter(isGiven)
  const way = (columns: ReadonlyArray<Column>): Way => ({
    ...{ table: RECORDS, within: [sql`t.deleted_at is null`] },
    leads: columns.map((column) => leadOf(column, values[column])),
    left: given
      .filter((column) => !columns.includes(column))
      .map((column) => sql`${sql.literal(`t.${column}`)} = ${values[column]!}`),
  })
  const ways = SINGLE.filter(isGiven).map((column) => way([column]))
  if (isGiven("chain")) return [...ways, way(FACETS)]
  if (isGiven("status")) return [...ways, way(["status", "action"])]
  if (isGiven("action")) return [...ways, way(["action"])]
  return ways.length > 0 ? ways : [way([])]
}

const keysOf = ({ after }: RowRange) => (after === undefined ? undefined : ([after.createdAt, after.id] as const))

/** Records that match all filters, newest first. */
export const listTransactions = (sql: SqlClient, filter: TransactionFilter, range: RowRange, bounds?: ListBounds) =>
  listRows<TransactionRow, Date>(
    sql,
    waysToTransactions(sql, filter),
    TRANSACTION_COLUMNS,
    { ...range, after: keysOf(range) },
    bounds,
  )

/** Records with `token` as base or quote token, newest first. The first statement has those with the token on both sides. */
export const listTransactionsOfToken = (sql: SqlClient, token: string, { after, limit, offset }: RowRange) => {
  const within = [
    sql`t.deleted_at is null`,
    ...(after === undefined ? [] : [sql`(t.created_at, t.id) < (${after.createdAt}, ${after.id}::uuid)`]),
  ]
  const take = limit + offset
  const base = { table: RECORDS, leads: [leadOf("base_token", token)], within }
  const quote = {
    ...{ table: RECORDS, leads: [leadOf("quote_token", token)] },
    within: [...within, sql`t.base_token <> ${token}`],
  }
  return sql<TransactionRow>`
    select * from (
      (${newestRows(sql, base, TRANSACTION_COLUMNS, take)})
      union all
      (${newestRows(sql, quote, TRANSACTION_COLUMNS, take)})
    ) t
    order by t."createdAt" desc, t.id desc
    limit ${limit} offset ${offset}`
}
