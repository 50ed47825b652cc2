import type { ClickHouseParameters } from "@launch-registry/clickhouse/ClickHouse"
import { firstOrdinalOf } from "@launch-registry/solana/Ordinal"
import { FIRST_SLOT, keyOf, randomRank, SLOTS, type SyntheticSizes } from "./SyntheticTrades.ts"

/** A read, with parameters that are other ones each time. */
export interface HistoryRead {
  readonly name: string
  readonly statement: string
  readonly parameters: (sizes: SyntheticSizes) => ClickHouseParameters
  /** A share of the samples of others. */
  readonly share?: number
}

const SLOTS_OF_DAY = 216_000n
const COLUMNS = `ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee, next_sqrt_price,
  quote_reserve, toUnixTimestamp(block_time) as block_time, venue`

/** Bounded from below by an ordinal twice a page away: `final` reads all that a condition leaves. */
const page = (table: string, key: string, kind: string): string => `
with ${keyOf("{rank:UInt64}", kind)} as wanted
select ${COLUMNS} from ${table} final
where ${key} = wanted and ordinal < {before:UInt64} and ordinal >= (
  select min(ordinal) from (
    select ordinal from ${table} where ${key} = wanted and ordinal < {before:UInt64} order by ${key} desc, ordinal desc limit 200
  )
)
order by ordinal desc, signature desc limit 100`

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
/** A place between the middle and the end. */
const randomSlot = (): bigint => SLOTS / 2n + BigInt(Math.floor(Math.random() * Number(SLOTS / 2n)))
const before = () => ({ before: firstOrdinal + firstOrdinalOf(randomSlot()) })
const days = (count: bigint) => {
  const to = randomSlot()
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
    parameters: ({ mints }) => ({ rank: randomRank(mints), ...before() }),
  },
  {
    name: "the same, of the ten most traded mints",
    statement: page("trades", "base_mint", "mint"),
    parameters: () => ({ rank: oneOfTen(), ...before() }),
  },
  {
    name: "100 newest trades of a trader below an ordinal, trader of a random trade",
    statement: page("trades_by_trader", "trader", "trader"),
    parameters: ({ traders }) => ({ rank: randomRank(traders), ...before() }),
  },
  {
    name: "minute candles of a day, mint of a random trade",
    statement: minutes,
    parameters: ({ mints }) => ({ rank: randomRank(mints), ...days(1n) }),
  },
  {
    name: "the same, of the ten most traded mints",
    statement: minutes,
    parameters: () => ({ rank: oneOfTen(), ...days(1n) }),
  },
  {
    name: "volume and traders of 30 days, mint of a random trade",
    statement: volume,
    parameters: ({ mints }) => ({ rank: randomRank(mints), ...days(30n) }),
  },
  {
    name: "the same, of the ten most traded mints",
    statement: volume,
    parameters: () => ({ rank: oneOfTen(), ...days(30n) }),
  },
  {
    name: "volume and traders per day and quote token of 30 days, all mints",
    statement: volumeOfAll,
    parameters: () => days(30n),
    share: 0.05,
  },
]
