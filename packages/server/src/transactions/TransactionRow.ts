import { Transaction } from "@launch-registry/domain/transactions/Transaction"
import type { Position } from "@launch-registry/http/answers/Cursor"
import { columnsOf, type RowOf } from "@launch-registry/postgres/SchemaRow"

/** A record as the driver gives it; what the columns hold was checked when it was written. */
export type TransactionRow = RowOf<Transaction>

/** Columns of a transaction record, of table alias `t`. */
export const TRANSACTION_COLUMNS = columnsOf("t", Object.keys(Transaction.fields), {
  slippageBps: "t.slippage_bps::text",
})

/** Of a row with these columns and no others. */
export const toTransaction = (row: TransactionRow): Transaction => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export const positionOf = ({ createdAt, id }: TransactionRow): Position => ({ createdAt, id })
