import type { TokenFilter } from "@launch-registry/domain/tokens/TokensApi"
import { endInstant, startInstant } from "@launch-registry/domain/time/Timestamp"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import { anyKey } from "@launch-registry/postgres/AnyKey"
import type { Lead, ListedTable } from "@launch-registry/postgres/IndexRanges"
import { type ListBounds, type Listed, listRows, type Way } from "@launch-registry/postgres/ListRows"
import { TOKEN_COLUMNS, type TokenRow } from "./TokenRow.ts"

/** Filters of a list of tokens, including those of single endpoints. */
export interface TokenScope extends TokenFilter {
  readonly owner?: string
  readonly mints?: ReadonlyArray<string>
}

const KEYS = [
  { column: "created_at", type: "timestamptz" },
  { column: "id", type: "uuid" },
] as const

const TOKENS: ListedTable = { from: "tokens t", keys: KEYS, leads: "asc" }

/** A tag is looked up in `token_tags`. Without LATERAL the planner could read all tokens to join them. */
const TAGGED: ListedTable = {
  from: "token_tags t",
  keys: [KEYS[0], { column: "token_id", type: "uuid" }],
  leads: "asc",
  join: "cross join lateral (select * from tokens t where t.id = k.key1 limit 1) t",
}

const isVerified = (sql: SqlClient, verified: string) => sql`t.verified = ${verified === "true"}`

const isListed = (sql: SqlClient) => sql`t.deleted_at is null`

/** Indexes that have tokens of a scope in their order, and what each leaves to compare. */
export const waysToTokens = (
  sql: SqlClient,
  { endDate, owner, startDate, tag, verified, ...facets }: TokenScope,
): ReadonlyArray<Way> => {
  const dates = scopeConditions(sql, { ...(startDate && { startDate }), ...(endDate && { endDate }) })
  const within = [isListed(sql), ...dates]
  const ofOwner = owner === undefined ? [] : [sql`t.owner = ${owner}`]
  const ofTag = tag === undefined ? [] : [sql`${tag} = any(t.tags)`]
  const ofFacets = scopeConditions(sql, facets)
  const ofVerified = verified === undefined ? [] : [isVerified(sql, verified)]
  const ways: Array<Way> = []
  if (owner !== undefined) {
    const leads = [{ column: "t.owner", type: "text", value: owner }]
    ways.push({ table: TOKENS, leads, within, left: [...ofTag, ...ofVerified, ...ofFacets] })
  }
  if (tag !== undefined) {
    const leads = [{ column: "t.tag", type: "text", value: tag }]
    ways.push({ table: TAGGED, leads, within: dates, left: [...ofOwner, ...ofVerified, ...ofFacets] })
  }
  if (verified !== undefined) {
    const leads = [{ column: "t.verified", type: "boolean", value: verified === "true" }]
    ways.push({ table: TOKENS, leads, within, left: [...ofOwner, ...ofTag, ...ofFacets] })
  }
  if (ofFacets.length > 0 || ways.length === 0)
    ways.push({ table: TOKENS, leads: leadsOf(facets), within, left: [...ofOwner, ...ofTag, ...ofVerified] })
  return ways
}

const leadsOf = ({ active, launchpad }: TokenScope): ReadonlyArray<Lead> => {
  const column = "t.active"
  const isActive: ReadonlyArray<Lead> =
    active === undefined ? [] : [{ column, type: "boolean", value: active === "true" }]
  if (launchpad === undefined) return isActive
  const either: Lead = { column, type: "boolean", each: ["true", "false"] }
  return [{ column: "t.launchpad", type: "text", value: launchpad }, ...(active === undefined ? [either] : isActive)]
}

/** Tokens of a scope, newest first. */
export const listTokens = (
  sql: SqlClient,
  { mints, ...scope }: TokenScope,
  { after, limit, offset }: RowRange,
  bounds?: ListBounds,
): Effect.Effect<Listed<TokenRow, Date>, SqlError> => {
  const keys = after === undefined ? undefined : ([after.createdAt, after.id] as const)
  if (mints === undefined)
    return listRows<TokenRow, Date>(
      sql,
      waysToTokens(sql, scope),
      TOKEN_COLUMNS,
      { limit, offset, after: keys },
      bounds,
    )
  const { tag, ...others } = scope
  const conditions = [
    ...scopeConditions(sql, others),
    ...(tag === undefined ? [] : [sql`${tag} = any(t.tags)`]),
    ...(keys === undefined ? [] : [sql`(t.created_at, t.id) < (${keys[0]}, ${keys[1]}::uuid)`]),
  ]
  // Materialized, or the planner could walk the newest tokens in the hope to find these.
  const rows = sql<TokenRow>`
    with asked as materialized (
      select * from tokens t where ${isListed(sql)} and t.mint_address = ${anyKey(sql, mints, "text")}
    )
    select ${sql.literal(TOKEN_COLUMNS)} from asked t where ${sql.and(conditions)}
    order by t.created_at desc, t.id desc limit ${limit} offset ${offset}`
  return Effect.map(rows, (rows) => ({ rows, end: undefined }))
}

/** Conditions of a scope on alias `t`, or on alias `tt` of `token_tags` where that has the column. */
export const scopeConditions = (sql: SqlClient, scope: TokenScope): ReadonlyArray<Fragment> => {
  const from = sql.literal(scope.tag === undefined ? "t" : "tt")
  const conditions: Array<Fragment> = []
  if (scope.tag !== undefined) conditions.push(sql`tt.tag = ${scope.tag}`)
  if (scope.launchpad !== undefined) conditions.push(sql`${from}.launchpad = ${scope.launchpad}`)
  if (scope.active !== undefined) conditions.push(sql`${from}.active = ${scope.active === "true"}`)
  if (scope.startDate !== undefined) conditions.push(sql`${from}.created_at >= ${startInstant(scope.startDate)}`)
  if (scope.endDate !== undefined) conditions.push(sql`${from}.created_at <= ${endInstant(scope.endDate)}`)
  if (scope.verified !== undefined) conditions.push(isVerified(sql, scope.verified))
  if (scope.owner !== undefined) conditions.push(sql`t.owner = ${scope.owner}`)
  return conditions
}
