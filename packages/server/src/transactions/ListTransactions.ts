import { addressKey } from "@launch-registry/domain/bridge/AddressKey"
import type { TransactionFilter } from "@launch-registry/domain/transactions/TransactionsApi"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import { keysetRows, type ListedTable, planned } from "@launch-registry/postgres/KeysetPage"
import { TRANSACTION_COLUMNS, type TransactionRow } from "./TransactionRow.ts"

const RECORDS: ListedTable = { from: "transactions t", keys: ["t.created_at", "t.id"] }

const pageOf = (sql: SqlClient, conditions: ReadonlyArray<Fragment>, { after, limit, offset }: RowRange) =>
  keysetRows<TransactionRow>(sql, RECORDS, TRANSACTION_COLUMNS, [sql`t.deleted_at is null`, ...conditions], {
    ...{ limit, offset },
    after: after && [after.createdAt, after.id],
  })

/** Records that match all filters, newest first. */
export const listTransactions = (sql: SqlClient, filter: TransactionFilter, range: RowRange) => {
  const { action, baseToken, chain, quoteToken, status, userAddress } = filter
  const conditions: Array<Fragment> = []
  if (userAddress !== undefined) conditions.push(sql`t.user_address = ${addressKey(userAddress)}`)
  if (baseToken !== undefined) conditions.push(sql`t.base_token = ${baseToken}`)
  if (quoteToken !== undefined) conditions.push(sql`t.quote_token = ${quoteToken}`)
  if (chain !== undefined) conditions.push(sql`t.chain = ${chain}`)
  if (action !== undefined) conditions.push(sql`t.action = ${action}`)
  if (status !== undefined) conditions.push(sql`t.status = ${status}`)
  return planned(pageOf(sql, conditions, range))
}

/** Records with `token` as base or quote token, newest first. The first statement has those with the token on both sides. */
export const listTransactionsOfToken = (sql: SqlClient, token: string, { after, limit, offset }: RowRange) => {
  const range = { after, limit: limit + offset, offset: 0 }
  const base = pageOf(sql, [sql`t.base_token = ${token}`], range)
  const quote = pageOf(sql, [sql`t.quote_token = ${token}`, sql`t.base_token <> ${token}`], range)
  return planned(sql<TransactionRow>`
    select * from ((${base}) union all (${quote})) t
    order by t."createdAt" desc, t.id desc limit ${limit} offset ${offset}`)
}
