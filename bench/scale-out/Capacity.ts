/**
 * `node bench/scale-out/Capacity.ts [--reads 50000 --readers 100000 --tokens 50000000 --trades 5000000000 --tx 1700]`: what a load takes. Bytes
 * of a row are measured in this run, with indexes; costs in CPU are those that docs/benchmarks.md has, unless given. docs/scaling.md explains
 * the sum.
 */
import { parseArgs } from "node:util"
import { Effect, Logger, ManagedRuntime } from "effect"
import { generateBlocks } from "../../packages/indexer/fixtures/GenerateTransactions.ts"
import { BenchDatabase, clientOf } from "../ingest/BenchDatabase.ts"
import { indexLayer, ingestAll, lead } from "../ingest/Ours.ts"
import { fillTokens } from "../scale/ManyTokens.ts"

const option = (value: number) => ({ type: "string", default: String(value) }) as const
const { values } = parseArgs({
  options: {
    /** The load: reads and transactions of the programs a second, open streams, rows that are kept. */
    reads: option(50_000),
    tx: option(1_700),
    readers: option(100_000),
    tokens: option(50_000_000),
    trades: option(5_000_000_000),
    /** Microseconds of CPU: a read by id in the service and in PostgreSQL, a transaction in the indexer and in PostgreSQL. */
    "read-service": option(246),
    "read-postgres": option(273),
    "tx-indexer": option(37),
    "tx-postgres": option(26),
    /** An open stream: KiB, and microseconds of CPU a second. */
    "reader-kib": option(38.3),
    "reader-cpu": option(22),
    /** Share of a core that is to be used. */
    busy: option(0.6),
    /** Rows that are measured. */
    measured: option(40_000),
  },
})
const of = (name: keyof typeof values): number => Number(values[name])
const PER_SLOT = 20
const say = (text: string) => void process.stdout.write(`${text}\n`)

const database = await BenchDatabase.start()
await database.renew()
const runtime = ManagedRuntime.make(indexLayer(database.address))
const bodies = function* (): Generator<Buffer> {
  for (const { transactions } of generateBlocks({
    seed: 1,
    slots: of("measured") / PER_SLOT,
    transactionsPerSlot: PER_SLOT,
  }))
    yield Buffer.from(JSON.stringify(transactions))
}
await runtime.runPromise(
  Effect.provide(
    Effect.flatMap(lead, (fence) => ingestAll(bodies(), fence)),
    Logger.layer([]),
  ),
)
const client = clientOf(database.address)
await client.connect()
await fillTokens(client, of("measured"))
const sizes = new Map<string, { readonly rows: number; readonly bytes: number }>()
for (const table of [
  "trades",
  "candles",
  "dbc_events",
  "inbox_transactions",
  "inbox_segments",
  "tokens",
  "token_tags",
]) {
  await client.query(`vacuum (analyze) ${table}`)
  const { rows } = await client.query(
    `select (select count(*) from ${table}) as rows, pg_total_relation_size('${table}') as bytes`,
  )
  sizes.set(table, { rows: Number(rows[0].rows), bytes: Number(rows[0].bytes) })
}
await client.end()
await runtime.dispose()
await database.stop()

const perRow = (table: string): number => sizes.get(table)!.bytes / sizes.get(table)!.rows
const perTrade = (table: string): number => sizes.get(table)!.bytes / sizes.get("trades")!.rows
say("Bytes with indexes, measured:\n")
say("| table | rows | a row | for a trade |\n|---|---|---|---|")
for (const [table, { rows }] of sizes)
  say(
    `| ${table} | ${rows.toLocaleString("en-US")} | ${Math.round(perRow(table))} | ${table.startsWith("token") ? "" : Math.round(perTrade(table))} |`,
  )

const cores = (perSecond: number, micros: number): number => (perSecond * micros) / 1e6 / of("busy")
const tib = (bytes: number): string =>
  bytes >= 2 ** 40 ? `${(bytes / 2 ** 40).toFixed(1)} TiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`
const line = (what: string, amount: string, sum: string) => say(`| ${what} | ${amount} | ${sum} |`)
const count = (name: keyof typeof values): string => of(name).toLocaleString("en-US")
const facts = perTrade("trades") + perTrade("candles") + perTrade("dbc_events")
const log = perTrade("inbox_transactions") + perTrade("inbox_segments")

say(`\nWhat the load takes, with cores ${of("busy") * 100} % busy:\n`)
say("| | takes | by |\n|---|---|---|")
line(
  `${count("reads")} reads a second: service`,
  `${Math.ceil(cores(of("reads"), of("read-service")))} cores`,
  `reads x ${values["read-service"]} µs / ${values.busy}`,
)
line(
  "the same: PostgreSQL, on replicas",
  `${Math.ceil(cores(of("reads"), of("read-postgres")))} cores`,
  `reads x ${values["read-postgres"]} µs / ${values.busy}`,
)
line(
  `${count("tx")} transactions a second: indexer, PostgreSQL`,
  `${cores(of("tx"), of("tx-indexer")).toFixed(2)} and ${cores(of("tx"), of("tx-postgres")).toFixed(2)} cores`,
  `tx x ${values["tx-indexer"]} and ${values["tx-postgres"]} µs / ${values.busy}`,
)
line(
  `${count("readers")} open streams`,
  `${tib(of("readers") * of("reader-kib") * 1024)}, ${Math.ceil(cores(of("readers"), of("reader-cpu")))} cores, ${Math.ceil(of("readers") / 10_000)} processes`,
  `readers x ${values["reader-kib"]} KiB; x ${values["reader-cpu"]} µs a second; 10,000 a process`,
)
const token = (sizes.get("tokens")!.bytes + sizes.get("token_tags")!.bytes) / sizes.get("tokens")!.rows
const tags = sizes.get("token_tags")!.rows / sizes.get("tokens")!.rows
line(
  `${count("tokens")} tokens with their tags`,
  tib(of("tokens") * token),
  `tokens x ${Math.round(token)} B: ${Math.round(perRow("tokens"))} and ${tags.toFixed(2)} x ${Math.round(perRow("token_tags"))}`,
)
line(`${count("trades")} trades with candles and events`, tib(of("trades") * facts), `trades x ${Math.round(facts)} B`)
line("their log, if all of it is kept", tib(of("trades") * log), `trades x ${Math.round(log)} B`)
