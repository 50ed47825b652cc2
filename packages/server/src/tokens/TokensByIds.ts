import { anyKey } from "@launch-registry/postgres/AnyKey"
import type { SqlClient } from "effect/sql/SqlClient"
import { TOKEN_COLUMNS, type TokenRow } from "./TokenRow.ts"

/** The tokens with these ids, in any order; one that was deleted is left out. */
export const tokensByIds = (sql: SqlClient, ids: ReadonlyArray<string>) => sql<TokenRow>`
  select ${sql.literal(TOKEN_COLUMNS)} from tokens t where t.id = ${anyKey(sql, ids, "uuid")} and t.deleted_at is null`
