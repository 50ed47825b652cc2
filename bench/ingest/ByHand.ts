import { createRequire } from "node:module"
import { once } from "node:events"
import type { TradeRow } from "@launch-registry/indexer/modules/FactRows"
import type pg from "pg"
import { type BenchAddress, clientOf } from "../BenchDatabase.ts"
import { decodedBatches, type Prepare } from "./Workload.ts"

const copyStreams = createRequire(import.meta.url)("pg-copy-streams")

/** Columns of `trades`. */
const COLUMNS =
  "ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee, next_sqrt_price, " +
  "quote_reserve, block_time"

/** A row in the order of the columns; the time is in seconds since 1970. */
const valuesOf = (row: TradeRow) => [
  ...[row.ordinal, row.signature, row.pool, row.baseMint, row.quoteMint, row.trader, row.side, row.baseAmount],
  ...[row.quoteAmount, row.fee, row.nextSqrtPrice, row.quoteReserve, row.blockTime],
]

/** Writes the batches over two connections, so that the next one is decoded while others are written. */
const overTwo = async (
  bodies: ReadonlyArray<Buffer>,
  address: BenchAddress,
  prepare: string | undefined,
  write: (client: pg.Client, rows: ReadonlyArray<TradeRow>) => Promise<void>,
) => {
  const clients = [clientOf(address), clientOf(address)]
  for (const client of clients) {
    await client.connect()
    if (prepare !== undefined) await client.query(prepare)
  }
  return async () => {
    const batches = decodedBatches(bodies)
    const writeAll = async (client: pg.Client) => {
      for (const rows of batches) {
        if (rows.length > 0) await withRetry(() => write(client, rows))
        // Pending network input is processed first.
        await new Promise(setImmediate)
      }
    }
    await Promise.all(clients.map(writeAll))
  }
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

const INSERT_ARRAYS = `
  insert into trades (${COLUMNS})
  select ${COLUMNS.replace("block_time", "to_timestamp(block_time)")}
  from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::numeric[],
    $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[], $13::float8[]) as t(${COLUMNS})
  on conflict (ordinal, signature) do nothing`

/** An array for each column. */
export const unnestLoader: Prepare = (bodies, address) =>
  overTwo(bodies, address, undefined, async (client, rows) => {
    const table = rows.map(valuesOf)
    const values = table[0]!.map((_, column) => table.map((row) => row[column]))
    await client.query({ name: "arrays", text: INSERT_ARRAYS, values })
  })

/** As COPY reads it; nothing in these columns needs an escape. */
const lineOf = (row: TradeRow): string =>
  `${valuesOf(row)
    .slice(0, -1)
    .map((value) => (value === null ? "\\N" : String(value)))
    .join("\t")}\t${new Date(row.blockTime * 1_000).toISOString()}\n`

/** COPY knows no conflicts: into a table of the connection first, and from there. */
export const copyLoader: Prepare = (bodies, address) =>
  overTwo(
    bodies,
    address,
    "create temp table staging (like trades including defaults) on commit delete rows",
    async (client, rows) => {
      try {
        await client.query("begin")
        const stream = client.query(copyStreams.from(`copy staging (${COLUMNS}) from stdin`)) as NodeJS.WritableStream
        stream.end(rows.map(lineOf).join(""))
        await once(stream, "finish")
        await client.query(`insert into trades (${COLUMNS}) select ${COLUMNS} from staging on conflict do nothing`)
        await client.query("commit")
      } catch (error) {
        await client.query("rollback")
        throw error
      }
    },
  )
