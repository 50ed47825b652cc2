import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * Matches any of the keys: `where id = ${anyKey(sql, ids, "uuid")}`.
 *
 * In a subquery, so that the planner does not see how many there are. It plans a prepared statement again for each execution
 * while plans for known parameters look cheaper than the one for all (`plan_cache_mode`), which they do for an array of a few
 * keys: planning takes several times as long as reading the rows. One plan does for any number of keys.
 */
export const anyKey = (sql: SqlClient, keys: ReadonlyArray<string>, type: "text" | "uuid"): Fragment =>
  sql`any(array(select unnest(${keys}::${sql.literal(type)}[])))`
