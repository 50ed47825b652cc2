import { Transaction } from "@launch-registry/domain/transactions/Transaction"
import { timestampOf } from "@launch-registry/domain/time/Timestamp"
import type { Position } from "@launch-registry/http/answers/Cursor"
import { columnsOf, type RowOf } from "@launch-registry/postgres/SchemaRow"

/** A record as returned by the driver. Columns were validated on insert. */
export type TransactionRow = RowOf<Transaction>

/** Columns of a transaction record, with table alias `t`. */
export const TRANSACTION_COLUMNS = columnsOf("t", Object.keys(Transaction.fields), {
  slippageBps: "t.slippage_bps::text",
})

/** The row must have exactly these columns. */
export const toTransaction = (row: TransactionRow): Transaction => ({
  ...row,
  createdAt: timestampOf(row.createdAt),
  updatedAt: timestampOf(row.updatedAt),
})

export const positionOf = ({ createdAt, id }: TransactionRow): Position => ({ createdAt, id })
