import type { Launch, Market, Token, TokenLaunched, TokenTrust, TradeSeen } from "@launch-registry/client"

/** A token of the board. Prices and market cap are decimal strings of whole quote tokens; null while not known. */
export interface Row {
  readonly mint: string
  readonly name: string
  readonly symbol: string
  readonly imageUri: string | null
  readonly verified: boolean
  readonly stage: string
  readonly quoteMint: string | null
  readonly quoteDecimals: number | null
  readonly price: string | null
  readonly marketCap: string | null
  readonly marketCapUsd: string | null
  readonly holders: number | null
  /** How many other tokens it could be taken for. */
  readonly confusable: number
  /** In smallest units of the quote token. */
  readonly volume24h: string | null
  /** In percent. */
  readonly change24h: number | null
  /** From 0 to 1. */
  readonly progress: number | null
  readonly launchedAt: string | null
  readonly lastTradeAt: string | null
  /** It came by the stream, and no list has it yet. */
  readonly isStreamed: boolean
  /** Which way its price went last. */
  readonly moved: "up" | "down" | null
}

const figures = (market: Market | null | undefined, trust?: TokenTrust) => ({
  imageUri: market?.imageUri ?? null,
  quoteDecimals: market?.quoteDecimals ?? null,
  price: market?.price ?? null,
  marketCap: market?.marketCap ?? null,
  marketCapUsd: market?.marketCapUsd ?? null,
  holders: market?.holders?.count ?? null,
  volume24h: market?.quoteVolume24h ?? null,
  change24h: market?.priceChange24h ?? null,
  progress: market?.quoteProgress ?? null,
  lastTradeAt: market?.lastTradeAt ?? null,
  confusable: trust?.confusableWith?.length ?? 0,
  isStreamed: false,
  moved: null,
})

export const rowOfToken = (
  token: Pick<Token, "createdAt" | "market" | "mintAddress" | "name" | "symbol" | "trust" | "verified">,
): Row => ({
  ...figures(token.market, token.trust),
  ...{ mint: token.mintAddress, name: token.name, symbol: token.symbol, verified: token.verified },
  ...{ stage: token.market?.stage ?? "unknown", quoteMint: token.market?.quoteMint ?? null },
  launchedAt: token.createdAt,
})

export const rowOfLaunch = (launch: Launch): Row => ({
  ...figures(launch.market, launch.trust),
  imageUri: launch.market?.imageUri ?? launch.document?.image ?? null,
  ...{ mint: launch.mintAddress, name: launch.name, symbol: launch.symbol, verified: launch.token?.verified === true },
  ...{ stage: launch.stage, quoteMint: launch.quoteMint, launchedAt: launch.launchedAt },
})

const isSame = (a: Row, b: Row): boolean =>
  (Object.keys(b) as Array<keyof Row>).every((key) => key === "moved" || a[key] === b[key])

/** A row that was read, unless what the stream said of it is of a later trade. */
export const merged = (known: Row | undefined, read: Row): Row => {
  if (known === undefined) return read
  const isOlder = known.lastTradeAt !== null && (read.lastTradeAt === null || read.lastTradeAt < known.lastTradeAt)
  const { lastTradeAt, marketCap, price, progress } = known
  const next = isOlder ? { ...read, price, marketCap, marketCapUsd: null, progress, lastTradeAt } : read
  return isSame(known, next) ? known : { ...next, moved: known.moved }
}

/** The market cap in dollars after a trade, at the rate of the one before: the next reading of the list has the exact one. */
const scaled = ({ marketCap, marketCapUsd }: Row, next: string | null): string | null => {
  if (next === null || marketCap === null || marketCapUsd === null || Number(marketCap) === 0) return marketCapUsd
  return ((Number(next) * Number(marketCapUsd)) / Number(marketCap)).toFixed(2)
}

export const traded = (row: Row, trade: Pick<TradeSeen, "marketCap" | "price" | "quoteProgress" | "time">): Row => {
  if (row.lastTradeAt !== null && trade.time < row.lastTradeAt) return row
  // A difference that no float has is none to colour.
  const change = Number(trade.price ?? row.price) - Number(row.price)
  return {
    ...row,
    price: trade.price ?? row.price,
    marketCap: trade.marketCap ?? row.marketCap,
    marketCapUsd: scaled(row, trade.marketCap),
    progress: trade.quoteProgress ?? row.progress,
    lastTradeAt: trade.time,
    moved: row.price === null || change === 0 ? row.moved : change > 0 ? "up" : "down",
  }
}

/** A launch of the stream. */
export const launched = (
  launch: Pick<TokenLaunched, "mintAddress" | "name" | "quoteMint" | "symbol" | "time">,
): Row => ({
  ...figures(null),
  ...{ mint: launch.mintAddress, name: launch.name, symbol: launch.symbol, quoteMint: launch.quoteMint },
  ...{ verified: false, stage: "curve", launchedAt: launch.time, isStreamed: true },
})
