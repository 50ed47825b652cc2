import { isAddress } from "@launch-registry/solana/AddressText"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Worst rank of a match, from 0; see {@link searchRanks}. */
export const RANK_MAX = 3

/** Sorts after every other character: upper end of a prefix range. */
const LAST_CHARACTER = "\u{10ffff}"

/** A term as PostgreSQL sees it: its lower case and its letters may differ from those of JavaScript. */
export interface SearchTerm {
  readonly text: string
  readonly lower: string
  /** Whether the database makes a trigram of it that every text has which contains it; without, that index would be read whole. */
  readonly hasTrigram: boolean
  /** What the index of letters has of every text that contains the term; empty if that depends on the text. */
  readonly letters: ReadonlyArray<string>
  /** Its characters beyond ASCII, alone and by twos: what the index of these has of every text that contains the term. */
  readonly beyondAscii: ReadonlyArray<string>
}

/** Matches of one rank, as conditions on a token `t`. */
export interface SearchRank {
  readonly condition: Fragment
  /**
   * How an index finds tokens among which all matches are: the one of a mint, those of a symbol with the newest first, those with a
   * prefix, those with the letters of the term or its characters beyond ASCII, or those with its trigrams.
   */
  readonly by: "mint" | "symbol" | "prefix" | "letters" | "trigrams"
  /** What is asked of indexes, one after another until one has few candidates; empty if none would find them. */
  readonly candidates: ReadonlyArray<Fragment>
}

/**
 * Ranks of the matches of a term: 0 the symbol equals it, 1 the symbol starts with it, 2 the name starts with it, 3 the rest. If
 * the term is an address, rank 0 is the token of this mint, and a symbol that equals it starts with it.
 *
 * Prefixes are ranges instead of patterns: the planner does not use the index for a prepared pattern.
 */
export const searchRanks = (
  sql: SqlClient,
  { beyondAscii, hasTrigram, letters, lower, text }: SearchTerm,
): ReadonlyArray<SearchRank> => {
  const symbol = sql`lower(t.symbol)`
  const name = sql`lower(t.name)`
  const startsWith = (column: Fragment) => sql`(${column} ~>=~ ${lower} and ${column} ~<~ ${lower + LAST_CHARACTER})`
  // Ordered by its index, so that no other one will do.
  const withPrefix = (column: Fragment) => sql`${startsWith(column)} order by ${column} using ~<~`
  const whole = sql`lower(t.symbol || e'\n' || t.name || e'\n' || t.description)`
  const like = (pattern: string) => sql`${whole} like ${pattern}`
  const containsTerm = like(`%${escapePattern(lower)}%`)
  const contains = lower.includes("\n")
    ? sql`(${containsTerm} and (strpos(${symbol}, ${lower}) > 0 or strpos(${name}, ${lower}) > 0 or strpos(lower(t.description), ${lower}) > 0))`
    : containsTerm
  const isMint = isAddress(text)
  const equals = isMint ? sql`t.mint_address = ${text}` : sql`${symbol} = ${lower}`
  const beyond = beyondAscii.length === 0 ? [] : [sql`letters_beyond_ascii(${whole}) @> ${beyondAscii}::text[]`]
  const trigrams = hasTrigram ? [like(candidatePattern(lower))] : []
  const rest =
    letters.length > 0
      ? { by: "letters" as const, candidates: [sql`letters_in_a_row(${whole}) @> ${letters}::text[]`] }
      : { by: beyond.length > 0 ? ("letters" as const) : ("trigrams" as const), candidates: [...beyond, ...trigrams] }
  return [
    { by: isMint ? "mint" : "symbol", condition: equals, candidates: [equals] },
    { by: "prefix", condition: sql`${startsWith(symbol)} and not ${equals}`, candidates: [withPrefix(symbol)] },
    {
      ...{ by: "prefix", candidates: [withPrefix(name)] },
      condition: sql`${startsWith(name)} and not ${startsWith(symbol)} and not ${equals}`,
    },
    {
      ...rest,
      condition: sql`${contains} and not ${startsWith(symbol)} and not ${startsWith(name)} and not ${equals}`,
    },
  ]
}

/**
 * A LIKE pattern that all texts match which contain the term. Between words it accepts anything: the trigrams that words begin and
 * end with are in too many tokens to be worth a look at their lists. A word of one or two letters has no other ones.
 */
const candidatePattern = (term: string): string => {
  const words = term.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "")
  const isLong = words.length > 0 && words.every((word) => word.length >= 3)
  return `%${isLong ? words.join("%") : escapePattern(term)}%`
}

/** The term, escaped for a LIKE pattern. */
const escapePattern = (term: string): string => term.replace(/[\\%_]/g, "\\$&")
