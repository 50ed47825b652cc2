import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { MIGRATIONS_TABLE } from "./Migrate.ts"

interface Described {
  readonly line: string
}

/**
 * The schema of the connected database as SQL-like text in a stable order, for tests to compare. Read from the catalog, because the
 * embedded server comes without pg_dump.
 */
export const describeSchema = Effect.gen(function* () {
  const sql = yield* SqlClient

  const extensions = yield* sql<Described>`
    select 'create extension ' || extname || ';' as line from pg_extension where extname <> 'plpgsql' order by 1`

  const columns = yield* sql<{ readonly tableName: string; readonly line: string }>`
    select c.relname as table_name,
      a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
        || case when co.collname is not null and co.collname <> 'default' then ' collate "' || co.collname || '"' else '' end
        || case when a.attnotnull then ' not null' else '' end
        || case when a.attidentity <> '' then ' generated always as identity' else '' end
        || case when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end as line
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    left join pg_collation co on co.oid = a.attcollation
    where a.attnum > 0 and not a.attisdropped and c.relname <> ${MIGRATIONS_TABLE}
    order by c.relname, a.attnum`

  const constraints = yield* sql<{ readonly tableName: string; readonly line: string }>`
    select c.relname as table_name, 'constraint ' || co.conname || ' ' || pg_get_constraintdef(co.oid) as line
    from pg_constraint co
    join pg_class c on c.oid = co.conrelid and c.relnamespace = 'public'::regnamespace
    where c.relname <> ${MIGRATIONS_TABLE} and co.contype <> 'n'
    order by c.relname, co.conname`

  const indexes = yield* sql<Described>`
    select indexdef || ';' as line from pg_indexes i
    where schemaname = 'public' and tablename <> ${MIGRATIONS_TABLE}
      and not exists (select 1 from pg_constraint where conname = i.indexname and contype in ('p', 'u'))
    order by tablename, indexname`

  const functions = yield* sql<Described>`
    select pg_get_functiondef(p.oid) || ';' as line from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.proname`

  const triggers = yield* sql<Described>`
    select pg_get_triggerdef(t.oid) || ';' as line from pg_trigger t
    join pg_class c on c.oid = t.tgrelid and c.relnamespace = 'public'::regnamespace
    where not t.tgisinternal order by c.relname, t.tgname`

  const tables = new Map<string, Array<string>>()
  for (const { line, tableName } of [...columns, ...constraints]) {
    const lines = tables.get(tableName) ?? []
    lines.push(`  ${line}`)
    tables.set(tableName, lines)
  }
  const tableTexts = [...tables].map(([name, lines]) => `create table ${name} (\n${lines.join(",\n")}\n);`)
  const others = [...indexes, ...functions, ...triggers].map(({ line }) => line)
  return [...extensions.map(({ line }) => line), ...tableTexts, ...others, ""].join("\n\n")
})
