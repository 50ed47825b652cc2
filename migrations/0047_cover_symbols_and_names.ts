import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Tokens whose symbol or name starts with a term, read from the index alone: thousands of a common prefix are compared, and each was
 * read from the table. An index of an expression is only read alone if it has the columns that are compared, too.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An index of a large table takes longer than a request may.
  yield* sql`select set_config('statement_timeout', '0', true)`

  // First: the lock that it needs, asked for after that of a new index, would deadlock with a change of a token.
  yield* sql`drop index if exists tokens_symbol, tokens_name`
  // Created beforehand with `concurrently`, an index that failed is there, and not used.
  const failed = yield* sql<{ readonly name: string }>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'tokens'::regclass and not i.indisvalid and c.relname in ('tokens_by_symbol', 'tokens_by_name')`
  for (const { name } of failed) yield* sql`drop index ${sql(name)}`
  yield* sql`
    create index if not exists tokens_by_symbol on tokens (lower(symbol) text_pattern_ops, created_at desc, id desc)
    include (symbol) where deleted_at is null`
  yield* sql`
    create index if not exists tokens_by_name on tokens (lower(name) text_pattern_ops, created_at desc, id desc)
    include (name, symbol) where deleted_at is null`
})
