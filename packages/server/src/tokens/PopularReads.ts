import type { TokenFilter } from "@launch-registry/domain/tokens/TokensApi"
import type { PopularToken } from "@launch-registry/domain/tokens/PopularToken"
import type { PopularInterval } from "@launch-registry/domain/tokens/TradingWindow"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { anyKey } from "@launch-registry/postgres/AnyKey"
import { leadConditions } from "@launch-registry/postgres/IndexRanges"
import { scopeConditions } from "./ListTokens.ts"
import { isInScope } from "./RankingReads.ts"
import { TOKEN_COLUMNS, type TokenRow, toToken } from "./TokenRow.ts"
import { windowCounts } from "./WindowCounts.ts"

/** A token in its place; the only row if there is none has no id. */
export interface ScopedRow {
  /** Tokens of the scope, at most one more than the bound. */
  readonly count: number
  readonly id: string | null
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

const PLACES = `t.traders desc nulls last, t.quote_volume desc nulls last, recorded.traders desc nulls last,
  recorded.quote_volume desc nulls last, t.created_at desc, t.id desc`

/**
 * Statements of a list of popular tokens. Each reads a bounded number of rows of the registry, in a subquery
 * with a limit that the planner cannot look through, in an order that one index has; see `SearchReads.ts`.
 */
export const popularReads = (sql: SqlClient, interval: PopularInterval, scope: TokenFilter, inOnePass: boolean) => {
  const { tag, ...untagged } = scope
  const { active, endDate, launchpad, startDate, verified } = untagged
  const facets = { ...(launchpad !== undefined && { launchpad }), ...(active !== undefined && { active }) }
  const dates = { ...(startDate !== undefined && { startDate }), ...(endDate !== undefined && { endDate }) }
  const inScope = isInScope(sql, scope)
  const oneOf = (column: string, value: string) => sql`${sql.literal(column)} = any(array[${value}]::text[])`
  const { countsOf, countsOfAll } = windowCounts(sql, interval, inOnePass)
  /** Counts of the trades of `mints`, by number where they have one: those of tokens of one time are then close together, and far apart by mint. */
  const tradesOfMints = sql`
    ${countsOfAll("trading_windows", "mint_number", sql`select mint_number from mints where mint_number is not null`)}
    union all
    ${countsOfAll("trading_windows", "base_mint", sql`select mint_address from mints where mint_number is null`)}`

  /** Columns of the tokens of the scope, or of a larger one, by an index that has them together. */
  const tokensOfScope = (columns: Fragment, condition: Fragment, bound: number) => {
    if (tag !== undefined)
      return sql`
        select ${columns} from token_tags t
        where ${sql.and([oneOf("t.tag", tag), ...scopeConditions(sql, dates), condition])}
        order by t.tag, t.created_at desc, t.token_id desc limit ${sql.literal(String(bound))}`
    const tokens = (order: string, ...leads: Parameters<typeof leadConditions>[1]) => sql`
      select ${columns} from tokens t
      where ${sql.and([sql`t.deleted_at is null`, ...leadConditions(sql, leads), ...scopeConditions(sql, dates), condition])}
      order by ${sql.literal(order)}t.created_at desc, t.id desc limit ${sql.literal(String(bound))}`
    if (verified === "true") return tokens("t.verified, ", { column: sql`t.verified`, value: sql`true` })
    const isActive = active === undefined ? [] : [{ column: sql`t.active`, value: sql`${active === "true"}::boolean` }]
    if (launchpad === undefined) return tokens(active === undefined ? "" : "t.active, ", ...isActive)
    const ofLaunchpad = { column: sql`t.launchpad`, value: sql`${launchpad}::text` }
    return tokens("t.launchpad, t.active, ", ofLaunchpad, ...isActive)
  }

  /**
   * How many tokens the scope has as `counted`, at most one more than the bound; as `ids` these tokens, unless there are more. They are
   * counted by the index alone. A literal limit tells the planner that a hash table can hold the mints that were found, so `not in` uses one.
   */
  const countedScope = (bound: number) => {
    const matches = tag === undefined ? inScope : sql.and([sql`true`, ...scopeConditions(sql, facets)])
    const id = sql.literal(tag === undefined ? "t.id" : "t.token_id as id")
    const columns = sql`${id}, t.created_at, t.mint_address, t.mint_number, ${matches} as matches`
    return sql`
      counted as materialized (
        select count(*)::int as count from (${tokensOfScope(sql``, sql`true`, bound + 1)}) t
      ),
      ids as materialized (${tokensOfScope(columns, sql`(select count from counted) <= ${bound}::int`, bound)})`
  }
  /** Tokens of `ids` in the scope as `mints`. */
  const scoped = () => {
    const those = (condition: Fragment) =>
      sql`select id, created_at, mint_address, mint_number from ids where ${condition}`
    if (tag === undefined) return sql`mints as not materialized (${those(sql`matches`)})`
    if (verified === undefined) return sql`mints as materialized (${those(sql`matches`)})`
    // A tag does not say whether its token is verified. Without OFFSET the planner could read an index of what else is asked for, once for each id.
    return sql`mints as materialized (
      select t.id, t.created_at, t.mint_address, t.mint_number from (
        select * from tokens t where t.id = any(array(select id from ids)) offset 0
      ) t where ${inScope})`
  }

  return {
    /**
     * The best of the scope, unless it has more than `bound` tokens: those with indexed trades, then those with records, then the newest,
     * as far as each is needed. Of those whose counts were looked up, the ones with fewer traders than the last one that is needed are not
     * sorted.
     */
    readScope: (limit: number, bound: number) => sql<ScopedRow>`
      with ${countedScope(bound)},
      ${scoped()},
      seen as materialized (${tradesOfMints}),
      recorded as materialized (${countsOfAll(
        "recorded_windows",
        "base_mint",
        sql`
          select mint_address from mints
          where (select count(*) from seen) < ${limit}::int and mint_address not in (select base_mint from seen)`,
      )}),
      last as materialized (select traders from seen order by traders desc limit 1 offset ${limit - 1}),
      best as materialized (
        (
          select * from seen where traders >= coalesce((select traders from last), 0)
          order by traders desc, quote_volume desc fetch first (${limit}::int) rows with ties
        )
        union all
        (
          select base_mint, null, null from recorded
          order by traders desc, quote_volume desc fetch first (${limit}::int) rows with ties
        )
        union all
        (
          select mint_address, null, null from mints
          where (select count(*) from seen) + (select count(*) from recorded) < ${limit}::int
            and mint_address not in (select base_mint from seen) and mint_address not in (select base_mint from recorded)
          order by created_at desc, id desc limit ${limit}
        )
      ),
      placed as materialized (
        select t.id, row_number() over (order by ${sql.literal(PLACES)}) as place
        from (
          select b.traders, b.quote_volume, t.* from best b cross join lateral (
            select id, created_at, mint_address from tokens where mint_address = b.base_mint and deleted_at is null limit 1
          ) t
        ) t ${countsOf("recorded_windows", sql`t.mint_address`)}
        order by place limit ${limit}
      )
      select counted.count, placed.id from counted left join placed on true order by placed.place`,

    /** The tokens with these ids, and what they are ranked by. */
    rankedTokensOf: (ids: ReadonlyArray<string>) => sql<RankedTokenRow>`
      select ${sql.literal(TOKEN_COLUMNS)}, ${sql.literal(RANK_COLUMNS)} from tokens t
      ${countsOf("trading_windows", sql`t.mint_address`)}
      ${countsOf("recorded_windows", sql`t.mint_address`)}
      where t.id = ${anyKey(sql, ids, "uuid")} and t.deleted_at is null`,
  }
}
