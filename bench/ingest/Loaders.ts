import { createRequire } from "node:module"
import { once } from "node:events"
import type { TradeRow } from "@launch-registry/indexer/modules/TradeRow"
import type pg from "pg"
import { decodedBatches, eachWithFree } from "./Batches.ts"
import { type BenchAddress, clientOf } from "./BenchDatabase.ts"
import type { Prepare } from "./Contestant.ts"
import { COLUMNS, valuesOf } from "./TradesTable.ts"

const copyStreams = createRequire(import.meta.url)("pg-copy-streams")

const connected = async (address: BenchAddress, connections: number): Promise<ReadonlyArray<pg.Client>> => {
  const clients = Array.from({ length: connections }, () => clientOf(address))
  for (const client of clients) await client.connect()
  return clients
}

const INSERT_ARRAYS = `
  insert into trades (${COLUMNS})
  select ${COLUMNS.replace("block_time", "to_timestamp(block_time)")}
  from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::numeric[],
    $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[], $13::float8[]) as t(${COLUMNS})
  on conflict (ordinal, signature) do nothing`

const insertArrays = async (client: pg.Client, rows: ReadonlyArray<TradeRow>): Promise<void> => {
  if (rows.length === 0) return
  const table = rows.map(valuesOf)
  const values = table[0]!.map((_, column) => table.map((row) => row[column]))
  await withRetry(() => client.query({ name: "arrays", text: INSERT_ARRAYS, values }))
}

/** SQLSTATE of a deadlock: two connections may insert duplicates in different orders. */
const DEADLOCK = "40P01"

const withRetry = async (statement: () => Promise<unknown>): Promise<void> => {
  try {
    await statement()
  } catch (error) {
    if ((error as { readonly code?: string }).code !== DEADLOCK) throw error
    await withRetry(statement)
  }
}

/** Arrays of columns over two connections. */
export const unnestLoader: Prepare = async (bodies, address) => {
  const clients = await connected(address, 2)
  return () => eachWithFree(decodedBatches(bodies), clients, insertArrays)
}

/** As COPY reads it; nothing in these columns needs an escape. */
const lineOf = (row: TradeRow): string =>
  `${valuesOf({ ...row, blockTime: 0 })
    .slice(0, -1)
    .map((value) => (value === null ? "\\N" : String(value)))
    .join("\t")}\t${new Date(row.blockTime * 1_000).toISOString()}\n`

const copyInto = async (client: pg.Client, table: string, text: string): Promise<void> => {
  const stream = client.query(copyStreams.from(`copy ${table} (${COLUMNS}) from stdin`)) as NodeJS.WritableStream
  stream.end(text)
  await once(stream, "finish")
}

/** COPY knows no conflicts: into a table of the connection first, and from there. */
export const copyLoader: Prepare = async (bodies, address) => {
  const clients = await connected(address, 2)
  for (const client of clients) await client.query("create temp table staging (like trades) on commit delete rows")
  return () =>
    eachWithFree(decodedBatches(bodies), clients, (client, rows) =>
      withRetry(async () => {
        try {
          await client.query("begin")
          await copyInto(client, "staging", rows.map(lineOf).join(""))
          await client.query(`insert into trades (${COLUMNS}) select ${COLUMNS} from staging on conflict do nothing`)
          await client.query("commit")
        } catch (error) {
          await client.query("rollback")
          throw error
        }
      }),
    )
}

const ROWS_PER_COPY = 5_000

/** What the database could take: rows are decoded, made unique and written out as text before the clock starts. */
export const copyLimit: Prepare = async (bodies, address) => {
  const clients = await connected(address, 2)
  const unique = new Map<string, string>()
  for (const rows of decodedBatches(bodies))
    for (const row of rows) unique.set(`${row.ordinal} ${row.signature}`, lineOf(row))
  const lines = [...unique.values()]
  const texts: Array<string> = []
  for (let at = 0; at < lines.length; at += ROWS_PER_COPY) texts.push(lines.slice(at, at + ROWS_PER_COPY).join(""))
  return () => eachWithFree(texts, clients, (client, text) => copyInto(client, "trades", text))
}

const INSERT_ONE = `
  insert into trades (${COLUMNS})
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, to_timestamp($13))
  on conflict (ordinal, signature) do nothing`

/** A statement and a commit for each trade, over 32 connections. */
export const insertEach: Prepare = async (bodies, address) => {
  const clients = await connected(address, 32)
  const rows = function* () {
    for (const batch of decodedBatches(bodies, 1)) yield* batch
  }
  return () =>
    eachWithFree(rows(), clients, async (client, row) => {
      await client.query({ name: "one", text: INSERT_ONE, values: [...valuesOf(row)] })
    })
}

/** Upper bound for all contestants in one process: no database at all. */
export const parseAndDecode: Prepare = async (bodies) => async () => {
  for (const _ of decodedBatches(bodies));
}
