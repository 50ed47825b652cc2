/** The list of trades, newest first, of what was read and what the stream says. */
import type { PoolTrade, TradeSeen } from "@launch-registry/client"

export type TradeRow = Pick<
  PoolTrade,
  "baseAmount" | "fee" | "quoteAmount" | "side" | "signature" | "slot" | "time" | "trader" | "venue"
> & {
  /** A transaction can have several swaps, of which no two leave the same price and amounts. */
  readonly key: string
  readonly price: string | null
}

/** Rows that a list keeps at most. */
export const TRADES_MAX = 1_000

export const rowOfTrade = (trade: PoolTrade | TradeSeen): TradeRow => {
  const { baseAmount, fee, price, quoteAmount, side, signature, slot, time, trader, venue } = trade
  const key = [signature, side, baseAmount, quoteAmount, price].join(" ")
  return { key, signature, slot, time, trader, side, venue, baseAmount, quoteAmount, fee, price }
}

const unique = (rows: ReadonlyArray<TradeRow>): ReadonlyArray<TradeRow> => [
  ...new Map(rows.map((row) => [row.key, row])).values(),
]

/** After trades of the stream, which are in the order of the chain. */
export const withSeen = (rows: ReadonlyArray<TradeRow>, seen: ReadonlyArray<TradeSeen>): ReadonlyArray<TradeRow> => {
  const known = new Set(rows.map(({ key }) => key))
  const added = unique(seen.map(rowOfTrade).toReversed()).filter(({ key }) => !known.has(key))
  return added.length === 0 ? rows : [...added, ...rows].slice(0, TRADES_MAX)
}

/**
 * After the newest trades were read: rows in front of them that are of later slots came by the stream meanwhile, and those behind them were
 * read before, where the page reaches to them.
 */
export const withPage = (
  rows: ReadonlyArray<TradeRow>,
  page: ReadonlyArray<TradeRow>,
): { readonly rows: ReadonlyArray<TradeRow>; readonly isConnected: boolean } => {
  const [first] = page
  if (first === undefined) return { rows: [], isConnected: false }
  const inPage = new Set(page.map(({ key }) => key))
  const later = rows.filter(({ key, slot }) => !inPage.has(key) && BigInt(slot) > BigInt(first.slot))
  const last = rows.findIndex(({ key }) => key === page.at(-1)!.key)
  const isConnected = last >= 0
  const behind = isConnected ? rows.slice(last + 1).filter(({ key }) => !inPage.has(key)) : []
  return { rows: [...later, ...page, ...behind].slice(0, TRADES_MAX), isConnected }
}

/** With an older page behind. */
export const withOlderPage = (rows: ReadonlyArray<TradeRow>, page: ReadonlyArray<TradeRow>): ReadonlyArray<TradeRow> =>
  unique([...rows, ...page]).slice(0, TRADES_MAX)

/** Without what was rolled back. */
export const withoutReverted = (
  rows: ReadonlyArray<TradeRow>,
  signatures: ReadonlySet<string>,
): ReadonlyArray<TradeRow> =>
  rows.some(({ signature }) => signatures.has(signature))
    ? rows.filter(({ signature }) => !signatures.has(signature))
    : rows
