import type { PoolFact } from "@launch-registry/chain/transactions/DbcEvent"
import { firstOrdinalOf } from "@launch-registry/domain/solana/Ordinal"
import type { SqlClient } from "effect/sql/SqlClient"
import type { ClaimRow, EventRow, TradeRow } from "../modules/FactRows.ts"
import { bigintArray, numericArray, textArray } from "../sql/ArrayParameter.ts"
import type { LogEntry } from "../inbox/IngestLog.ts"

/** The rows of each table of facts, which stand as long as their transaction does. */
export interface FactRows {
  readonly trades: TradeRow
  readonly dbc_events: EventRow
  readonly fee_claims: ClaimRow
}

export type FactTable = keyof FactRows

type Kind = "bigint" | "text" | "numeric" | "time" | "facts"

/** Fields of the rows, which are columns of the same names. */
const COLUMNS: { readonly [Table in FactTable]: Readonly<Record<keyof FactRows[Table], Kind>> } = {
  trades: {
    ...{ ordinal: "bigint", signature: "text", pool: "text", baseMint: "text", quoteMint: "text", trader: "text" },
    ...{ side: "text", baseAmount: "numeric", quoteAmount: "numeric", fee: "numeric", nextSqrtPrice: "numeric" },
    ...{ quoteReserve: "numeric", blockTime: "time", venue: "text" },
  },
  dbc_events: {
    ...{ ordinal: "bigint", signature: "text", type: "text", pool: "text", config: "text", facts: "facts" },
    blockTime: "time",
  },
  fee_claims: {
    ...{ ordinal: "bigint", signature: "text", kind: "text", party: "text", venue: "text", pool: "text" },
    ...{ wallet: "text", baseMint: "text", quoteMint: "text", position: "text", baseAmount: "numeric" },
    ...{ quoteAmount: "numeric", blockTime: "time" },
  },
}

export const FACT_TABLES = Object.keys(COLUMNS) as ReadonlyArray<FactTable>

/** Tables derived from the log alone: facts, and folds of them. */
export const DERIVED_TABLES = [...FACT_TABLES, "candles", "dbc_configs", "dbc_pools"] as const

interface Column {
  readonly field: string
  readonly name: string
  readonly kind: Kind
}

const columnsOf = (table: FactTable): ReadonlyArray<Column> =>
  Object.entries(COLUMNS[table]).map(([field, kind]) => ({
    ...{ field, kind },
    name: field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  }))

/** The column `facts`: all but the type, which has a column of its own; amounts are decimal strings. */
const factsTextOf = ({ type: _type, ...facts }: PoolFact): string =>
  JSON.stringify(facts, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))

/** How the values of a column are sent, and made of what was sent. In arrays of a known type, null is written as what no value is. */
const SENT: Readonly<Record<Kind, { readonly array: string; readonly of: (values: ReadonlyArray<never>) => unknown }>> =
  {
    bigint: { array: "bigint[]", of: bigintArray },
    text: { array: "text[]", of: (values: ReadonlyArray<string | null>) => textArray(values.map((one) => one ?? "")) },
    numeric: {
      array: "numeric[]",
      of: (values: ReadonlyArray<bigint | null>) => numericArray(values.map((one) => one ?? -1n)),
    },
    time: { array: "bigint[]", of: (values: ReadonlyArray<number>) => bigintArray(values.map(BigInt)) },
    facts: { array: "text[]", of: (values: ReadonlyArray<PoolFact>) => textArray(values.map(factsTextOf)) },
  }

const storedAs = ({ kind, name }: Column): string => {
  if (kind === "text") return `nullif(${name}, '')`
  if (kind === "numeric") return `nullif(${name}, -1)`
  if (kind === "time") return `to_timestamp(${name})`
  return kind === "facts" ? `${name}::jsonb` : name
}

const readAs = ({ kind, name }: Column): string =>
  kind === "time" ? `extract(epoch from ${name})::bigint::text as ${name}` : `${name}::text as ${name}`

const listOf = (columns: ReadonlyArray<Column>, of: (column: Column) => string = ({ name }) => name) =>
  columns.map(of).join(", ")

/** Inserts rows that are not there yet. */
export const insertFacts = <Table extends FactTable>(
  sql: SqlClient,
  table: Table,
  rows: ReadonlyArray<FactRows[Table]>,
) => {
  const columns = columnsOf(table)
  const sent = columns.map(({ field, kind }) => {
    const { array, of } = SENT[kind]
    const values = rows.map((row) => row[field as keyof FactRows[Table]])
    return sql`${of(values as ReadonlyArray<unknown> as ReadonlyArray<never>)}::${sql.literal(array)}`
  })
  return sql`
    insert into ${sql(table)} (${sql.literal(listOf(columns))})
    select ${sql.literal(listOf(columns, storedAs))} from unnest(${sql.csv(sent)}) as f(${sql.literal(listOf(columns))})
    on conflict do nothing`
}

/** Slot by slot: in one join, the planner would read the whole table. */
const rowsOf = (
  sql: SqlClient,
  table: FactTable,
  transactions: ReadonlyArray<Pick<LogEntry, "slot" | "signature">>,
  columns: string,
) => sql`
  (select f.* from unnest(
    ${bigintArray(transactions.map(({ slot }) => firstOrdinalOf(slot)))}::bigint[],
    ${bigintArray(transactions.map(({ slot }) => firstOrdinalOf(slot + 1n)))}::bigint[],
    ${textArray(transactions.map(({ signature }) => signature))}::text[]
  ) as d(first, beyond, wanted)
  cross join lateral (
    select ${sql.literal(columns)} from ${sql(table)}
    where ordinal >= d.first and ordinal < d.beyond and signature = d.wanted offset 0
  ) f)`

/** Deletes the rows `t` of these transactions. */
export const deleteFacts = (sql: SqlClient, table: FactTable, entries: ReadonlyArray<LogEntry>) => sql`
  delete from ${sql(table)} t using ${rowsOf(sql, table, entries, "ordinal, signature")} d
  where t.ordinal = d.ordinal and t.signature = d.signature`

/** A row as texts, by field. */
export type FactTexts = Readonly<Record<string, string | null>>

/** The rows of these transactions. */
export const readFacts = (
  sql: SqlClient,
  table: FactTable,
  transactions: ReadonlyArray<Pick<LogEntry, "slot" | "signature">>,
) => sql<FactTexts>`${rowsOf(sql, table, transactions, listOf(columnsOf(table), readAs))}`

/** The same of a row that is not stored. */
export const textsOf = <Table extends FactTable>(table: Table, row: FactRows[Table]): FactTexts =>
  Object.fromEntries(
    columnsOf(table).map(({ field, kind }) => {
      const value = row[field as keyof FactRows[Table]]
      if (kind === "facts") return [field, factsTextOf(value as PoolFact)]
      return [field, value === null ? null : String(value)]
    }),
  )
