import { isAddress } from "@launch-registry/domain/solana/AddressText"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Worst rank of a match, from 0; see {@link searchRanks}. */
export const RANK_MAX = 3

/** Sorts after every other character: upper end of a prefix range. */
const LAST_CHARACTER = "\u{10ffff}"

/**
 * Matches of a term, as SQL on a token `t`. Ranks: 0 the symbol equals it, 1 the symbol starts with it, 2 the name starts with it,
 * 3 the rest. If the term is an address, rank 0 is the token of this mint, and a symbol that equals it starts with it.
 */
export interface SearchRanks {
  /** The rank of a token, null if it does not match. */
  readonly rank: Fragment
  /** What an index has of all matches; undefined if it would have to be read whole. */
  readonly all: Fragment | undefined
  /** What an index has of the matches of each rank but the last. */
  readonly each: ReadonlyArray<Fragment>
}

/** The lower case is PostgreSQL's, which may differ from that of JavaScript. */
export const searchRanks = (sql: SqlClient, text: string): SearchRanks => {
  const lower = sql`lower(${text}::text)`
  const symbol = sql`lower(t.symbol)`
  const name = sql`lower(t.name)`
  const whole = sql`lower(t.symbol || e'\n' || t.name || e'\n' || t.description)`
  // As a range: of a pattern that it does not know the planner does not use the index.
  const startsWith = (column: Fragment) =>
    sql`(${column} ~>=~ ${lower} and ${column} ~<~ (${lower} || ${LAST_CHARACTER}::text))`
  const isLike = (pattern: string) => sql`${whole} like lower(${`%${pattern}%`}::text)`
  const like = isLike(text.replace(/[\\%_]/g, "\\$&"))
  const isPart = (column: Fragment) => sql`strpos(${column}, ${lower}) > 0`
  const contains = text.includes("\n")
    ? sql`${like} and (${isPart(symbol)} or ${isPart(name)} or ${isPart(sql`lower(t.description)`)})`
    : like
  const isMint = isAddress(text)
  const equals = isMint ? sql`t.mint_address = ${text}` : sql`${symbol} = ${lower}`
  // Between words anything will do: the trigrams that words begin and end with are in too many tokens.
  const words = text.split(/[^a-z0-9]+/i).filter((word) => word !== "")
  // pg_trgm makes trigrams of what is beyond ASCII only as LC_CTYPE knows it.
  const texts = /[^\0-\x7f]/.test(text)
    ? sql`letters_beyond_ascii(${whole}) @> letters_beyond_ascii(${lower})`
    : /[a-z0-9]{3}/i.test(text)
      ? words.every((word) => word.length >= 3)
        ? isLike(words.join("%"))
        : like
      : undefined
  return {
    rank: sql`case when ${equals} then 0 when ${startsWith(symbol)} then 1 when ${startsWith(name)} then 2 when ${contains} then 3 end`,
    all: texts && (isMint ? sql`(${texts} or ${equals})` : texts),
    each: [equals, startsWith(symbol), startsWith(name)],
  }
}
