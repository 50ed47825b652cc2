/**
 * What the board shows, and how events of the stream change it. Rows that did not change stay the same object, so that
 * drawing them again costs nothing.
 */

export type BoardView = "new" | "rising" | "progress" | "graduated"

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
  readonly trades24h: number | null
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

export interface BoardState {
  readonly rows: ReadonlyMap<string, Row>
  /** Mints in the order of the view. */
  readonly order: ReadonlyArray<string>
}

export const EMPTY_BOARD: BoardState = { rows: new Map(), order: [] }

/** Rows that a board keeps at most. */
export const ROWS_MAX = 500

/** The market of a token or a launch, as the API answers it. */
export interface Market {
  readonly stage: string
  readonly quoteMint: string
  readonly quoteDecimals: number | null
  readonly price: string | null
  readonly marketCap: string | null
  readonly marketCapUsd: string | null
  readonly holders: { readonly count: number } | null
  readonly quoteVolume24h: string
  readonly trades24h: number
  readonly priceChange24h: number | null
  readonly quoteProgress: number | null
  readonly lastTradeAt: string | null
  readonly imageUri: string | null
}

interface RegisteredToken {
  readonly mintAddress: string
  readonly name: string
  readonly symbol: string
  readonly verified?: boolean
  readonly createdAt: string
  readonly market?: Market | null
  readonly trust?: Trust
}

interface Trust {
  readonly confusableWith: ReadonlyArray<unknown> | null
}

interface Launch {
  readonly mintAddress: string
  readonly quoteMint: string
  readonly name: string
  readonly symbol: string
  readonly stage: string
  readonly launchedAt: string
  readonly token: RegisteredToken | null
  readonly market?: Market | null
  readonly trust?: Trust
  readonly document?: { readonly image?: string }
}

const figures = (market: Market | null | undefined) => ({
  imageUri: market?.imageUri ?? null,
  quoteDecimals: market?.quoteDecimals ?? null,
  price: market?.price ?? null,
  marketCap: market?.marketCap ?? null,
  marketCapUsd: market?.marketCapUsd ?? null,
  holders: market?.holders?.count ?? null,
  volume24h: market?.quoteVolume24h ?? null,
  trades24h: market?.trades24h ?? null,
  change24h: market?.priceChange24h ?? null,
  progress: market?.quoteProgress ?? null,
  lastTradeAt: market?.lastTradeAt ?? null,
  isStreamed: false,
  moved: null,
})

export const rowOfToken = (token: RegisteredToken): Row => ({
  ...figures(token.market),
  ...{ mint: token.mintAddress, name: token.name, symbol: token.symbol, verified: token.verified === true },
  ...{ stage: token.market?.stage ?? "unknown", quoteMint: token.market?.quoteMint ?? null },
  launchedAt: token.createdAt,
  confusable: token.trust?.confusableWith?.length ?? 0,
})

export const rowOfLaunch = (launch: Launch): Row => ({
  ...figures(launch.market),
  imageUri: launch.market?.imageUri ?? launch.document?.image ?? null,
  confusable: launch.trust?.confusableWith?.length ?? 0,
  ...{ mint: launch.mintAddress, name: launch.name, symbol: launch.symbol, verified: launch.token?.verified === true },
  ...{ stage: launch.stage, quoteMint: launch.quoteMint, launchedAt: launch.launchedAt },
})

const isSame = (a: Row, b: Row): boolean =>
  (Object.keys(b) as Array<keyof Row>).every((key) => key === "moved" || a[key] === b[key])

/** A row that was read, unless what the stream said of it is of a later trade. */
const merged = (known: Row | undefined, read: Row): Row => {
  if (known === undefined) return read
  const isOlder = known.lastTradeAt !== null && (read.lastTradeAt === null || read.lastTradeAt < known.lastTradeAt)
  const { lastTradeAt, marketCap, price, progress } = known
  const next = isOlder ? { ...read, price, marketCap, marketCapUsd: null, progress, lastTradeAt } : read
  return isSame(known, next) ? known : { ...next, moved: known.moved }
}

/**
 * The board after its list was read. Lists follow the stream within seconds: a launch that was streamed stays in front
 * until the list has it, or has later ones.
 */
export const withList = (state: BoardState, read: ReadonlyArray<Row>): BoardState => {
  const rows = new Map<string, Row>()
  const listed = new Set(read.map(({ mint }) => mint))
  const newest = read[0]?.launchedAt ?? ""
  for (const row of state.rows.values())
    if (row.isStreamed && !listed.has(row.mint) && (row.launchedAt ?? "") >= newest) rows.set(row.mint, row)
  for (const row of read) {
    if (rows.size >= ROWS_MAX && !rows.has(row.mint)) break
    rows.set(row.mint, merged(state.rows.get(row.mint), row))
  }
  const isKept = (mint: string): boolean => rows.has(mint) && !listed.has(mint)
  return { rows, order: [...state.order.filter(isKept), ...[...rows.keys()].filter((mint) => listed.has(mint))] }
}

/** Events of the stream that a board needs, of which it reads these fields. */
export type BoardEvent =
  | {
      readonly type: "token"
      readonly mintAddress: string
      readonly quoteMint: string
      readonly name: string
      readonly symbol: string
      readonly time: string
    }
  | {
      readonly type: "trade"
      readonly mintAddress: string
      readonly price: string | null
      readonly marketCap: string | null
      readonly quoteProgress: number | null
      readonly time: string
    }
  | { readonly type: "graduation"; readonly mintAddress: string | null; readonly stage: string }
  | { readonly type: "revert"; readonly mintAddresses: ReadonlyArray<string> }

/**
 * When a list has to be read again after these events, because they say less than it shows: soon after a launch, a
 * graduation or a rollback that it has; later after trades of tokens that may belong on it now.
 */
export const readingDue = (
  { rows }: BoardState,
  view: BoardView,
  events: ReadonlyArray<BoardEvent>,
): "soon" | "later" | undefined => {
  const isSoon = ({ type }: BoardEvent): boolean =>
    type === "revert" || (type === "token" ? view === "new" : type === "graduation" && view !== "new")
  if (events.some(isSoon)) return "soon"
  if (view !== "rising" && view !== "progress") return undefined
  return events.some((event) => event.type === "trade" && !rows.has(event.mintAddress)) ? "later" : undefined
}

/** Which of two decimal strings is more, exactly: -1, 0 or 1. */
const compareDecimals = (a: string, b: string): number => {
  const [wholeA = "", fractionA = ""] = a.split(".")
  const [wholeB = "", fractionB = ""] = b.split(".")
  const places = Math.max(fractionA.length, fractionB.length)
  const [x, y] = [BigInt(wholeA + fractionA.padEnd(places, "0")), BigInt(wholeB + fractionB.padEnd(places, "0"))]
  return x < y ? -1 : x > y ? 1 : 0
}

/** The market cap in dollars after a trade, at the rate of the one before: the next reading of the list has the exact one. */
const scaled = ({ marketCap, marketCapUsd }: Row, next: string | null): string | null => {
  if (next === null || marketCap === null || marketCapUsd === null || Number(marketCap) === 0) return marketCapUsd
  return ((Number(next) * Number(marketCapUsd)) / Number(marketCap)).toFixed(2)
}

const traded = (row: Row, event: Extract<BoardEvent, { readonly type: "trade" }>): Row => {
  if (row.lastTradeAt !== null && event.time < row.lastTradeAt) return row
  const price = event.price ?? row.price
  const direction = event.price === null || row.price === null ? 0 : compareDecimals(event.price, row.price)
  return {
    ...row,
    price,
    marketCap: event.marketCap ?? row.marketCap,
    marketCapUsd: scaled(row, event.marketCap),
    progress: event.quoteProgress ?? row.progress,
    lastTradeAt: event.time,
    moved: direction === 0 ? row.moved : direction > 0 ? "up" : "down",
  }
}

const launchedRow = (event: Extract<BoardEvent, { readonly type: "token" }>): Row => ({
  ...figures(null),
  ...{ mint: event.mintAddress, name: event.name, symbol: event.symbol, quoteMint: event.quoteMint },
  ...{ verified: false, confusable: 0, stage: "curve", launchedAt: event.time, isStreamed: true },
})

/** The board after these events, in order. */
export const withEvents = (state: BoardState, view: BoardView, events: ReadonlyArray<BoardEvent>): BoardState => {
  let rows: Map<string, Row> | undefined
  const launched: Array<string> = []
  const changed = (): Map<string, Row> => (rows ??= new Map(state.rows))
  for (const event of events) {
    if (event.type === "revert") {
      for (const mint of event.mintAddresses) if ((rows ?? state.rows).has(mint)) changed().delete(mint)
      continue
    }
    if (event.mintAddress === null) continue
    const row = (rows ?? state.rows).get(event.mintAddress)
    if (event.type === "token") {
      if (row !== undefined || view !== "new") continue
      changed().set(event.mintAddress, launchedRow(event))
      launched.push(event.mintAddress)
    } else if (row !== undefined) {
      const next = event.type === "trade" ? traded(row, event) : { ...row, stage: event.stage, progress: 1 }
      if (next !== row) changed().set(row.mint, next)
    }
  }
  if (rows === undefined) return state
  if (launched.length === 0 && rows.size === state.rows.size) return { rows, order: state.order }
  const all = new Set([...launched.toReversed(), ...state.order].filter((mint) => changed().has(mint)))
  const order = [...all]
  for (const mint of order.slice(ROWS_MAX)) rows.delete(mint)
  return { rows, order: order.slice(0, ROWS_MAX) }
}
