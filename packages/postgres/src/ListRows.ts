import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { type IndexRanges, isOneRange, type ListedTable, newestRows } from "./IndexRanges.ts"

/** The keys of a row. */
export type RowKeys<K> = readonly [K, string]

/** A way to the rows of a list: an index, and the filters that it leaves to compare with alias `t`. */
export interface Way extends IndexRanges {
  readonly left: ReadonlyArray<Fragment>
}

/** `limit` rows after a row, or after skipping `offset` rows. */
export interface ListRange<K> {
  readonly limit: number
  readonly offset: number
  readonly after: RowKeys<K> | undefined
}

/** Rows of a list; if they are fewer than asked for, more may follow after `end`. */
export interface Listed<Row, K> {
  readonly rows: ReadonlyArray<Row>
  readonly end: RowKeys<K> | undefined
  /** Rows of the offset that are still to be skipped after `end`. */
  readonly toSkip?: number
}

/** How many rows are read where an index leaves filters to compare. */
export interface ListBounds {
  /** Rows that are compared at first, and how many more for each row of the page. */
  readonly near: number
  readonly nearPerRow: number
  /** Ranges of up to so many rows are read to their end. */
  readonly few: number
  /** Rows of a longer range that are compared before the page ends early. */
  readonly far: number
  /** How often so many rows are compared to skip an offset before the page ends early; each way as often as the others. */
  readonly skipWalks: number
}

const BOUNDS: ListBounds = { near: 1_000, nearPerRow: 10, few: 2_000, far: 10_000, skipWalks: 5 }

interface Walked<K> {
  readonly key0: K
  readonly key1: string
  readonly nth: number
  readonly matches: boolean
  readonly lead?: unknown
}

/**
 * A page of a list with filters. Where one of its ways leaves no filter, it is read from there. Otherwise its ways are walked,
 * the one that is likely to be the narrowest first, which fills the page unless few rows match; then the narrowest is read to its
 * end. If all are long, they are walked further, and the page may end early, also before its offset is skipped: so its work does
 * not grow with the table. One of them has one range.
 */
export const listRows = Effect.fnUntraced(function* <Row extends object, K extends Date | bigint>(
  sql: SqlClient,
  ways: ReadonlyArray<Way>,
  columns: string,
  { after, limit, offset }: ListRange<K>,
  bounds = BOUNDS,
): Effect.fn.Return<Listed<Row, K>, SqlError> {
  const whole = ways.find(({ left }) => left.length === 0)
  if (whole !== undefined)
    return { rows: yield* sql<Row>`${allOf(sql, after, whole, columns, limit, offset)}`, end: undefined }
  let start = after
  let toSkip = offset
  for (let walks = 0; toSkip > 0; walks += ways.filter(isOneRange).length) {
    if (walks >= bounds.skipWalks) return { rows: [], end: start, toSkip }
    const { end, rows } = yield* walkWays<object, K>(sql, ways, undefined, start, toSkip, bounds)
    toSkip -= rows.length
    start = toSkip === 0 ? rows.at(-1)!.keys : end
    if (start === undefined) return { rows: [], end: undefined }
  }
  const { end, rows } = yield* walkWays<Row, K>(sql, ways, columns, start, limit, bounds)
  return { rows: rows.map(({ row }) => row), end }
})

/** A way from a position on. */
const following = <K>(sql: SqlClient, way: Way, after: RowKeys<K> | undefined): Way => {
  if (after === undefined) return way
  const [first, second] = way.table.keys
  const isAfter = sql`(${sql.literal(columnsOf(way.table))}) < (${after[0]}::${sql.literal(first.type)}, ${after[1]}::${sql.literal(second.type)})`
  return { ...way, within: [...way.within, isAfter] }
}

/**
 * Ways after a position, each from where the others have begun: what matches all is not newer than the newest row of any. So
 * where matches are old, they are not looked for among the newest rows. Those of one range show where they begin. What they show
 * follows the position already.
 */
const beginning = <K>(sql: SqlClient, ways: ReadonlyArray<Way>, after: RowKeys<K> | undefined): ReadonlyArray<Way> => {
  const rest = ways.map((way) => following(sql, way, after))
  return rest.map((way, at) => {
    const newest = rest.flatMap((other, index) => {
      if (index === at || !isOneRange(other)) return []
      return [sql`(${newestRows(sql, other, keysOf(other.table), 1)})`]
    })
    if (newest.length === 0) return way
    const oldest = sql`select key0, key1 from (${newest.reduce((left, right) => sql`${left} union all ${right}`)}) t order by key0, key1 limit 1`
    return { ...way, within: [...ways[at]!.within, sql`(${sql.literal(columnsOf(way.table))}) <= (${oldest})`] }
  })
}

const columnsOf = ({ keys: [first, second] }: ListedTable) => `t.${first.column}, t.${second.column}`

const keysOf = ({ keys: [first, second] }: ListedTable) => `t.${first.column} as key0, t.${second.column} as key1`

const allOf = <K>(
  sql: SqlClient,
  after: RowKeys<K> | undefined,
  way: Way,
  columns: string,
  limit: number,
  offset: number,
) => {
  const { table } = way
  const rest = following(sql, way, after)
  return table.join === undefined
    ? newestRows(sql, rest, columns, limit, offset)
    : sql`
        select ${sql.literal(columns)} from (${newestRows(sql, rest, keysOf(table), limit, offset)}) k
        ${sql.literal(table.join)} order by k.key0 desc, k.key1 desc`
}

interface Match<Row, K> {
  readonly row: Row
  readonly keys: RowKeys<K>
}

interface Matches<Row, K> {
  readonly rows: ReadonlyArray<Match<Row, K>>
  readonly end: RowKeys<K> | undefined
}

const walkWays = Effect.fnUntraced(function* <Row extends object, K extends Date | bigint>(
  sql: SqlClient,
  ways: ReadonlyArray<Way>,
  columns: string | undefined,
  after: RowKeys<K> | undefined,
  limit: number,
  bounds: ListBounds,
): Effect.fn.Return<Matches<Row, K>, SqlError> {
  const rest = beginning(sql, ways, after)
  const walk = Effect.fnUntraced(function* (way: Way, bound: number): Effect.fn.Return<Matches<Row, K>, SqlError> {
    const walked = yield* sql<Row & Walked<K>>`${walkOf(sql, way, columns, limit, bound)}`
    const rows = walked.flatMap(({ key0, key1, lead: _lead, matches, nth: _nth, ...row }) =>
      matches ? [{ row: row as unknown as Row, keys: [key0, key1] as const }] : [],
    )
    const last = walked.at(-1)
    const isCut = rows.length < limit && last?.nth === bound
    return { rows, end: isCut ? [last.key0, last.key1] : undefined }
  })
  const ordered = rest.filter(isOneRange)
  let furthest: Matches<Row, K> | undefined
  /** The first way that has a page, or no more rows. */
  const walkEach = Effect.fnUntraced(function* (bound: number) {
    for (const way of ordered) {
      const matches = yield* walk(way, bound)
      if (matches.end === undefined) return matches
      if (furthest === undefined || isBefore(matches.end, furthest.end!)) furthest = matches
    }
    return undefined
  })
  const nearBound = Math.min(bounds.far, bounds.near + bounds.nearPerRow * limit)
  const near = yield* walkEach(nearBound)
  if (near !== undefined) return near
  const counts = rest.map((way) => sql`(select count(*)::int from (${newestRows(sql, way, "1", bounds.few + 1)}) t)`)
  const [counted] = yield* sql<{ readonly counts: ReadonlyArray<number> }>`
    select array[${counts.reduce((left, right) => sql`${left}, ${right}`)}] as counts`
  const fewest = Math.min(...counted!.counts)
  if (fewest <= bounds.few) return yield* walk(rest[counted!.counts.indexOf(fewest)]!, bounds.few + 1)
  return (nearBound === bounds.far ? undefined : yield* walkEach(bounds.far)) ?? furthest!
})

const isBefore = <K extends Date | bigint>([left, leftId]: RowKeys<K>, [right, rightId]: RowKeys<K>): boolean =>
  left < right || (!(right < left) && leftId < rightId)

/** Matches among the newest `bound` rows of a way, and the last of these rows. */
const walkOf = (sql: SqlClient, way: Way, columns: string | undefined, limit: number, bound: number) => {
  const { leads, left, table } = way
  const [lead] = isOneRange(way) ? leads : []
  const order = sql.literal(
    [...(lead === undefined ? [] : [`lead ${table.leads}`]), "key0 desc", "key1 desc"].join(", "),
  )
  const keys = `t.*, ${keysOf(table)}${lead === undefined ? "" : `, ${lead.column} as lead`}`
  const source = sql.literal(table.join === undefined ? "t" : `k ${table.join}`)
  const shown = [
    "key0",
    "key1",
    "nth",
    ...(lead === undefined ? [] : ["lead"]),
    ...(columns === undefined ? [] : [columns]),
  ]
  return sql`
    select * from (
      select ${sql.literal(shown.join(", "))}, ${sql.and(left)} as matches
      from (
        select t.*, (row_number() over (order by ${order}))::int as nth
        from (${newestRows(sql, way, keys, bound)}) t
      ) ${source}
    ) walked
    where matches or nth = ${bound}::int
    order by ${order} limit ${limit}`
}
