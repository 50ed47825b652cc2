import type { Transaction } from "@launch-registry/domain/transactions/Transaction"
import type { Position } from "../http/Cursor.ts"

/** Columns of a transaction record, of table alias `t`. */
export const TRANSACTION_COLUMNS =
  "t.id, t.user_address, t.tx_hash, t.action, t.base_token, t.quote_token, t.amount_in, t.amount_in_decimals, t.amount_out, t.amount_out_decimals, t.price_per_token, t.slippage_bps, t.fee, t.fee_decimals, t.fee_token, t.status, t.status_reason, t.last_valid_block_height, t.chain, t.pool_address, t.created_at, t.updated_at"

/** A record as the driver gives it; what the columns hold was checked when it was written. */
export interface TransactionRow extends Omit<Transaction, "slippageBps" | "createdAt" | "updatedAt"> {
  readonly slippageBps: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const toTransaction = (row: TransactionRow): Transaction => ({
  id: row.id,
  userAddress: row.userAddress,
  txHash: row.txHash,
  action: row.action,
  baseToken: row.baseToken,
  quoteToken: row.quoteToken,
  amountIn: row.amountIn,
  amountInDecimals: row.amountInDecimals,
  amountOut: row.amountOut,
  amountOutDecimals: row.amountOutDecimals,
  pricePerToken: row.pricePerToken,
  slippageBps: String(row.slippageBps),
  fee: row.fee,
  feeDecimals: row.feeDecimals,
  feeToken: row.feeToken,
  status: row.status,
  statusReason: row.statusReason,
  lastValidBlockHeight: row.lastValidBlockHeight,
  chain: row.chain,
  poolAddress: row.poolAddress,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export const positionOf = ({ createdAt, id }: TransactionRow): Position => ({ createdAt, id })
