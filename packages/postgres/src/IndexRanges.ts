import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** A table with a list in it, newest first by two columns that indexes of it end with. */
export interface ListedTable {
  /** With alias `t`. */
  readonly from: string
  readonly keys: readonly [ListKey, ListKey]
  /** The direction of the leading columns of an index whose keys are read newest first. */
  readonly leads: "asc" | "desc"
  /** Its indexes with leads have the first key alone: what has the same is sorted by the other one. */
  readonly hasTies?: true
  /** Joins what is listed as `t`, where the index is of another table, with alias `k`. */
  readonly join?: string
}

interface ListKey {
  readonly column: string
  readonly type: string
}

/** A column or expression of alias `t` that leads an index, and the value of it. */
interface OneValue {
  readonly column: string
  readonly type: string
  readonly value: Fragment | string | boolean
}

/** The same for each of these values; text is SQL. */
interface EachValue {
  readonly column: string
  readonly type: string
  readonly each: ReadonlyArray<string | Fragment>
}

export type Lead = OneValue | EachValue

/** A range of an index that has rows in the order of their list, or several ranges that are merged. */
export interface IndexRanges {
  readonly table: ListedTable
  /** In the order of the index. */
  readonly leads: ReadonlyArray<Lead>
  /** What else holds of alias `t`: the condition of the index, and bounds of its keys. */
  readonly within: ReadonlyArray<Fragment>
}

const isEach = (lead: Lead): lead is EachValue => "each" in lead

/** Whether rows come in the order of the list without being sorted. */
export const isOneRange = ({ leads }: IndexRanges): boolean => !leads.some(isEach)

/**
 * Conditions of the columns that lead an index, in their order, for rows that are read in the order of that index.
 *
 * Whatever the statistics and the kind of plan, it is the index that begins with the first of them: with a plain equality the
 * order would be that of other indexes too, and the planner could walk one of them and filter. The other columns have plain
 * equalities, because PostgreSQL before 17 takes an index for ordered only then.
 */
export const leadConditions = (
  sql: SqlClient,
  leads: ReadonlyArray<{ readonly column: Fragment; readonly value: Fragment }>,
): ReadonlyArray<Fragment> =>
  leads.map(({ column, value }, at) => (at === 0 ? sql`${column} = any(array[${value}])` : sql`${column} = ${value}`))

/**
 * The newest rows of an index, `limit` of them after `offset` others, see {@link leadConditions}. Of a limit that it cannot see the planner
 * expects a tenth of the rows; where it sees one above the rows it expects, or an offset, it could gather and sort them all.
 */
export const newestRows = (
  sql: SqlClient,
  { leads, table, within }: IndexRanges,
  columns: string,
  limit: number,
  offset = 0,
): Fragment => {
  const each = leads.filter(isEach)
  const valueOf = (lead: Lead) =>
    isEach(lead) ? sql.literal(`each${each.indexOf(lead)}.value`) : sql`${lead.value}::${sql.literal(lead.type)}`
  const areLeads = leadConditions(
    sql,
    leads.map((lead) => ({ column: sql.literal(lead.column), value: valueOf(lead) })),
  )
  const [first] = leads
  const keys = table.keys.map(({ column }) => `t.${column} desc`)
  const isTied = table.hasTies === true && first !== undefined
  const inIndex = [...(first === undefined ? [] : [`${first.column} ${table.leads}`]), ...keys.slice(0, isTied ? 1 : 2)]
  const range = (columns: string) => sql`
    select ${sql.literal(columns)} from ${sql.literal(table.from)}
    where ${sql.and([...areLeads, ...within])}
    order by ${sql.literal(inIndex.join(", "))}
    fetch first (select ${offset + limit}::int) rows ${sql.literal(isTied ? "with ties" : "only")}`
  if (each.length === 0 && offset === 0 && !isTied) return range(columns)
  const asSql = (value: string | Fragment) => (typeof value === "string" ? sql.literal(`(${value})`) : sql`(${value})`)
  const values = each.map(
    (lead, at) => sql`(values ${sql.csv(lead.each.map(asSql))}) ${sql.literal(`each${at} (value) cross join`)}`,
  )
  const isOrdered = first !== undefined && each.length === 0
  const order = [...(isOrdered ? [`t.range ${table.leads}`] : []), ...keys].join(", ")
  return sql`
    select ${sql.literal(columns)} from ${values.reduce((all, one) => sql`${all} ${one}`, sql``)}
    lateral (${range(isOrdered ? `t.*, ${first.column} as range` : "t.*")}) t
    order by ${sql.literal(order)} limit ${limit} offset ${offset}`
}
