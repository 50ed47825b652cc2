import * as ordinal from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Random } from "../../../service/test/Random.ts"
import { SOL, sampleAddress, sampleSignature } from "../../../service/test/Samples.ts"

/** A row of `trades`. */
export interface IndexedTrade {
  readonly ordinal: bigint
  readonly signature: string
  readonly pool: string
  readonly venue: "dbc" | "damm_v2"
  readonly baseMint: string
  readonly quoteMint: string
  readonly trader: string
  readonly side: "BUY" | "SELL"
  readonly baseAmount: string
  readonly quoteAmount: string
  readonly fee: string
  readonly nextSqrtPrice: string
  readonly quoteReserve?: string
  readonly blockTime: Date
}

/** The ordinal of an instruction, by default the first of a slot. */
export const ordinalOf = (slot: bigint, transaction = 0n, instruction = 0n): bigint => {
  const place = { transactionIndex: Number(transaction), instruction: Number(instruction), innerInstruction: -1 }
  return ordinal.ordinalOf({ slot, ...place })
}

export const sampleTrade = (fields: Partial<IndexedTrade> = {}): IndexedTrade => ({
  ordinal: ordinalOf(1n),
  signature: sampleSignature(),
  pool: sampleAddress(),
  venue: "dbc",
  baseMint: sampleAddress(),
  quoteMint: SOL,
  trader: sampleAddress(),
  side: "BUY",
  baseAmount: "1000000",
  quoteAmount: "5000",
  fee: "50",
  nextSqrtPrice: "98362933813224380",
  blockTime: new Date("2026-11-21T09:30:00Z"),
  ...fields,
})

/**
 * Trades over some days in bursts, several per slot, unordered. A slot lasts 400 ms but its time is in whole seconds, and
 * blocks may be a second off: a later trade may have an earlier time.
 */
export const randomTrades = (random: Random, count: number, baseMint: string): ReadonlyArray<IndexedTrade> => {
  const start = Date.parse("2026-11-18T22:10:00Z") / 1000
  const traders = Array.from({ length: 5 }, sampleAddress)
  let slot = 300_000_000n
  let sqrtPrice = 98_362_933_813_224_380n
  const trades: Array<IndexedTrade> = []
  while (trades.length < count) {
    // About a minute later, sometimes hours.
    slot += BigInt(random(12) > 0 ? 1 + random(random(2) === 0 ? 20 : 600) : random(60_000))
    const seconds = start + Number((slot - 300_000_000n) * 2n) / 5
    for (let transaction = 0n; transaction < BigInt(1 + random(3)); transaction++) {
      sqrtPrice = (sqrtPrice * BigInt(900 + random(215))) / 1_000n + 1n
      trades.push(
        sampleTrade({
          ...{ baseMint, ordinal: ordinalOf(slot, transaction, BigInt(random(4))), nextSqrtPrice: String(sqrtPrice) },
          ...{ side: random(2) === 0 ? "BUY" : "SELL", trader: traders[random(traders.length)]! },
          ...{
            baseAmount: String(1 + random(1e9)),
            quoteAmount: `${random(1e6)}${random(1e6)}`,
            fee: String(random(1e6)),
          },
          blockTime: new Date((Math.floor(seconds) - random(2)) * 1000),
        }),
      )
    }
  }
  return trades
}

/** A candle as stored by the index: prices as sqrt prices. */
export interface IndexedCandle {
  readonly start: Date
  readonly first: IndexedTrade
  readonly last: IndexedTrade
  readonly high: bigint
  readonly low: bigint
  readonly baseVolume: bigint
  readonly quoteVolume: bigint
  readonly trades: number
}

/** When a candle begins: of seconds in multiples of them, of a week on Monday, of a month on its first day. */
export const startOf = (time: Date, length: number | "week" | "month"): number => {
  const millis = typeof length === "number" ? length * 1_000 : 86_400_000
  const start = new Date(time.getTime() - (time.getTime() % millis))
  if (length === "week") start.setUTCDate(start.getUTCDate() - ((start.getUTCDay() + 6) % 7))
  if (length === "month") start.setUTCDate(1)
  return start.getTime()
}

/** Candles of a length (in seconds, if it is a number) computed from trades, oldest first. */
export const candlesOf = (
  trades: ReadonlyArray<IndexedTrade>,
  length: Parameters<typeof startOf>[1],
): ReadonlyArray<IndexedCandle> => {
  const inOrder = trades.toSorted((a, b) => (a.ordinal < b.ordinal ? -1 : 1))
  const groups = Map.groupBy(inOrder, ({ blockTime }) => startOf(blockTime, length))
  return [...groups]
    .toSorted(([a], [b]) => a - b)
    .map(([start, of]) => {
      const prices = of.map(({ nextSqrtPrice }) => BigInt(nextSqrtPrice)).toSorted((a, b) => (a < b ? -1 : 1))
      return {
        start: new Date(start),
        first: of[0]!,
        last: of.at(-1)!,
        high: prices.at(-1)!,
        low: prices[0]!,
        baseVolume: of.reduce((sum, { baseAmount }) => sum + BigInt(baseAmount), 0n),
        quoteVolume: of.reduce((sum, { quoteAmount }) => sum + BigInt(quoteAmount), 0n),
        trades: of.length,
      }
    })
}

/** Writes trades of one mint and their candles, as the indexer does. */
export const indexTrades = Effect.fnUntraced(function* (trades: ReadonlyArray<IndexedTrade>) {
  const sql = yield* SqlClient
  for (const trade of trades) yield* sql`insert into trades ${sql.insert({ ...trade })}`
  for (const seconds of [60, 3600]) {
    for (const candle of candlesOf(trades, seconds)) {
      const { first, last } = candle
      const row = {
        ...{ baseMint: first.baseMint, seconds, bucket: candle.start },
        ...{ firstOrdinal: first.ordinal, lastOrdinal: last.ordinal },
        ...{ open: first.nextSqrtPrice, close: last.nextSqrtPrice, high: String(candle.high), low: String(candle.low) },
        ...{ baseVolume: String(candle.baseVolume), quoteVolume: String(candle.quoteVolume), trades: candle.trades },
      }
      yield* sql`insert into candles ${sql.insert(row)}`
    }
  }
  // The whole life of the pool is a row of its own, not a candle.
  const [first] = trades
  yield* sql`
    insert into candles (base_mint, seconds, bucket, first_ordinal, last_ordinal, open, high, low, close, base_volume,
      quote_volume, trades)
    values (${first!.baseMint}, 0, 'epoch', 0, 1, 1, 1, 1, 1, 1, 1, 1)`
})

/** What a configuration says on chain, as the server learns it: by default of a supply of a billion and a migration at 85 SOL. */
export const learnCurve = Effect.fnUntraced(function* (
  configAddress: string,
  facts: { readonly baseDecimals?: number; readonly quoteDecimals?: number; readonly supply?: string } = {},
) {
  const sql = yield* SqlClient
  const amounts = {
    supply: "1000000000000000",
    migrationQuoteThreshold: "85000000000",
    startSqrtPrice: "58333726687135",
  }
  const row = { configAddress, baseDecimals: 6, quoteDecimals: 9, ...amounts, ...facts }
  yield* sql`insert into launch_configs ${sql.insert(row)}`
  return amounts
})

/** Writes the pool of a mint as the indexer does after its creation. */
export const indexPool = Effect.fnUntraced(function* (
  baseMint: string,
  {
    config = sampleAddress(),
    decimals = null,
    quoteMint = SOL,
  }: {
    readonly config?: string
    readonly decimals?: number | null
    readonly quoteMint?: string
  } = {},
) {
  const sql = yield* SqlClient
  yield* sql`
    insert into dbc_pools (pool, base_mint, quote_mint, config, creator, name, symbol, uri, pool_type,
      decimals, created_slot, created_at)
    values (${sampleAddress()}, ${baseMint}, ${quoteMint}, ${config}, '', '', '', '', 0, ${decimals}::smallint, 0, 'epoch')`
})
