import type { TokenFilter } from "@launch-registry/domain/tokens/TokensApi"
import type { PopularInterval } from "@launch-registry/domain/tokens/TradingWindow"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type KnownScope, KnownScopes } from "./KnownScopes.ts"
import { popularReads, type RankedTokenRow } from "./PopularReads.ts"
import { rankingReads } from "./RankingReads.ts"
import { searchReads } from "./SearchReads.ts"
import type { TokenRow } from "./TokenRow.ts"
import { tokensByIds } from "./TokensByIds.ts"
import type { WindowTable } from "./WindowCounts.ts"

/** How much a list of popular tokens reads. */
export interface PopularBounds {
  /** Tokens that are all looked at before anything else: ended or verified ones. */
  readonly few: number
  /** The same of a tag. */
  readonly tagged: number
  /** The same of a time, and of any scope that too few of the best of all are in. */
  readonly scope: number
  /** The best of a ranking that are looked up before all of a scope are. */
  readonly near: number
  /** The best of both rankings that are compared with a scope that is too large: of trades, then of records, of which the near ones always are. */
  readonly ranked: number
  /** Newest tokens that are looked at for those that are in the scope. */
  readonly newest: number
}

const BOUNDS: PopularBounds = {
  few: 100,
  tagged: 2_000,
  scope: 4_000,
  near: 500,
  ranked: 4_000,
  newest: 8_000,
}

/** Rows of a ranking that are compared, to those that were enough before. */
const MARGIN = 1.5

/** What is asked for. */
export interface PopularQuery {
  readonly interval: PopularInterval
  readonly limit: number
  readonly filter: TokenFilter
  /** Whether rows come with what they are ranked by. */
  readonly isRanked: boolean
}

/**
 * Tokens by distinct traders, then quote volume, over the interval: first by indexed trades, then by recorded
 * transactions (anyone can write those, so they could be inflated), then newest first.
 *
 * Of a scope with few tokens all are ranked. Of any other, the best are soon among the best of all; where they are not (hardly any of
 * its many tokens is traded), a bounded number is looked at, and the newest follow. So the work does not grow with the registry or with
 * what is traded.
 */
export const popularTokens = (sql: SqlClient, query: PopularQuery, scopes = new KnownScopes(), bounds = BOUNDS) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    sql.withTransaction(popular(sql, query, scopes.of(query.filter, now), bounds)),
  )

/**
 * The planner would read and sort all rows that it believes to be few, where an index has them in order. Without sorting, the
 * one with the order that is asked for is the index, whatever it believes.
 */
export const beginPopular = (sql: SqlClient) => sql<{ readonly inOnePass: boolean }>`
  select current_setting('server_version_num')::int >= 170000 as in_one_pass,
    set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true), set_config('jit', 'off', true),
    set_config('enable_sort', 'off', true), set_config('enable_incremental_sort', 'off', true),
    set_config('enable_memoize', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`

const popular = Effect.fnUntraced(function* (
  sql: SqlClient,
  { filter, interval, isRanked, limit }: PopularQuery,
  known: KnownScope,
  bounds: PopularBounds,
) {
  const [server] = yield* beginPopular(sql)
  const reads = {
    ...popularReads(sql, interval, filter, server!.inOnePass),
    ...rankingReads(sql, interval, filter, server!.inOnePass),
  }
  const ids = yield* placesOf(sql, reads, { filter, interval, limit }, known, bounds)
  if (ids.length === 0) return []
  const rows: ReadonlyArray<TokenRow | RankedTokenRow> = yield* isRanked
    ? reads.rankedTokensOf(ids)
    : tokensByIds(sql, ids)
  const byId = new Map(rows.map((row) => [row.id as string, row]))
  // One that was deleted meanwhile is left out.
  return ids.flatMap((id) => byId.get(id) ?? [])
})

/** Ids of the tokens, in order. */
const placesOf = Effect.fnUntraced(function* (
  sql: SqlClient,
  reads: Pick<ReturnType<typeof popularReads>, "readScope"> & ReturnType<typeof rankingReads>,
  { filter, interval, limit }: Pick<PopularQuery, "filter" | "interval" | "limit">,
  known: KnownScope,
  bounds: PopularBounds,
) {
  /** The best of a scope, unless it has more tokens than that. */
  const ofScope = Effect.fnUntraced(function* (bound: number) {
    if (known.moreThan >= bound) return undefined
    const rows = yield* reads.readScope(limit, bound)
    if (rows[0]!.count <= bound) return rows.flatMap(({ id }) => id ?? [])
    known.moreThan = bound
    return undefined
  })

  const { active, endDate, startDate, tag, verified } = filter
  const isOfTime = startDate !== undefined || endDate !== undefined
  const isSeldom = active === "false" || verified === "true"
  const looked = tag !== undefined ? bounds.tagged : isOfTime ? bounds.scope : isSeldom ? bounds.few : 0
  const first = looked === 0 ? undefined : yield* ofScope(looked)
  if (first !== undefined) return first

  const found: Array<string> = []
  /** Adds the best of a ranking; returns how many of its rows were needed: if these were too few, how many were read. */
  const add = (read: "readRanking" | "readRankingOfFew", table: WindowTable, bound: number) =>
    Effect.map(reads[read](table, { found, limit: limit - found.length, bound }), (rows) => {
      found.push(...rows.flatMap(({ id }) => id ?? []).slice(0, limit - found.length))
      return rows.reduce((most, { nth }) => Math.max(most, nth), 0)
    })
  const near = Math.min(bounds.near, bounds.ranked)
  /** The same of one that few tokens of the scope are in: as many rows as were enough before are compared, and all only if they are not. */
  const addFew = Effect.fnUntraced(function* (table: WindowTable, bound: number) {
    const [start, wanted] = [found.length, limit - found.length]
    const ranking = `${table} ${interval}` as const
    const before = known.rowsPerToken.get(ranking)
    const enough = before === undefined ? bound : Math.max(near, Math.ceil(MARGIN * wanted * before))
    if (enough < bound) {
      const read = yield* add("readRankingOfFew", table, enough)
      if (read < enough) return read
      found.length = start
    }
    const read = yield* add("readRankingOfFew", table, bound)
    // Where more rows are as much traded as the last one that is needed, the margin is not enough, whatever it is.
    const perToken = read / Math.max(1, found.length - start)
    known.rowsPerToken.set(ranking, Math.max(perToken, 2 * (before ?? 0)))
    return read
  })

  let [isSparse, left] = [known.sparse.has(interval), bounds.ranked]
  for (const table of ["trading_windows", "recorded_windows"] as const) {
    const before = found.length
    let read = isSparse ? 0 : yield* add("readRanking", table, near)
    // It may go on with tokens that are needed, or as much traded as the last of these.
    if (isSparse || read === near) {
      isSparse = true
      known.sparse.add(interval)
      const all = yield* ofScope(bounds.scope)
      if (all !== undefined) return all
      found.length = before
      read = yield* addFew(table, Math.max(near, left))
    }
    if (found.length === limit) return found
    // Of the near ones only those up to the last that was found are known to have been read.
    left -= Math.max(near, read)
  }
  return [...found, ...(yield* newest(sql, filter, found, limit - found.length, bounds.newest))]
})

/** The newest of the scope but those. */
const newest = Effect.fnUntraced(function* (
  sql: SqlClient,
  filter: TokenFilter,
  found: ReadonlyArray<string>,
  limit: number,
  bound: number,
) {
  // Of a launchpad an index has the active and the ended ones.
  const { active, launchpad, tag } = filter
  const isOfLaunchpad = launchpad !== undefined && active === undefined && tag === undefined
  const scopes = isOfLaunchpad ? (["true", "false"] as const).map((active) => ({ ...filter, active })) : [filter]
  const condition = sql`t.id <> all(${found}::uuid[])`
  const rows = yield* Effect.forEach(scopes, (scope) =>
    searchReads(sql, scope).walkScope({ condition, after: undefined, limit }, bound),
  )
  return rows
    .flat()
    .filter(({ matches }) => matches === true)
    .toSorted((left, right) => right.createdAt.getTime() - left.createdAt.getTime() || (left.id < right.id ? 1 : -1))
    .slice(0, limit)
    .map(({ id }) => id)
})
