import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { TOKEN_DETAILS_COLUMNS, type TokenDetailsRow } from "./TokenRow.ts"

/** Single tokens for which `which`, a condition on `tokens t`, holds. */
export const selectTokenDetails = (sql: SqlClient, which: Fragment) => sql<TokenDetailsRow>`
  select ${sql.literal(TOKEN_DETAILS_COLUMNS)} from tokens t left join token_dbc_configs c on c.token_id = t.id
  where ${which} and t.deleted_at is null`

export const selectTokenById = (sql: SqlClient, id: string) => selectTokenDetails(sql, sql`t.id = ${id}::uuid`)
