import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import type { Position } from "@launch-registry/http/answers/Cursor"
import type { FoundPosition, FoundTokens } from "./FoundTokens.ts"
import { type KnownScope, KnownScopes } from "./KnownScopes.ts"
import type { TokenScope } from "./ListTokens.ts"
import { type SearchRank, searchRanks, type SearchTerm } from "./SearchRanks.ts"
import { type CandidateRow, searchReads, type WalkedRow } from "./SearchReads.ts"
import { tokensByIds } from "./TokensByIds.ts"

/** How many tokens a search reads. */
export interface SearchBounds {
  /** Tokens of an owner or a tag, or verified ones, that are all looked at, instead of what follows: of those with the fewest. */
  readonly scope: number
  /** Newest tokens that are looked at before an index is asked, and how many more for each row of the page. */
  readonly near: number
  readonly nearPerRow: number
  /** Candidates of an index that are read and sorted. A term with more is common. */
  readonly candidates: number
  /** Newest tokens that are looked at for a common term, before the search ends early. */
  readonly far: number
  /** How many more times so many are looked at to skip an offset, over all ranks, before the search ends early. */
  readonly skipWalks: number
  /** Newest tokens that are looked at to tell a term that hardly any token contains, before the index of letters is asked for all. */
  readonly probe: number
  /** Candidates of that index that are all ranked at once. */
  readonly ranked: number
  /** Time for the candidates of an index of texts: how many there are is not known before all were compared. */
  readonly textsMillis: number
}

const BOUNDS: SearchBounds = {
  ...{ scope: 2_000, near: 1_000, nearPerRow: 10, candidates: 3_000, far: 10_000, skipWalks: 5 },
  ...{ probe: 300, ranked: 1_000, textsMillis: 250 },
}

/**
 * Tokens whose name, symbol or description contains `text`, case-insensitive, ranked as {@link searchRanks} says; newest first
 * within a rank.
 *
 * A rank is searched only if those before it do not fill the page. Of a common term the newest tokens have enough matches; of
 * any other term an index has few candidates, which are all read. Where neither holds (many tokens match, but hardly any of
 * the newest), the search ends early and the next page goes on, with the offset too. So the work of a page does not grow with
 * the registry.
 */
export const searchTokens = (
  sql: SqlClient,
  text: string,
  scope: TokenScope,
  range: RowRange<FoundPosition>,
  scopes = new KnownScopes(),
  bounds = BOUNDS,
) => sql.withTransaction(search(sql, text, scope, range, scopes, bounds))

const search = Effect.fnUntraced(function* (
  sql: SqlClient,
  text: string,
  scope: TokenScope,
  { after, limit, offset }: RowRange<FoundPosition>,
  scopes: KnownScopes,
  bounds: SearchBounds,
) {
  const term = yield* beginSearch(sql, text)
  const ranks = searchRanks(sql, term)
  const one: Search = { sql, bounds, term, ranks, reads: searchReads(sql, scope), skipWalks: bounds.skipWalks }
  const wanted = { after, limit: offset + limit }
  const isOfSome = scope.owner !== undefined || scope.tag !== undefined || scope.verified === "true"
  const known = isOfSome ? scopes.of(scope, yield* Clock.currentTimeMillis) : undefined
  const whole = known && (yield* ofScope(one, known, wanted))
  const { end, found } = whole ?? (yield* byRank(one, wanted, offset))
  const rows = yield* rowsOf(sql, found.slice(offset))
  // Where tokens were deleted meanwhile the page is short, and not the last one.
  const isCut = found.length >= wanted.limit && rows.length < limit
  const toSkip = Math.max(0, offset - found.length)
  return { rows, end: isCut ? found.at(-1) : end, toSkip } satisfies FoundTokens
})

interface Search {
  readonly sql: SqlClient
  readonly bounds: SearchBounds
  readonly term: SearchTerm
  readonly ranks: ReadonlyArray<SearchRank>
  readonly reads: ReturnType<typeof searchReads>
  /** Walks that are left to skip an offset. */
  skipWalks: number
}

/** Matches after a position, so many of them. */
interface Range<P> {
  readonly after: P | undefined
  readonly limit: number
}

/** Positions of matches; more may follow after `end`. */
interface Matches<P> {
  readonly found: ReadonlyArray<P>
  readonly end: P | undefined
}

/** All matches if an owner, a tag or verified ones are asked for and one of these has few tokens; undefined for any other. */
const ofScope = Effect.fnUntraced(function* (
  { bounds, ranks, reads }: Search,
  known: KnownScope,
  range: Range<FoundPosition>,
) {
  if (known.moreThan >= bounds.scope) return undefined
  const rows = yield* reads.readScope(ranks, range, bounds.scope)
  if (rows[0]!.count <= bounds.scope)
    return { found: positionsOf(rows), end: undefined } satisfies Matches<FoundPosition>
  known.moreThan = bounds.scope
  return undefined
})

/** Matches of one rank after the other. */
const byRank = Effect.fnUntraced(function* (search: Search, { after, limit }: Range<FoundPosition>, offset: number) {
  const found: Array<FoundPosition> = []
  let end: FoundPosition | undefined
  let isTried = false
  for (let rank = after?.rank ?? 0; rank < search.ranks.length && found.length < limit && end === undefined; rank++) {
    if (rank > 0 && found.length === 0 && !isTried) {
      isTried = true
      const all = yield* ofRareTerm(search, { after, limit })
      if (all !== undefined) return all
    }
    const range = { after: after?.rank === rank ? after : undefined, limit: limit - found.length }
    const matches = yield* ofRank(search, search.ranks[rank]!, range, offset - found.length)
    for (const { createdAt, id } of matches.found) found.push({ rank, createdAt, id })
    if (matches.end !== undefined) end = { rank, createdAt: matches.end.createdAt, id: matches.end.id }
  }
  return { found, end } satisfies Matches<FoundPosition>
})

/** All matches of a term that hardly any token contains; undefined for any other, or if its letters do not tell. */
const ofRareTerm = Effect.fnUntraced(function* ({ bounds, ranks, reads, sql }: Search, range: Range<FoundPosition>) {
  const { by, candidates, condition } = ranks.at(-1)!
  if (by !== "letters") return undefined
  const newest = yield* reads.walkScope({ condition, after: undefined, limit: 2 }, bounds.probe)
  if (newest.filter(({ matches }) => matches === true).length > 1) return undefined
  const rows = yield* inTime(sql, reads.readRanked(ranks, candidates[0]!, range, bounds.ranked), bounds.textsMillis)
  if (rows.length === 0 || rows[0]!.count > bounds.ranked) return undefined
  return { found: positionsOf(rows), end: undefined } satisfies Matches<FoundPosition>
})

/**
 * The term, and settings of the transaction. The planner would gather and sort all rows that it believes to be few, where an index
 * has them in order.
 */
export const beginSearch = (sql: SqlClient, text: string) =>
  Effect.map(
    sql<Omit<SearchTerm, "text">>`
      select lower(${text}::text) as lower,
        -- What a letter is to pg_trgm, LC_CTYPE says, and no other function asks it alone.
        coalesce((select string_agg(case when show_trgm(letter) = '{}' then ' ' else 'a' end, '' order by place)
          from string_to_table(lower(${text}::text), null) with ordinality letters (letter, place)) like '%aaa%', false) as has_trigram,
        array(select piece from unnest(letters_beyond_ascii(lower(${text}::text))) piece
          group by piece order by length(piece) desc limit 16) as beyond_ascii,
        -- A word of one or two letters may be the end, or the beginning, of a longer one.
        array(select distinct unnest(letters_in_a_row(regexp_replace(regexp_replace(lower(${text}::text),
          '^[[:alnum:]]{1,2}(?![[:alnum:]])', ''), '(?<![[:alnum:]])[[:alnum:]]{1,2}$', ''))) limit 16) as letters,
        set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true), set_config('jit', 'off', true),
        set_config('plan_cache_mode', 'force_generic_plan', true)`,
    ([term]): SearchTerm => {
      const { beyondAscii, hasTrigram, letters, lower } = term!
      return { text, lower, hasTrigram, letters, beyondAscii }
    },
  )

/** Matches of a rank; more may follow after `end`, which are sought until there are `atLeast` so many or no walks left. */
const ofRank = Effect.fnUntraced(function* (
  search: Search,
  { by, candidates, condition }: SearchRank,
  { after, limit }: Range<Position>,
  atLeast: number,
) {
  const { bounds, ranks, reads, sql, term } = search
  const found: Array<Position> = []
  let end = after
  const left = () => ({ condition, after: end, limit: limit - found.length })
  /** Whether nothing is left to find after these rows. */
  const isLast = (rows: ReadonlyArray<WalkedRow>, bound: number): boolean => {
    for (const row of rows) if (row.matches === true) found.push(row)
    end = rows.at(-1)?.nth === bound ? rows.at(-1) : undefined
    return found.length >= limit || end === undefined
  }

  const near = Math.min(bounds.far, bounds.near + bounds.nearPerRow * limit)
  // What contains the address of a mint is rare, and a symbol has an index in this order.
  const isNear = by !== "symbol" && ranks[0]!.by !== "mint"
  if (isNear && isLast(yield* reads.walkScope(left(), near), near)) return { found, end: undefined }
  for (const few of by === "symbol" ? [] : candidates) {
    const read = reads.readCandidates(few, { condition, after, limit }, bounds.candidates)
    const rows = yield* by === "letters" || by === "trigrams" ? inTime(sql, read, bounds.textsMillis) : read
    if (rows.length > 0 && rows[0]!.count <= bounds.candidates) return { found: positionsOf(rows), end: undefined }
  }
  do {
    const walk =
      by === "symbol" ? reads.walkSymbol(term.lower, left(), bounds.far) : reads.walkScope(left(), bounds.far)
    if (isLast(yield* walk, bounds.far)) return { found, end: undefined }
  } while (found.length < atLeast && search.skipWalks-- > 0)
  return { found, end } satisfies Matches<Position>
})

const positionsOf = <Row extends CandidateRow>(rows: ReadonlyArray<Row>) =>
  rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ ...row, id }]))

/** The candidates of an index of texts, or none if there is no time to compare them. It can only be scanned to a bitmap. */
const inTime = Effect.fnUntraced(function* <Row>(sql: SqlClient, read: Statement<Row>, millis: number) {
  yield* sql`savepoint before_texts`
  yield* sql`
    select set_config('enable_bitmapscan', 'on', true), set_config('enable_indexscan', 'off', true),
      set_config('enable_indexonlyscan', 'off', true), set_config('statement_timeout', ${String(millis)}, true)`
  const rows = yield* Effect.catchIf(read, isTimeout, () => Effect.succeed([]))
  // The settings too are as they were.
  yield* sql`rollback to savepoint before_texts`
  return rows
})

const isTimeout = (error: unknown): boolean => isSqlError(error) && error.reason._tag === "StatementTimeoutError"

/** The tokens at these positions; one that was deleted meanwhile is left out. */
const rowsOf = Effect.fnUntraced(function* (sql: SqlClient, found: ReadonlyArray<FoundPosition>) {
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  const rows = yield* tokensByIds(sql, ids)
  const byId = new Map(rows.map((row) => [row.id as string, row]))
  return found.flatMap(({ id, rank }) => {
    const row = byId.get(id)
    return row === undefined ? [] : [{ ...row, rank }]
  })
})
