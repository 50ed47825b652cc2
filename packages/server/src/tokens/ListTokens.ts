import type { TokenFilter } from "@launch-registry/domain/tokens/TokensApi"
import { endInstant, startInstant } from "@launch-registry/domain/time/Timestamp"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import { TOKEN_COLUMNS, type TokenRow } from "./TokenRow.ts"

/** Filters of a list of tokens, including those of single endpoints. */
export interface TokenScope extends TokenFilter {
  readonly owner?: string
  readonly mints?: ReadonlyArray<string>
}

/**
 * Tokens of a scope, newest first.
 *
 * A tag is looked up in `token_tags`, which also has the sort key and the other filter columns. On `tokens` the planner
 * would walk the newest rows until enough have the tag, and read the whole table if few do.
 */
export const listTokens = (sql: SqlClient, scope: TokenScope, { after, limit, offset }: RowRange) => {
  const columns = sql.literal(TOKEN_COLUMNS)
  const isTagged = scope.tag !== undefined
  const createdAt = sql.literal(isTagged ? "tt.created_at" : "t.created_at")
  const id = sql.literal(isTagged ? "tt.token_id" : "t.id")
  const source = isTagged ? sql`token_tags tt join tokens t on t.id = tt.token_id` : sql`tokens t`
  const keyset = after === undefined ? [] : [sql`(${createdAt}, ${id}) < (${after.createdAt}, ${after.id}::uuid)`]
  return sql<TokenRow>`
    select ${columns} from ${source}
    where ${sql.and([sql`t.deleted_at is null`, ...scopeConditions(sql, scope), ...keyset])}
    order by ${createdAt} desc, ${id} desc
    limit ${limit} offset ${offset}`
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
  if (scope.owner !== undefined) conditions.push(sql`t.owner = ${scope.owner}`)
  if (scope.mints !== undefined) conditions.push(sql`t.mint_address = any(${scope.mints}::text[])`)
  return conditions
}
