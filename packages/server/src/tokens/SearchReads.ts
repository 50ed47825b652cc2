import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Position } from "@launch-registry/http/answers/Cursor"
import type { FoundPosition } from "./FoundTokens.ts"
import { leadConditions } from "@launch-registry/postgres/IndexRanges"
import { scopeConditions, type TokenScope } from "./ListTokens.ts"
import type { SearchRank } from "./SearchRanks.ts"

/** Matches to find: those after a position, newest first. */
export interface Wanted {
  readonly condition: Fragment
  readonly after: Position | undefined
  readonly limit: number
}

/** A match, or the last row that was read. */
export interface WalkedRow extends Position {
  /** How many rows were read up to it. */
  readonly nth: number
  readonly matches: boolean | null
}

/** A match; the only row if nothing matches has no id. */
export interface CandidateRow {
  /** Rows of the index that were read. */
  readonly count: number
  readonly id: string | null
  readonly createdAt: Date
}

/** A match with its rank; the only row if nothing matches has no id. */
export interface RankedRow extends CandidateRow {
  readonly rank: number
}

/** Matches of all ranks after one, so many of them. */
export interface RankedRange {
  readonly after: FoundPosition | undefined
  readonly limit: number
}

/** What is asked of a token. */
const ASKED =
  "t.mint_address, t.name, t.symbol, t.description, t.owner, t.launchpad, t.active, t.tags, t.verified, t.deleted_at"

/** A column that all rows of a walk have the same value in, which leads the index that they are read by. */
interface Lead {
  readonly column: Fragment
  readonly order: string
  readonly value: Fragment
}

/**
 * Statements of a search. Each reads at most `bound` rows, in a subquery with a limit that the planner cannot look through, in an
 * order that one index has (`leadConditions`). So whatever the term, the statistics and the kind of plan, none reads the whole table.
 */
export const searchReads = (sql: SqlClient, { tag, ...untagged }: TokenScope) => {
  const { active, endDate, launchpad, owner, startDate, verified } = untagged
  const asked = sql.literal(ASKED)
  const dates = { ...(startDate !== undefined && { startDate }), ...(endDate !== undefined && { endDate }) }
  const asScope = [...scopeConditions(sql, untagged), ...(tag === undefined ? [] : [sql`${tag} = any(t.tags)`])]
  const inScope = [sql`t.deleted_at is null`, ...asScope]
  const isAfter = (after: Position | undefined, columns: string) =>
    after === undefined ? [] : [sql`(${sql.literal(columns)}) < (${after.createdAt}, ${after.id}::uuid)`]
  const lead = (name: string, value: string): Lead => ({
    column: sql.literal(name),
    order: "",
    value: sql`${value}::text`,
  })

  const walk = (tokens: Fragment, first: Lead | undefined, { condition, limit }: Wanted, bound: number) =>
    sql<WalkedRow>`
      select created_at, id, nth, matches from (
        select t.created_at, t.id, t.nth${sql.literal(first === undefined ? "" : ", t.lead")},
          ${sql.and([condition, ...inScope])} as matches
        from ${tokens} t
      ) walked
      where matches or nth = ${bound}::int
      order by ${sql.literal(first === undefined ? "" : `lead ${first.order}, `)}created_at desc, id desc
      limit ${limit}`

  /**
   * The first column that leads an index as `lead`, and the order by it, then newest first: to the planner that of the index, because it knows that the
   * other leads are constants. For an order by these, too, it would sort all rows.
   */
  const leading = (first: Lead | undefined, createdAt: string, id: string) => {
    const newest = sql.literal(`${createdAt} desc, ${id} desc`)
    return first === undefined
      ? { columns: [], order: newest }
      : { columns: [sql`${first.column} as lead`], order: sql`${first.column} ${sql.literal(first.order)}, ${newest}` }
  }

  /** The newest tokens of which an index leads with these columns. */
  const walkTokens = (leads: ReadonlyArray<Lead>, wanted: Wanted, bound: number) => {
    const { columns, order } = leading(leads[0], "t.created_at", "t.id")
    const within = [
      ...leadConditions(sql, leads),
      ...scopeConditions(sql, dates),
      ...isAfter(wanted.after, "t.created_at, t.id"),
    ]
    const tokens = sql`(
      select t.created_at, t.id, ${sql.csv([asked, ...columns])}, (row_number() over (order by ${order}))::int as nth
      from tokens t where ${sql.and([sql`t.deleted_at is null`, ...within])}
      order by ${order} limit ${bound})`
    return walk(tokens, leads[0], wanted, bound)
  }

  const walkTag = (tag: string, wanted: Wanted, bound: number) => {
    const leads = [lead("t.tag", tag)]
    const { columns, order } = leading(leads[0], "t.created_at", "t.token_id")
    const within = [
      ...leadConditions(sql, leads),
      ...scopeConditions(sql, dates),
      ...isAfter(wanted.after, "t.created_at, t.token_id"),
    ]
    // Without LATERAL the planner could read all tokens to join them.
    const tokens = sql`(
      select tagged.*, ${asked} from (
        select t.created_at, t.token_id as id, ${sql.csv(columns)}, (row_number() over (order by ${order}))::int as nth
        from token_tags t where ${sql.and(within)}
        order by ${order} limit ${bound}
      ) tagged left join lateral (select * from tokens t where t.id = tagged.id limit 1) t on true)`
    return walk(tokens, leads[0], wanted, bound)
  }

  const isVerified: Lead = { column: sql.literal("t.verified"), order: "", value: sql`true` }

  /** Ids of the newest tokens that lead with a column. */
  const idsBy = (narrow: Lead) => (limit: Fragment) =>
    sql`
    select t.id from tokens t where ${sql.and([sql`t.deleted_at is null`, ...leadConditions(sql, [narrow])])}
    order by ${narrow.column}, t.created_at desc, t.id desc limit ${limit}`
  const idsOfTag = (tag: string) => (limit: Fragment) =>
    sql`
    select t.token_id as id from token_tags t where ${sql.and(leadConditions(sql, [lead("t.tag", tag)]))}
    order by t.tag, t.created_at desc, t.token_id desc limit ${limit}`

  /** Ids of the tokens of each scope that is asked for: an owner, verified ones, a tag. */
  const scopes = [
    ...(owner === undefined ? [] : [idsBy(lead("t.owner", owner))]),
    ...(verified === "true" ? [idsBy(isVerified)] : []),
    ...(tag === undefined ? [] : [idsOfTag(tag)]),
  ]

  const ids = (at: number) => sql.literal(`ids${at}`)
  const countOf = (at: number) => sql`(select count from ${sql.literal(`counted${at}`)})`
  const last = scopes.length - 1

  /** Each scope, as far as it is narrower than those before it: so no count is higher than the one before. */
  const countedScopes = (bound: number) =>
    sql.csv(
      scopes.map((idsUpTo, at) => {
        const limit = at === 0 ? sql`${bound + 1}` : countOf(at - 1)
        return sql`${ids(at)} as materialized (${idsUpTo(limit)}),
      ${sql.literal(`counted${at}`)} as materialized (select count(*)::int as count from ${ids(at)})`
      }),
    )

  /** Ids of the narrowest scope: the first that has the last count. Those after it were not read to their end. */
  const narrowest = () =>
    scopes
      .map((_, at) => {
        const before = at === 0 ? [] : [sql`${countOf(at - 1)} > ${countOf(last)}`]
        const after = at === last ? [] : [sql`${countOf(at)} = ${countOf(last)}`]
        return sql`select id from ${ids(at)} where ${sql.and([...before, ...after])}`
      })
      .reduce((left, right) => sql`${left} union all ${right}`)

  const rankOf = (ranks: ReadonlyArray<SearchRank>) => {
    const cases = ranks.map(({ condition }, rank) => sql`when ${condition} then ${sql.literal(String(rank))}`)
    return sql`case ${cases.reduce((left, right) => sql`${left} ${right}`)} end`
  }
  const isRankedAfter = (after: FoundPosition | undefined) =>
    after === undefined
      ? sql`rank is not null`
      : sql`(rank > ${after.rank}::int or rank = ${after.rank}::int and ${sql.and(isAfter(after, "created_at, id"))})`

  return {
    /** The newest of an owner, else of verified ones, else of a tag, else by the index of the other filters. */
    walkScope: (wanted: Wanted, bound: number) => {
      if (owner !== undefined) return walkTokens([lead("t.owner", owner)], wanted, bound)
      if (verified === "true") return walkTokens([isVerified], wanted, bound)
      if (tag !== undefined) return walkTag(tag, wanted, bound)
      if (active === undefined) return walkTokens([], wanted, bound)
      const isActive: Lead = { column: sql`t.active`, order: "", value: sql`${active === "true"}::boolean` }
      const ofLaunchpad = launchpad === undefined ? [] : [lead("t.launchpad", launchpad)]
      return walkTokens([...ofLaunchpad, isActive], wanted, bound)
    },

    /** The newest with a symbol. */
    walkSymbol: (lower: string, wanted: Wanted, bound: number) => {
      const symbol: Lead = { column: sql`lower(t.symbol)`, order: "using ~<~", value: sql`${lower}::text` }
      return walkTokens([symbol], wanted, bound)
    },

    /**
     * All matches with their ranks, among the tokens of an owner, a tag, or verified ones: of those that are asked for, the one with the
     * fewest tokens. None if it has more than `bound` of them.
     */
    readScope: (ranks: ReadonlyArray<SearchRank>, { after, limit }: RankedRange, bound: number) => sql<RankedRow>`
      with ${countedScopes(bound)},
      counted as materialized (select ${countOf(last)} as count),
      ranked as materialized (
        select t.created_at, t.id, ${rankOf(ranks)} as rank
        from (${narrowest()}) ids cross join lateral (select * from tokens t where t.id = ids.id limit 1) t
        where (select count from counted) <= ${bound}::int and ${sql.and(inScope)}
      )
      select counted.count, found.rank, found.created_at, found.id
      from counted left join lateral (
        select rank, created_at, id from ranked where ${isRankedAfter(after)} order by rank, created_at desc, id desc limit ${limit}
      ) found on true
      order by found.rank, found.created_at desc, found.id desc`,

    /** All matches among the candidates of an index with their ranks, unless there are more than `bound`. */
    readRanked: (
      ranks: ReadonlyArray<SearchRank>,
      candidates: Fragment,
      { after, limit }: RankedRange,
      bound: number,
    ) => sql<RankedRow>`
      with candidates as materialized (
        select t.created_at, t.id, case when ${sql.and(inScope)} then ${rankOf(ranks)} end as rank
        from tokens t where t.deleted_at is null and ${candidates} limit ${bound + 1}
      )
      select counted.count, found.rank, found.created_at, found.id
      from (select count(*)::int as count from candidates) counted
      left join lateral (
        select rank, created_at, id from candidates where ${isRankedAfter(after)} and counted.count <= ${bound}::int
        order by rank, created_at desc, id desc limit ${limit}
      ) found on true
      order by found.rank, found.created_at desc, found.id desc`,

    /** All matches among the candidates of an index, unless there are more than `bound`. */
    readCandidates: (candidates: Fragment, { after, condition, limit }: Wanted, bound: number) => sql<CandidateRow>`
      with candidates as materialized (
        select t.created_at, t.id,
          ${sql.and([condition, ...asScope, ...isAfter(after, "t.created_at, t.id")])} as matches
        from tokens t where t.deleted_at is null and ${candidates} limit ${bound + 1}
      )
      select counted.count, found.created_at, found.id
      from (select count(*)::int as count from candidates) counted
      left join lateral (
        select created_at, id from candidates where matches and counted.count <= ${bound}::int
        order by created_at desc, id desc limit ${limit}
      ) found on true
      order by found.created_at desc, found.id desc`,
  }
}
