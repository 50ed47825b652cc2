import type { TokenFilter } from "@launch-registry/domain/tokens/TokensApi"
import { endInstant, startInstant } from "@launch-registry/domain/time/Timestamp"
import type { SqlClient } from "effect/sql/SqlClient"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import { anyKey } from "@launch-registry/postgres/AnyKey"
import { keysetPage, type ListedTable } from "@launch-registry/postgres/KeysetPage"
import { TOKEN_COLUMNS, type TokenRow } from "./TokenRow.ts"

/** Filters of a list of tokens, including those of single endpoints. */
export interface TokenScope extends TokenFilter {
  readonly owner?: string
  readonly mints?: ReadonlyArray<string>
}

const TOKENS: ListedTable = { from: "tokens t", keys: ["t.created_at", "t.id"] }

/** The tokens of a tag, in the order of the index of tags. */
const TAGGED: ListedTable = {
  from: "token_tags g join tokens t on t.id = g.token_id",
  keys: ["g.created_at", "g.token_id"],
}

/** Where the tokens of a scope are read from, with alias `t`, and what has to hold of them. */
export const tokensIn = (sql: SqlClient, scope: TokenScope) => {
  const { active, endDate, launchpad, mints, owner, startDate, tag, verified } = scope
  const table = tag === undefined ? TOKENS : TAGGED
  const createdAt = sql.literal(table.keys[0])
  const conditions = [sql`t.deleted_at is null`]
  if (tag !== undefined) conditions.push(sql`g.tag = ${tag}`)
  if (owner !== undefined) conditions.push(sql`t.owner = ${owner}`)
  if (launchpad !== undefined) conditions.push(sql`t.launchpad = ${launchpad}`)
  if (active !== undefined) conditions.push(sql`t.active = ${active === "true"}`)
  if (verified !== undefined) conditions.push(sql`t.verified = ${verified === "true"}`)
  if (startDate !== undefined) conditions.push(sql`${createdAt} >= ${startInstant(startDate)}`)
  if (endDate !== undefined) conditions.push(sql`${createdAt} <= ${endInstant(endDate)}`)
  if (mints !== undefined) conditions.push(sql`t.mint_address = ${anyKey(sql, mints, "text")}`)
  return { table, conditions }
}

/** Tokens of a scope, newest first. */
export const listTokens = (sql: SqlClient, scope: TokenScope, { after, limit, offset }: RowRange) => {
  const { conditions, table } = tokensIn(sql, scope)
  const range = { limit, offset, after: after && ([after.createdAt, after.id] as const) }
  return keysetPage<TokenRow>(sql, table, TOKEN_COLUMNS, conditions, range)
}
