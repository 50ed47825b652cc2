import type { ClickHouseParameters } from "@launch-registry/clickhouse/ClickHouse"
import { firstOrdinalOf } from "@launch-registry/solana/Ordinal"
import { scanOfTrades } from "../../packages/server/src/history/OlderTrades.ts"
import { FIRST_SLOT, keyOf, randomRank, SLOTS_OF_DAY, type SyntheticSizes } from "./SyntheticTrades.ts"

/** A read, with parameters that are other ones each time. */
export interface HistoryRead {
  readonly name: string
  readonly statement: string
  readonly parameters: (sizes: SyntheticSizes) => ClickHouseParameters
  /** A share of the samples of others. */
  readonly share?: number
}

/** What the API reads for a page of 100 that filters leave whole. */
const page = (table: string, key: string, kind: string): string =>
  scanOfTrades(table, [`${key} = ${keyOf("{rank:UInt64}", kind)}`, "ordinal >= {floor:UInt64}"], [])

const minutes = `
select intDiv(toUnixTimestamp(block_time), 60) * 60 as minute, argMin(next_sqrt_price, (ordinal, signature)) as open,
  max(next_sqrt_price) as high, min(next_sqrt_price) as low, argMax(next_sqrt_price, (ordinal, signature)) as close,
  sum(base_amount) as base_volume, sum(quote_amount) as quote_volume, count() as trades
from trades final
where base_mint = ${keyOf("{rank:UInt64}", "mint")} and ordinal >= {from:UInt64} and ordinal < {to:UInt64}
group by minute order by minute`

const volume = `
select count() as trades, sum(quote_amount) as quote_volume, uniqExact(trader) as traders
from trades final
where base_mint = ${keyOf("{rank:UInt64}", "mint")} and ordinal >= {from:UInt64} and ordinal < {to:UInt64}`

const volumeOfAll = `
select toDate(block_time) as day, quote_mint, count() as trades, sum(quote_amount) as quote_volume, uniq(trader) as traders
from trades final
where ordinal >= {from:UInt64} and ordinal < {to:UInt64}
group by day, quote_mint order by day, quote_mint`

const firstOrdinal = firstOrdinalOf(FIRST_SLOT)
/** A place in the second half. */
const randomSlot = (slots: bigint): bigint => slots / 2n + BigInt(Math.floor(Math.random() * Number(slots / 2n)))
const before = ({ slots }: SyntheticSizes) => ({
  ...{ ordinal: firstOrdinal + firstOrdinalOf(randomSlot(slots)), signature: "", floor: 0n, bound: 120, rows: 101 },
})
const days = ({ slots }: SyntheticSizes, count: bigint) => {
  const to = randomSlot(slots)
  return {
    from: firstOrdinal + firstOrdinalOf(to - count * SLOTS_OF_DAY),
    to: firstOrdinal + firstOrdinalOf(to),
  }
}
const oneOfTen = () => 1 + Math.floor(Math.random() * 10)

export const HISTORY_READS: ReadonlyArray<HistoryRead> = [
  {
    name: "100 newest trades of a mint below an ordinal, mint of a random trade",
    statement: page("trades", "base_mint", "mint"),
    parameters: (sizes) => ({ rank: randomRank(sizes.mints), ...before(sizes) }),
  },
  {
    name: "the same, of the ten most traded mints",
    statement: page("trades", "base_mint", "mint"),
    parameters: (sizes) => ({ rank: oneOfTen(), ...before(sizes) }),
  },
  {
    name: "100 newest trades of a trader below an ordinal, trader of a random trade",
    statement: page("trades_by_trader", "trader", "trader"),
    parameters: (sizes) => ({ rank: randomRank(sizes.traders), ...before(sizes) }),
  },
  {
    name: "minute candles of a day, mint of a random trade",
    statement: minutes,
    parameters: (sizes) => ({ rank: randomRank(sizes.mints), ...days(sizes, 1n) }),
  },
  {
    name: "the same, of the ten most traded mints",
    statement: minutes,
    parameters: (sizes) => ({ rank: oneOfTen(), ...days(sizes, 1n) }),
  },
  {
    name: "volume and traders of 30 days, mint of a random trade",
    statement: volume,
    parameters: (sizes) => ({ rank: randomRank(sizes.mints), ...days(sizes, 30n) }),
  },
  {
    name: "the same, of the ten most traded mints",
    statement: volume,
    parameters: (sizes) => ({ rank: oneOfTen(), ...days(sizes, 30n) }),
  },
  {
    name: "volume and traders per day and quote token of 30 days, all mints",
    statement: volumeOfAll,
    parameters: (sizes) => days(sizes, 30n),
    share: 0.05,
  },
]
