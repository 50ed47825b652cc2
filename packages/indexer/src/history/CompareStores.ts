import type { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { sumOfHalf } from "../replay/Digest.ts"

/** The same for the same trades, in whatever order they lie: how many, and the sums of both halves of the MD5 of each. */
export interface TradesDigest {
  readonly rows: string
  readonly first: string
  readonly second: string
}

/** Trades with ordinals from one up to before another, in both stores. */
export interface ComparedStores {
  readonly postgres: TradesDigest
  readonly clickhouse: TradesDigest
}

const TIMEOUT_MILLIS = 1_800_000

/** All that a trade says, as text: the same in both dialects. */
const POSTGRES_TEXT = `concat_ws('|', ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
  next_sqrt_price, coalesce(quote_reserve::text, '-'), extract(epoch from block_time)::bigint, venue)`
const CLICKHOUSE_TEXT = `concat(toString(ordinal), '|', signature, '|', pool, '|', base_mint, '|', quote_mint, '|', trader, '|', toString(side), '|',
  toString(base_amount), '|', toString(quote_amount), '|', toString(fee), '|', toString(next_sqrt_price), '|',
  ifNull(toString(quote_reserve), '-'), '|', toString(toUnixTimestamp(block_time)), '|', venue)`

/** ClickHouse reads integers from their lowest byte on. */
const clickhouseHalf = (start: number) =>
  `toString(sum(toInt128(reinterpretAsInt64(reverse(substring(h, ${start}, 8))))))`

const CLICKHOUSE = `
  select toString(count()) as rows, ${clickhouseHalf(1)} as first, ${clickhouseHalf(9)} as second
  from (
    select MD5(${CLICKHOUSE_TEXT}) as h from trades final where ordinal >= {from:UInt64} and ordinal < {beyond:UInt64}
  ) settings do_not_merge_across_partitions_select_final = 1`

/** Whether both have the same trades. */
export const isSame = ({ clickhouse, postgres }: ComparedStores): boolean =>
  clickhouse.rows === postgres.rows && clickhouse.first === postgres.first && clickhouse.second === postgres.second

/** Digests of the trades from one ordinal up to before another, as each store has them. */
export const compareStores = Effect.fn("compareStores")(function* (
  sql: SqlClient,
  clickhouse: ClickHouse,
  from: bigint,
  beyond: bigint,
) {
  const ofPostgres = Effect.gen(function* () {
    yield* sql`select set_config('statement_timeout', ${String(TIMEOUT_MILLIS)}, true)`
    const [row] = yield* sql<TradesDigest>`
      select count(*)::text as rows, ${sql.literal(sumOfHalf(1))} as first, ${sql.literal(sumOfHalf(17))} as second
      from (select md5(${sql.literal(POSTGRES_TEXT)}) as h from trades where ordinal >= ${from} and ordinal < ${beyond}) hashes`
    return row!
  }).pipe(sql.withTransaction)
  const parameters = { from: String(from), beyond: String(beyond) }
  const [found] = yield* clickhouse.select<TradesDigest>(CLICKHOUSE, parameters, {
    rowsMax: 1,
    timeoutMillis: TIMEOUT_MILLIS,
  })
  return { postgres: yield* ofPostgres, clickhouse: found! } satisfies ComparedStores
})
