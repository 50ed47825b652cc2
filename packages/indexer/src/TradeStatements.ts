import type { Array } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { TradeRow } from "./DatabaseChanges.ts"

/** SQL of `trades`: rows are only ever added, and identified by where in the chain they happened. */
export const tradeStatements = (sql: SqlClient) => ({
  insert: (rows: Array.NonEmptyReadonlyArray<TradeRow>) =>
    sql`insert into trades ${sql.insert(rows)} on conflict (signature, instruction, inner_instruction) do nothing`,

  deleteAbove: (slot: bigint) => sql`delete from trades where slot > ${slot}`,
})
