import type { TokenFilter } from "@launch-registry/domain/tokens/TokensApi"
import type { PopularToken } from "@launch-registry/domain/tokens/PopularToken"
import type { PopularInterval } from "@launch-registry/domain/tokens/TradingWindow"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { planned } from "@launch-registry/postgres/KeysetPage"
import { tokensIn } from "./ListTokens.ts"
import { PLACES, rankedBy } from "./PopularRanks.ts"
import { TOKEN_COLUMNS, type TokenRow, toToken } from "./TokenRow.ts"

/** Newest tokens of a scope that are ranked where too few of it are among the best: a scope with no more is ranked whole. */
const NEWEST = 1_000

/** What is asked for. */
export interface PopularQuery {
  readonly interval: PopularInterval
  readonly limit: number
  readonly filter: TokenFilter
  /** Whether rows come with what they are ranked by. */
  readonly isRanked: boolean
}

/** What a token is ranked by; null is nothing. */
export interface RankedTokenRow extends TokenRow {
  readonly rankTraders: bigint | null
  readonly rankTrades: bigint | null
  readonly rankQuoteVolume: string | null
  readonly rankRecordedTraders: bigint | null
  readonly rankRecordedTrades: bigint | null
  readonly rankRecordedVolume: string | null
}

const RANK_COLUMNS = `seen.traders as rank_traders, seen.trades as rank_trades, seen.quote_volume as rank_quote_volume,
  recorded.traders as rank_recorded_traders, recorded.trades as rank_recorded_trades,
  trim_scale(recorded.quote_volume) as rank_recorded_volume`

/** Rows with these columns have a ranking. */
export const toPopularToken = (row: TokenRow | RankedTokenRow): PopularToken => {
  if (!("rankTraders" in row)) return toToken(row)
  const {
    rankQuoteVolume,
    rankRecordedTraders,
    rankRecordedTrades,
    rankRecordedVolume,
    rankTraders,
    rankTrades,
    ...token
  } = row
  return {
    ...toToken(token),
    ranking: {
      ...{ traders: Number(rankTraders ?? 0), trades: Number(rankTrades ?? 0), quoteVolume: rankQuoteVolume ?? "0" },
      ...{ recordedTraders: Number(rankRecordedTraders ?? 0), recordedTrades: Number(rankRecordedTrades ?? 0) },
      recordedVolume: rankRecordedVolume ?? "0",
    },
  }
}

/**
 * Tokens by distinct traders, then quote volume, over the interval: first by indexed trades, then by recorded
 * transactions (anyone can write those, so they could be inflated), then newest first.
 *
 * Those of the scope that `popular_ranks` has; where these are too few, together with the newest of the scope.
 */
export const popularTokens = Effect.fnUntraced(function* (
  sql: SqlClient,
  { filter, interval, isRanked, limit }: PopularQuery,
  newestMax = NEWEST,
) {
  const { conditions, table } = tokensIn(sql, filter)
  const [from, newestFirst] = [sql.literal(table.from), sql.literal(table.keys.map((key) => `${key} desc`).join(", "))]
  const columns = sql.literal(isRanked ? `${TOKEN_COLUMNS}, ${RANK_COLUMNS}` : TOKEN_COLUMNS)
  const counts = rankedBy(sql, sql`${interval}`)
  const best = yield* planned(sql<TokenRow | RankedTokenRow>`
    select ${columns} from ${from} join popular_ranks p on p.token_id = t.id ${isRanked ? counts : sql``}
    where p.span = ${interval} and ${sql.and(conditions)} order by p.place limit ${limit}`)
  if (best.length === limit) return best
  const newest = sql`select t.id from ${from} where ${sql.and(conditions)} order by ${newestFirst} limit ${newestMax}`
  return yield* planned(sql<TokenRow | RankedTokenRow>`
    select ${columns} from tokens t ${counts}
    where t.id = any(array(${newest}) || ${best.map(({ id }) => id)}::uuid[]) and t.deleted_at is null
    order by ${sql.literal(PLACES)} limit ${limit}`)
})
