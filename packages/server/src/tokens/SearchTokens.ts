import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import { cursorOf, numberPart, type Position, timePart, uuidPart } from "@launch-registry/http/answers/Cursor"
import { type TokenScope, scopeConditions } from "./ListTokens.ts"
import { TOKEN_COLUMNS, type TokenRow } from "./TokenRow.ts"

/** Worst rank of a match, from 0; see {@link searchTokens}. */
const RANK_MAX = 3

/** Position of a token in search results. */
export interface FoundPosition extends Position {
  readonly rank: number
}

/** Cursors of a search; they depend on the term, which determines the ranks. */
export const foundFor = (term: string) => foundTokens("tokens found", term)

const foundTokens = cursorOf<FoundPosition>({ rank: numberPart(RANK_MAX), createdAt: timePart, id: uuidPart })

/** Sorts after every other character: upper end of a prefix range. */
const LAST_CHARACTER = "\u{10ffff}"

/**
 * Tokens whose name, symbol or description contains `term`, case-insensitive, ranked: 0 the symbol equals it, 1 the
 * symbol starts with it, 2 the name starts with it, 3 the rest; newest first within a rank.
 *
 * Each rank is a query with its own limit, so that a common term is served from the first ranks by index, and no rank
 * sorts more rows than it returns. Prefixes are ranges instead of patterns: the planner does not use the index for a
 * prepared pattern.
 */
export const searchTokens = (sql: SqlClient, term: string, scope: TokenScope, range: RowRange<FoundPosition>) => {
  const lower = sql`lower(${term}::text)`
  const startsWith = (column: Fragment) =>
    sql`(${column} ~>=~ ${lower} and ${column} ~<~ (${lower} || ${LAST_CHARACTER}))`
  const symbol = sql`lower(t.symbol)`
  const name = sql`lower(t.name)`
  const contains = sql`
    lower(t.symbol || e'\n' || t.name || e'\n' || t.description) like '%' || lower(${escapePattern(term)}::text) || '%'
    and (position(${lower} in ${symbol}) > 0 or position(${lower} in ${name}) > 0 or position(${lower} in lower(t.description)) > 0)`
  const ranks = [
    sql`${symbol} = ${lower}`,
    sql`${startsWith(symbol)} and ${symbol} <> ${lower}`,
    sql`${startsWith(name)} and not ${startsWith(symbol)}`,
    sql`${contains} and not ${startsWith(symbol)} and not ${startsWith(name)}`,
  ]
  const { after, limit, offset } = range
  const parts = ranks.flatMap((condition, rank) =>
    after !== undefined && rank < after.rank ? [] : [rankPart(sql, rank, condition, scope, range)],
  )
  const union = parts.reduce((left, right) => sql`${left} union all ${right}`)
  return sql<TokenRow & { readonly rank: number }>`
    select * from (${union}) ranked
    order by rank, created_at desc, id desc
    limit ${limit} offset ${offset}`
}

const rankPart = (
  sql: SqlClient,
  rank: number,
  condition: Fragment,
  scope: TokenScope,
  { after, limit, offset }: RowRange<FoundPosition>,
) => {
  const source = scope.tag === undefined ? sql`tokens t` : sql`token_tags tt join tokens t on t.id = tt.token_id`
  const keyset =
    after !== undefined && after.rank === rank
      ? [sql`(t.created_at, t.id) < (${after.createdAt}, ${after.id}::uuid)`]
      : []
  return sql`(
    select ${rank}::int as rank, ${sql.literal(TOKEN_COLUMNS)} from ${source}
    where ${sql.and([sql`t.deleted_at is null`, condition, ...scopeConditions(sql, scope), ...keyset])}
    order by t.created_at desc, t.id desc
    limit ${limit + offset})`
}

/** The term, escaped for a LIKE pattern. */
const escapePattern = (term: string): string => term.replace(/[\\%_]/g, "\\$&")
