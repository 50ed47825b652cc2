import { wholeTokens } from "@launch-registry/chain/venues/Prices"
import { BridgeSwap } from "@launch-registry/domain/bridge/BridgeSwap"
import type { Position } from "@launch-registry/http/answers/Cursor"
import { Struct } from "effect"
import { columnsOf, picking, type RowOf } from "@launch-registry/postgres/SchemaRow"

/** A poll that is this late could not be made. */
const OVERDUE_MILLIS = 30_000

/** Stored fields of a swap that are never answered. */
interface Unanswered {
  readonly originDecimals: number
  readonly destinationDecimals: number
  readonly hasApiKey: boolean
  /** The swap service itself said once that there is a deposit. */
  readonly depositShown: boolean
  /** When the answer of the swap service last changed. */
  readonly progressedAt: Date
  /** Null when it is no longer polled. */
  readonly nextPollAt: Date | null
  /** Polls in a row that failed. */
  readonly attempts: number
  readonly version: number
}

const UNANSWERED: Readonly<Record<keyof Unanswered, true>> = {
  ...{ originDecimals: true, destinationDecimals: true, hasApiKey: true, depositShown: true, progressedAt: true },
  ...{ nextPollAt: true, attempts: true, version: true },
}

/** Fields of an answer that are made of the row and the moment; all others are columns. */
const MADE = [
  ...(["isPayable", "stale", "amountInFormatted", "amountOutFormatted"] as const),
  ...(["depositedAmountFormatted", "refundedAmountFormatted"] as const),
]

type Made = (typeof MADE)[number]

/** Columns of a swap, of a table alias. */
export const swapColumnsOf = (alias: string): string =>
  columnsOf(alias, Object.keys({ ...Struct.omit(BridgeSwap.fields, MADE), ...UNANSWERED }), {
    reported: `exists (select from bridge_deposits d where d.swap_id = ${alias}.id and not d.is_refused)`,
  })

/** Of alias `s`. */
export const SWAP_COLUMNS = swapColumnsOf("s")

/** A swap as the driver gives it; what the columns hold was checked when it was written. */
export type SwapRow = Omit<RowOf<BridgeSwap>, Made | "depositBy"> & { readonly depositBy: Date } & Unanswered

/** What an answer depends on besides the row. */
export interface SwapView {
  readonly nowMillis: number
  /** The breaker for polls is open. */
  readonly isAway: boolean
}

const isStale = (row: SwapRow, { isAway, nowMillis }: SwapView): boolean =>
  row.nextPollAt !== null && (isAway || row.attempts > 0 || nowMillis - row.nextPollAt.getTime() > OVERDUE_MILLIS)

const inTokens = (units: string | null, decimals: number): string | null =>
  units === null ? null : wholeTokens(BigInt(units), decimals)

const isPayable = (row: SwapRow, { nowMillis }: SwapView): boolean =>
  (row.substatus === "awaiting_deposit" || row.substatus === "incomplete") &&
  nowMillis < Math.min(row.depositBy.getTime(), row.inactiveAt.getTime())

const pickSwap = picking<Omit<BridgeSwap, Made>>(Struct.omit(BridgeSwap.fields, MADE))

export const toSwap = (row: SwapRow, view: SwapView): BridgeSwap => ({
  ...pickSwap(row as never),
  isPayable: isPayable(row, view),
  stale: isStale(row, view),
  amountInFormatted: wholeTokens(BigInt(row.amountIn), row.originDecimals),
  amountOutFormatted: wholeTokens(BigInt(row.amountOut), row.destinationDecimals),
  depositedAmountFormatted: inTokens(row.depositedAmount, row.originDecimals),
  refundedAmountFormatted: inTokens(row.refundedAmount, row.originDecimals),
})

export const positionOf = ({ createdAt, id }: SwapRow): Position => ({ createdAt, id })
