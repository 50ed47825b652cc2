import type { PopularToken } from "@launch-registry/domain/tokens/PopularToken"
import type { PopularInterval } from "@launch-registry/domain/tokens/TradingWindow"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { anyKey } from "@launch-registry/postgres/AnyKey"
import { scopeConditions, type TokenScope } from "./ListTokens.ts"
import { TOKEN_COLUMNS, type TokenRow, toToken } from "./TokenRow.ts"

/** Counts of trades of an interval: those of the indexer, or those of records. */
export type WindowTable = "trading_windows" | "recorded_windows"

/** A token in its place; without an id, the last row that was read. */
export interface PlacedRow {
  readonly id: string | null
  /** How many rows were read up to it. */
  readonly nth: number
}

/** A token in its place; the only row if there is none has no id. */
export interface ScopedRow {
  /** Tokens of the scope, at most one more than the bound. */
  readonly count: number
  readonly id: string | null
}

/** A token that was found in the ranking. */
export interface RankedScopeRow extends ScopedRow {
  /** How many rows of the ranking were read up to the last one that counts; null without one. */
  readonly lastNth: number | null
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
 * Statements of a list of popular tokens. Each reads at most `bound` rows of a ranking or of the registry, in a subquery
 * with a limit that the planner cannot look through, in an order that one index has; see `SearchReads.ts`.
 */
export const popularReads = (sql: SqlClient, interval: PopularInterval, scope: TokenScope) => {
  const { tag, ...untagged } = scope
  const { active, endDate, launchpad, startDate, verified } = untagged
  const dates = { ...(startDate !== undefined && { startDate }), ...(endDate !== undefined && { endDate }) }
  const inScope = sql.and([
    sql`t.deleted_at is null`,
    ...scopeConditions(sql, untagged),
    ...(tag === undefined ? [] : [sql`${tag} = any(t.tags)`]),
  ])
  const oneOf = (column: string, value: string) => sql`${sql.literal(column)} = any(array[${value}]::text[])`
  // Ordered by the primary key, so that the index of the ranking will not do.
  const countsOf = (table: WindowTable, mint: Fragment) => sql`
    left join lateral (
      select * from (
        select traders, trades, quote_volume from ${sql(table)} w
        where w.span = ${interval} and w.base_mint = any(array[${mint}]) order by w.base_mint limit 1
      ) w where w.traders > 0
    ) ${sql.literal(table === "trading_windows" ? "seen" : "recorded")} on true`

  /** Tokens of the scope, or of a larger one, by an index that has them together. */
  const tokensOfScope = (bound: number) => {
    const tokens = (leads: ReadonlyArray<Fragment>, order: string) => sql`
      select t.id, t.created_at, t.mint_address, ${inScope} as matches from tokens t
      where ${sql.and([sql`t.deleted_at is null`, ...leads, ...scopeConditions(sql, dates)])}
      order by ${sql.literal(order)}t.created_at desc, t.id desc limit ${sql.literal(String(bound))}`
    if (verified === "true") return tokens([sql`t.verified = any(array[true])`], "t.verified, ")
    const activity = active === undefined ? [] : [sql`t.active = any(array[${active === "true"}]::boolean[])`]
    if (launchpad !== undefined)
      return tokens([oneOf("t.launchpad", launchpad), ...activity], "t.launchpad, t.active, ")
    return tokens(activity, active === undefined ? "" : "t.active, ")
  }

  /** Ids of the tokens of a tag. */
  const idsOfTag = (tag: string, bound: number) => sql`
    select t.token_id as id from token_tags t
    where ${sql.and([oneOf("t.tag", tag), ...scopeConditions(sql, dates)])}
    order by t.tag, t.created_at desc, t.token_id desc limit ${sql.literal(String(bound))}`

  /** The tokens of the scope as `ids`, at most one more than the bound; how many these are as `counted`. */
  const countedScope = (bound: number) => sql`
    ids as materialized (${tag === undefined ? tokensOfScope(bound + 1) : idsOfTag(tag, bound + 1)}),
    counted as materialized (select count(*)::int as count from ids)`
  /** Tokens of `ids` in the scope. */
  const scoped =
    tag === undefined
      ? sql`ids t`
      : sql`ids cross join lateral (select t.*, ${inScope} as matches from tokens t where t.id = ids.id limit 1) t`
  /** The end of such a statement: the best of its `best`, each with the count and what else is asked for. */
  const placed = (limit: number, columns = "counted.count") => sql`
    placed as materialized (
      select t.id, row_number() over (order by ${sql.literal(PLACES)}) as place
      from best t ${countsOf("recorded_windows", sql`t.mint_address`)}
      order by place limit ${limit}
    )
    select ${sql.literal(columns)}, placed.id from counted left join placed on true order by placed.place`

  return {
    /** The best of a ranking, and the last row if it was read up to `bound`. */
    readRanking: (table: WindowTable, found: ReadonlyArray<string>, limit: number, bound: number) => sql<PlacedRow>`
      with best as materialized (
        select w.*, t.id, t.created_at, t.mint_address from (
          select w.span, w.base_mint, w.traders, w.quote_volume,
            (row_number() over (order by w.span, w.traders desc, w.quote_volume desc))::int as nth
          from ${sql(table)} w where ${oneOf("w.span", interval)} and w.traders > 0
          order by w.span, w.traders desc, w.quote_volume desc limit ${bound}
        ) w
        left join lateral (
          select t.id, t.created_at, t.mint_address from (
            select * from tokens t where t.mint_address = w.base_mint and t.deleted_at is null limit 1
          ) t where ${inScope} and t.id <> all(${found}::uuid[])
        ) t on true
        where t.id is not null or w.nth = ${bound}::int
        order by w.span, w.traders desc, w.quote_volume desc
        fetch first (${limit}::int) rows with ties
      )
      select t.id, t.nth from best t
      ${table === "trading_windows" ? countsOf("recorded_windows", sql`t.mint_address`) : sql``}
      order by t.id is null, t.traders desc, t.quote_volume desc,
        ${sql.literal(table === "trading_windows" ? "recorded.traders desc nulls last, recorded.quote_volume desc nulls last," : "")}
        t.created_at desc, t.id desc`,

    /**
     * Those of the scope among the best `ranked` of all, unless it has more than `bound` tokens. The ranking is read until there are
     * enough of them; each of its mints is looked up in a hash table of those of the scope. That is the plan because a subquery in a
     * list of columns is not made a join, and because the literal limit tells the planner that the table fits into `work_mem`.
     */
    readRankedScope: (limit: number, bound: number, ranked: number) => sql<RankedScopeRow>`
      with ${countedScope(bound)},
      mints as materialized (
        select t.mint_address from ${scoped} where (select count from counted) <= ${bound}::int and t.matches
      ),
      best as materialized (
        select w.*, t.id, t.created_at, t.mint_address from (
          select w.span, w.base_mint, w.traders, w.quote_volume, w.base_mint in (select mint_address from mints) as is_in_scope,
            (row_number() over (order by w.span, w.traders desc, w.quote_volume desc))::int as nth
          from trading_windows w
          where ${oneOf("w.span", interval)} and w.traders > 0 and (select count from counted) <= ${bound}::int
          order by w.span, w.traders desc, w.quote_volume desc limit ${ranked}
        ) w
        left join lateral (
          select * from tokens t where w.is_in_scope and t.mint_address = w.base_mint and t.deleted_at is null limit 1
        ) t on true
        where w.is_in_scope or w.nth = ${ranked}::int
        order by w.span, w.traders desc, w.quote_volume desc
        fetch first (${limit}::int) rows with ties
      ),
      ${placed(limit, "counted.count, (select max(nth) from best) as last_nth")}`,

    /** The best of the scope, unless it has more than `bound` tokens. Records are counted only for those that indexed trades leave equal. */
    readScope: (limit: number, bound: number) => sql<ScopedRow>`
      with ${countedScope(bound)},
      best as materialized (
        select t.id, t.created_at, t.mint_address, seen.traders, seen.quote_volume
        from ${scoped}
        ${countsOf("trading_windows", sql`t.mint_address`)}
        where (select count from counted) <= ${bound}::int and t.matches
        order by seen.traders desc nulls last, seen.quote_volume desc nulls last
        fetch first (${limit}::int) rows with ties
      ),
      ${placed(limit)}`,

    /** The tokens with these ids, and what they are ranked by. */
    rankedTokensOf: (ids: ReadonlyArray<string>) => sql<RankedTokenRow>`
      select ${sql.literal(TOKEN_COLUMNS)}, ${sql.literal(RANK_COLUMNS)} from tokens t
      ${countsOf("trading_windows", sql`t.mint_address`)}
      ${countsOf("recorded_windows", sql`t.mint_address`)}
      where t.id = ${anyKey(sql, ids, "uuid")} and t.deleted_at is null`,
  }
}
