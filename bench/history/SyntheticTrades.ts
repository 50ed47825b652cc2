import { firstOrdinalOf } from "@launch-registry/solana/Ordinal"

/** The history that is made: 180 days of slots of 0.4 s, as they were until 2026. */
export const SLOTS_OF_DAY = 216_000n
export const SLOTS = 180n * SLOTS_OF_DAY
export const FIRST_SLOT = 300_000_000n
const SECONDS_FROM = 1_700_000_000

export interface SyntheticSizes {
  readonly trades: number
  readonly mints: number
  readonly traders: number
  /** That the trades are spread over. */
  readonly slots: bigint
}

/** 32 bytes as base58, the same for the same number. */
export const keyOf = (number: string, kind: string): string =>
  `base58Encode(concat(${[0, 1, 2, 3].map((part) => `reinterpretAsString(sipHash64(${number}, '${kind}', ${part}))`).join(", ")}))`

/** Uniform over ranks on a logarithmic scale: the first of a million is in a twentieth of all trades, the first thousand in half. */
const rankOf = (size: number, kind: string): string =>
  `toUInt64(floor(pow(${size}, (sipHash64(number, '${kind}') % 1000000007) / 1000000007)))`

/** The rank of something that a trade taken at random is of. */
export const randomRank = (size: number): number => Math.floor(size ** Math.random())

const below = (kind: string, limit: bigint): string => `sipHash64(number, '${kind}') % ${limit}`

/**
 * An insert of the trades from one number to another. Amounts and signatures are random, so they are compressed no better than
 * real ones; every mint and trader is there all the time.
 */
export const insertTrades = (
  { mints, slots, traders, trades }: SyntheticSizes,
  from: number,
  count: number,
): string => `
insert into trades (
  ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee, next_sqrt_price, quote_reserve,
  block_time, venue, version, is_deleted
)
select ${firstOrdinalOf(FIRST_SLOT)} + bitShiftLeft(slot, 32) + (number % 1000) * 16384 + 129, base58Encode(randomString(64)),
  ${keyOf("mint", "pool")}, ${keyOf("mint", "mint")}, ${keyOf("mint % 3", "quote")}, ${keyOf("trader", "trader")},
  if(number % 2 = 0, 'BUY', 'SELL'), 1000000 + ${below("base", 10n ** 14n)}, 1000000 + ${below("quote", 10n ** 10n)},
  10000 + ${below("quote", 10n ** 10n)} / 100, toUInt128(4000000000000000000) + ${below("price", 10n ** 18n)},
  if(mint % 10 = 0, null, ${below("reserve", 10n ** 11n)}), ${SECONDS_FROM} + intDiv(slot * 4, 10),
  if(mint % 10 = 0, 'damm', 'dbc'), 1, 0
from (
  select number, toUInt64(intDiv(number * ${slots}, ${trades})) as slot, ${rankOf(mints, "mint")} as mint,
    ${rankOf(traders, "trader")} as trader
  from numbers(${from}, ${count})
)`
