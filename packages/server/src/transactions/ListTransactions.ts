import type { TransactionFilter } from "@launch-registry/domain/transactions/TransactionsApi"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import { TRANSACTION_COLUMNS, type TransactionRow } from "./TransactionRow.ts"

const page = (sql: SqlClient, conditions: ReadonlyArray<Fragment>, { after }: RowRange, take: number) => {
  const keyset = after === undefined ? [] : [sql`(t.created_at, t.id) < (${after.createdAt}, ${after.id}::uuid)`]
  return sql`
    select ${sql.literal(TRANSACTION_COLUMNS)} from transactions t
    where ${sql.and([sql`t.deleted_at is null`, ...conditions, ...keyset])}
    order by t.created_at desc, t.id desc
    limit ${take}`
}

/** Records that match all filters, newest first. */
export const listTransactions = (sql: SqlClient, filter: TransactionFilter, range: RowRange) => {
  const conditions: Array<Fragment> = []
  if (filter.userAddress !== undefined) conditions.push(sql`t.user_address = ${filter.userAddress}`)
  if (filter.action !== undefined) conditions.push(sql`t.action = ${filter.action}`)
  if (filter.baseToken !== undefined) conditions.push(sql`t.base_token = ${filter.baseToken}`)
  if (filter.quoteToken !== undefined) conditions.push(sql`t.quote_token = ${filter.quoteToken}`)
  if (filter.status !== undefined) conditions.push(sql`t.status = ${filter.status}`)
  if (filter.chain !== undefined) conditions.push(sql`t.chain = ${filter.chain}`)
  return sql<TransactionRow>`${page(sql, conditions, range, range.limit)} offset ${range.offset}`
}

/**
 * Records with `token` as base or quote token, newest first.
 *
 * Two limited queries instead of one with `or`: for a parameter the planner would walk the newest rows, and could read
 * the whole table. The first query returns records with the token on both sides.
 */
export const listTransactionsOfToken = (sql: SqlClient, token: string, range: RowRange) => {
  const take = range.limit + range.offset
  return sql<TransactionRow>`
    select * from (
      (${page(sql, [sql`t.base_token = ${token}`], range, take)})
      union all
      (${page(sql, [sql`t.quote_token = ${token} and t.base_token <> ${token}`], range, take)})
    ) t
    order by t.created_at desc, t.id desc
    limit ${range.limit} offset ${range.offset}`
}
