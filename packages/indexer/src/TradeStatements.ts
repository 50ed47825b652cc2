import type { SqlClient } from "effect/sql/SqlClient"
import type { TradeRow } from "./DatabaseChanges.ts"

/** SQL of `trades`: rows are only ever added, and identified by where in the chain they happened. */
export const tradeStatements = (sql: SqlClient) => ({
  insert: (rows: ReadonlyArray<TradeRow>) =>
    sql`insert into trades ${sql.insert(rows.map((row): Record<string, unknown> => row))} on conflict (signature, instruction, inner_instruction) do nothing`,

  deleteAbove: (slot: bigint) => sql`delete from trades where slot > ${slot}`,
})
