import type { TokenFilter } from "@launch-registry/domain/tokens/TokensApi"
import type { PopularInterval } from "@launch-registry/domain/tokens/TradingWindow"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { scopeConditions } from "./ListTokens.ts"
import { type WindowTable, windowCounts } from "./WindowCounts.ts"

/** A token in its place. */
export interface PlacedRow {
  /** Null of a row that only says how many were read. */
  readonly id: string | null
  /** How many rows of the ranking were read, at least up to it; where few are in the scope, how many were needed, or read if these were too few. */
  readonly nth: number
}

/** What to read of a ranking. */
export interface RankingRange {
  /** Ids that are left out. */
  readonly found: ReadonlyArray<string>
  readonly limit: number
  /** Rows of the ranking that are read at most. */
  readonly bound: number
}

/** Condition of a token of alias `t`. */
export const isInScope = (sql: SqlClient, { tag, ...untagged }: TokenFilter) =>
  sql.and([
    sql`t.deleted_at is null`,
    ...scopeConditions(sql, untagged),
    ...(tag === undefined ? [] : [sql`${tag} = any(t.tags)`]),
  ])

/** Statements that compare the best of a ranking with a scope, and give those of the scope. */
export const rankingReads = (sql: SqlClient, interval: PopularInterval, scope: TokenFilter, inOnePass: boolean) => {
  const inScope = isInScope(sql, scope)
  const { active, endDate, launchpad, startDate, tag } = scope
  const ofTag = {
    ...(launchpad !== undefined && { launchpad }),
    ...(active !== undefined && { active }),
    ...(startDate !== undefined && { startDate }),
    ...(endDate !== undefined && { endDate }),
  }

  const ranked = (table: WindowTable, columns: string, bound: number) => sql`
    select w.span, w.base_mint, w.traders, w.quote_volume, ${sql.literal(columns)}
    from ${sql(table)} w where w.span = any(array[${interval}]::text[]) and w.traders > 0
    order by w.span, w.traders desc, w.quote_volume desc limit ${bound}`

  /** The tokens of rows of a ranking, as far as they are needed. */
  const best = (rows: Fragment, isLast: Fragment, { found, limit }: RankingRange) => sql`
    best as materialized (
      select w.*, t.id, t.created_at, t.mint_address from ${rows} w
      left join lateral (
        select t.id, t.created_at, t.mint_address from (
          select * from tokens t where t.mint_address = w.base_mint and t.deleted_at is null limit 1
        ) t where ${inScope} and t.id <> all(${found}::uuid[])
      ) t on true
      where t.id is not null or ${isLast}
      order by w.span, w.traders desc, w.quote_volume desc
      fetch first (${limit}::int) rows with ties
    )`

  const { countsOf } = windowCounts(sql, interval, inOnePass)
  const placed = (table: WindowTable) => sql`(
    select t.*, row_number() over (
      order by t.id is null, t.traders desc, t.quote_volume desc,
        ${sql.literal(table === "trading_windows" ? "recorded.traders desc nulls last, recorded.quote_volume desc nulls last," : "")}
        t.created_at desc, t.id desc
    ) as place
    from best t ${table === "trading_windows" ? countsOf("recorded_windows", sql`t.mint_address`) : sql``})`

  const hash = (column: string) => sql.literal(`hashtextextended(${column}, 0)`)
  /**
   * Rows of alias `t` whose mint `ranked` has, by an index of a leading column and the hashes of mints: no other index
   * has either of them, and one of mints themselves is several times as large.
   */
  const ofRankedMints = (table: "tokens" | "token_tags", lead: Fragment) =>
    inOnePass
      ? sql`(
        select * from ${sql(table)} t
        where ${lead} and ${hash("t.mint_address")} = any(array(select hash from ranked)) offset 0)`
      : sql`(
        select t.* from ranked w cross join lateral (
          select * from ${sql(table)} t where ${lead} and ${hash("t.mint_address")} = w.hash offset 0
        ) t)`
  /** Hashes of the mints that may be of the scope, of those in `ranked`. */
  const hashes = () => {
    if (tag === undefined) {
      const states = active === undefined ? [0, 1] : [active === "true" ? 1 : 0]
      const ofState = sql`t.deleted_at is null and (t.active::int) = any(${states}::int[])`
      return sql`select ${hash("t.mint_address")} as hash from ${ofRankedMints("tokens", ofState)} t where ${inScope}`
    }
    return sql`
      select ${hash("t.mint_address")} as hash
      from ${ofRankedMints("token_tags", sql`${hash("t.tag")} = any(array[hashtextextended(${tag}, 0)])`)} t
      where ${sql.and([sql`true`, ...scopeConditions(sql, ofTag)])}`
  }

  return {
    /** Looks up the token of each row until there are enough. */
    readRanking: (table: WindowTable, range: RankingRange) => {
      const nth = "(row_number() over (order by w.span, w.traders desc, w.quote_volume desc))::int as nth"
      return sql<PlacedRow>`
        with ${best(sql`(${ranked(table, nth, range.bound)})`, sql`w.nth = ${range.bound}::int`, range)}
        select id, nth from ${placed(table)} placed order by place`
    },

    /** Looks up tokens of the scope only, where hardly any row of the ranking is of it. Reads up to `bound`, however many are needed. */
    readRankingOfFew: (table: WindowTable, range: RankingRange) => sql<PlacedRow>`
      with ranked as materialized (${ranked(table, "hashtextextended(w.base_mint, 0) as hash", range.bound)}),
      hashes as materialized (${hashes()}),
      ${best(sql`(select w.* from ranked w where (w.hash in (select hash from hashes)) is true)`, sql`false`, range)},
      last as materialized (
        select traders, quote_volume from best order by span, traders desc, quote_volume desc offset ${range.limit - 1} limit 1
      )
      select placed.id, read.nth
      from (
        select count(*)::int as nth from ranked
        where (traders, quote_volume) >= (select traders, quote_volume from last) or not exists (select from last)
      ) read left join ${placed(table)} placed on true order by placed.place`,
  }
}
