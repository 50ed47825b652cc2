import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import type { Position } from "@launch-registry/http/answers/Cursor"
import type { FoundPosition, FoundTokens } from "./FoundTokens.ts"
import { planned } from "@launch-registry/postgres/KeysetPage"
import { tokensIn, type TokenScope } from "./ListTokens.ts"
import { RANK_MAX, searchRanks } from "./SearchRanks.ts"
import { tokensByIds } from "./TokensByIds.ts"

/** How many tokens a search reads. */
export interface SearchBounds {
  /** Newest tokens of the scope: a scope with no more is searched whole. */
  readonly newest: number
  /** What so many of these match, the term or a rank of it, is common: an index would have too many. */
  readonly common: number
  /** Candidates of an index, of which all are ranked. */
  readonly candidates: number
  /** Newest tokens that are compared for one rank of a common term, before the page ends early. */
  readonly far: number
}

const BOUNDS: SearchBounds = { newest: 1_000, common: 2, candidates: 2_000, far: 10_000 }

/** A match; the only row if there is none has no id. */
interface ReadRow extends Omit<FoundPosition, "id"> {
  readonly id: string | null
  /** Tokens that were read, at most one more than the bound, and how many of them have each rank. */
  readonly read: number
  readonly ofRank: ReadonlyArray<number>
}

/** A match of a rank, or the last token that was compared. */
interface WalkedRow extends Position {
  readonly nth: number
  readonly matches: boolean
}

/**
 * Tokens whose name, symbol or description contains `text`, case-insensitive, ranked as `SearchRanks` says; newest first within a rank.
 *
 * Of a scope with few tokens, and of a term that few tokens contain, all matches are ranked. Of any other term each rank is read in turn:
 * by its index if that has few candidates, otherwise among the newest tokens. There a page may end early, also before its offset is skipped.
 */
export const searchTokens = Effect.fnUntraced(function* (
  sql: SqlClient,
  text: string,
  scope: TokenScope,
  { after, limit, offset }: RowRange<FoundPosition>,
  bounds = BOUNDS,
) {
  const { conditions, table } = tokensIn(sql, scope)
  const ranks = searchRanks(sql, text)
  const [createdAt, id] = table.keys
  const [from, keys] = [sql.literal(table.from), sql.literal(`${createdAt}, ${id}`)]
  const newestFirst = sql.literal(`${createdAt} desc, ${id} desc`)
  const wanted = offset + limit

  const isAfter = ({ createdAt, id }: Position, columns: Fragment) => sql`(${columns}) < (${createdAt}, ${id}::uuid)`
  const followsStart = after
    ? sql`(rank > ${after.rank} or rank = ${after.rank} and ${isAfter(after, sql`created_at, id`)})`
    : sql`true`

  const countOfEach = sql.literal(
    Array.from({ length: RANK_MAX + 1 }, (_, rank) => `(count(*) filter (where rank = ${rank}))::int`).join(", "),
  )
  /** All matches among tokens, undefined if these are more than `bound`; and how many have each rank. */
  const readAll = Effect.fnUntraced(function* (source: Fragment, bound: number, wanted: number, isWanted: Fragment) {
    const rows = yield* planned(sql<ReadRow>`
      with tokens_read as materialized (
        select ${sql.literal(createdAt)} as created_at, ${sql.literal(id)} as id, ${ranks.rank} as rank ${source} limit ${bound + 1}
      )
      select counted.read, counted.of_rank, found.rank, found.created_at, found.id
      from (select count(*)::int as read, array[${countOfEach}] as of_rank from tokens_read) counted
      left join lateral (
        select * from tokens_read where counted.read <= ${bound}::int and ${isWanted} and ${followsStart}
        order by rank, created_at desc, id desc limit ${wanted}
      ) found on true
      order by found.rank, found.created_at desc, found.id desc`)
    const { ofRank, read } = rows[0]!
    const found = rows.flatMap(({ createdAt, id, rank }) => (id === null ? [] : [{ rank, createdAt, id }]))
    return { ofRank, found: read <= bound ? found : undefined }
  })
  const among = (candidate: Fragment) => sql`from ${from} where ${sql.and([...conditions, candidate])}`

  /** Matches of one rank among the newest tokens after a position; more may follow after `end`. */
  const walk = Effect.fnUntraced(function* (rank: number, start: Position | undefined, wanted: number) {
    const following = start === undefined ? conditions : [...conditions, isAfter(start, keys)]
    const rows = yield* planned(sql<WalkedRow>`
      select created_at, id, nth, matches from (
        select ${sql.literal(createdAt)} as created_at, ${sql.literal(id)} as id, (${ranks.rank} = ${rank}) is true as matches,
          (row_number() over (order by ${newestFirst}))::int as nth
        from ${from} where ${sql.and(following)} order by ${newestFirst} limit ${bounds.far}
      ) walked
      where matches or nth = ${bounds.far}::int order by created_at desc, id desc limit ${wanted}`)
    const found = rows.flatMap(({ createdAt, id, matches }) => (matches ? [{ rank, createdAt, id }] : []))
    const last = rows.at(-1)
    if (found.length === wanted || last === undefined || last.nth < bounds.far) return { found, end: undefined }
    return { found, end: { rank, createdAt: last.createdAt, id: last.id } }
  })

  const search = Effect.gen(function* () {
    const hasRank = sql`rank is not null`
    const newestOfScope = sql`from ${from} where ${sql.and(conditions)} order by ${newestFirst}`
    const newest = yield* readAll(newestOfScope, bounds.newest, wanted, hasRank)
    if (newest.found !== undefined) return { found: newest.found, end: undefined }
    const matches = newest.ofRank.reduce((sum, count) => sum + count)
    if (ranks.all !== undefined && matches < bounds.common) {
      const rare = yield* readAll(among(ranks.all), bounds.candidates, wanted, hasRank)
      if (rare.found !== undefined) return { found: rare.found, end: undefined }
    }
    const found: Array<FoundPosition> = []
    for (let rank = after?.rank ?? 0; rank <= RANK_MAX && found.length < wanted; rank++) {
      const left = wanted - found.length
      const candidate = newest.ofRank[rank]! < bounds.common ? ranks.each[rank] : undefined
      const isRank = sql`rank = ${rank}::int`
      const indexed = candidate && (yield* readAll(among(candidate), bounds.candidates, left, isRank)).found
      if (indexed === undefined) {
        const walked = yield* walk(rank, after?.rank === rank ? after : undefined, left)
        found.push(...walked.found)
        if (walked.end !== undefined) return { found, end: walked.end }
      } else found.push(...indexed)
    }
    return { found, end: undefined }
  })

  const { end, found } = yield* search
  const rows = yield* rowsOf(sql, found.slice(offset))
  // Where tokens were deleted meanwhile the page is short, and not the last one.
  const isCut = found.length >= wanted && rows.length < limit
  return { rows, end: isCut ? found.at(-1) : end, toSkip: Math.max(0, offset - found.length) } satisfies FoundTokens
})

/** The tokens at these positions; one that was deleted meanwhile is left out. */
const rowsOf = Effect.fnUntraced(function* (sql: SqlClient, found: ReadonlyArray<FoundPosition>) {
  if (found.length === 0) return []
  const rows = yield* tokensByIds(
    sql,
    found.map(({ id }) => id),
  )
  const byId = new Map(rows.map((row) => [row.id as string, row]))
  return found.flatMap(({ id, rank }) => {
    const row = byId.get(id)
    return row === undefined ? [] : [{ ...row, rank }]
  })
})
