import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

interface Column {
  readonly type: string
  readonly isNullable: boolean
  readonly hasDefault: boolean
}

/** What statements of a version rely on. */
interface SchemaFacts {
  readonly tables: ReadonlySet<string>
  /** By `table.column`. */
  readonly columns: ReadonlyMap<string, Column>
  /** Columns by `table.name`. */
  readonly constraints: ReadonlyMap<string, ReadonlyArray<string>>
  readonly uniqueIndexes: ReadonlySet<string>
}

const names = (rows: ReadonlyArray<{ readonly name: string }>) => new Set(rows.map(({ name }) => name))

export const schemaFacts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const columns = yield* sql<Column & { readonly tableName: string; readonly name: string }>`
    select c.relname as table_name, c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      not a.attnotnull as is_nullable, (a.atthasdef or a.attidentity <> '') as has_default
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped`
  // Primary and unique keys come with an index.
  const constraints = yield* sql<{ readonly name: string; readonly columns: ReadonlyArray<string> }>`
    select conrelid::regclass || '.' || conname as name, array(
      select conrelid::regclass || '.' || attname from pg_attribute where attrelid = conrelid and attnum = any(conkey)
    ) as columns
    from pg_constraint where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'x')`
  const indexes = yield* sql<{ readonly name: string }>`
    select indrelid::regclass || '.' || indexrelid::regclass as name from pg_index
    where indisunique and indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`
  return {
    tables: new Set(columns.map(({ tableName }) => tableName)),
    columns: new Map(columns.map(({ name, ...column }) => [name, column])),
    constraints: new Map(constraints.map(({ columns, name }) => [name, columns])),
    uniqueIndexes: names(indexes),
  } satisfies SchemaFacts as SchemaFacts
})

const tableOf = (name: string): string => name.split(".")[0]!

/** What a version that knows `before` could meet in `after` that its statements do not expect. */
export const expansionFaults = (before: SchemaFacts, after: SchemaFacts): ReadonlyArray<string> => {
  const isKept = (name: string) => before.tables.has(tableOf(name)) && after.tables.has(tableOf(name))
  const gone = (what: string, old: Iterable<string>, now: { has: (name: string) => boolean }) =>
    [...old].filter((name) => isKept(name) && !now.has(name)).map((name) => `${what} ${name} is gone`)
  const added = (what: string, old: { has: (name: string) => boolean }, now: Iterable<string>) =>
    [...now].filter((name) => isKept(name) && !old.has(name)).map((name) => `${what} ${name} is new`)
  const changed = [...before.columns].flatMap(([name, column]) => {
    const now = after.columns.get(name)
    if (now === undefined) return []
    if (now.type !== column.type) return [`column ${name} has another type`]
    if (column.isNullable && !now.isNullable) return [`column ${name} is not null now`]
    return column.hasDefault && !now.hasDefault ? [`column ${name} has no default any more`] : []
  })
  const demanded = [...after.columns].flatMap(([name, { hasDefault, isNullable }]) =>
    isKept(name) && !before.columns.has(name) && !isNullable && !hasDefault
      ? [`column ${name} is new, not null and without a default`]
      : [],
  )
  // One on new columns alone cannot refuse what does not name them.
  const constraining = [...after.constraints].flatMap(([name, ofColumns]) =>
    ofColumns.length === 0 || ofColumns.some((column) => before.columns.has(column)) ? name : [],
  )
  return [
    ...[...before.tables].filter((table) => !after.tables.has(table)).map((table) => `table ${table} is gone`),
    ...gone("column", before.columns.keys(), after.columns),
    ...changed,
    ...demanded,
    // A new one may refuse what the earlier version writes; upserts name the old ones.
    ...added("constraint", before.constraints, constraining),
    ...added("unique index", before.uniqueIndexes, after.uniqueIndexes),
    ...gone("unique index", before.uniqueIndexes, after.uniqueIndexes),
  ]
}
