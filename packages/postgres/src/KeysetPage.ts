import type { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment, Statement } from "effect/sql/Statement"

/** What a list is read from, and the two columns that it is ordered by, newest first. */
export interface ListedTable {
  readonly from: string
  readonly keys: readonly [string, string]
}

/** `limit` rows after the row with these keys, or after skipping `offset` rows. */
export interface KeysetRange {
  readonly limit: number
  readonly offset: number
  readonly after: readonly [Date | bigint | Fragment, string] | undefined
}

/**
 * Rows of a statement that is planned for its values: one plan for all of them would read what belongs to a large user as what belongs to
 * a small one, and PostgreSQL may prefer it.
 */
export const planned = <Row>(statement: Statement<Row>): Effect.Effect<ReadonlyArray<Row>, SqlError> =>
  statement.unprepared

/** A page of the rows that meet all conditions. An index that begins with the column of a condition and goes on with the keys has them in order. */
export const keysetPage = <Row extends object>(...page: Parameters<typeof keysetRows>) =>
  planned(keysetRows<Row>(...page))

/** The same as a part of a statement. */
export const keysetRows = <Row extends object>(
  sql: SqlClient,
  { from, keys: [first, second] }: ListedTable,
  columns: string,
  conditions: ReadonlyArray<Fragment>,
  { after, limit, offset }: KeysetRange,
) => {
  const keys = sql.literal(`(${first}, ${second})`)
  const isAfter = after === undefined ? [] : [sql`${keys} < (${after[0]}, ${after[1]})`]
  return sql<Row>`
    select ${sql.literal(columns)} from ${sql.literal(from)} where ${sql.and([...conditions, ...isAfter])}
    order by ${sql.literal(`${first} desc, ${second} desc`)} limit ${limit} offset ${offset}`
}
