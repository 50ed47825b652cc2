import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { Agent } from "node:http"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import pg from "pg"
import { databaseCpuMillis } from "../Processes.ts"
import { median } from "../Quantiles.ts"
import { ServiceProcess } from "../ServiceProcess.ts"
import { atRate, post, TAKES_WEBHOOKS, workload } from "./Swaps.ts"

/**
 * What swaps cost that come one a POST at steady rates, and what the service costs at rest (rate 0): transactions at PostgreSQL, processor
 * time, and bytes a swap; this checkout and another one in turn, each a process with everything embedded. `--statements` lists the
 * statements that ran most often instead, by pg_stat_statements.
 */
const { values } = parseArgs({
  options: {
    against: { type: "string" },
    port: { type: "string", default: "3900" },
    rates: { type: "string", default: "0,200" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "60" },
    statements: { type: "boolean", default: false },
  },
})
const ROOT = join(import.meta.dirname, "../..")
/** What follows a start or the last swap is over by then. */
const SETTLE_MILLIS = 10_000
const STATEMENTS = 40
const SECONDS = Number(values.seconds)
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const say = (text: string) => void process.stdout.write(`${text}\n`)

const SIZES = `
  select sum(pg_table_size(oid)) filter (where relname like 'inbox_segments%')::float8 as "log, bytes a swap",
    sum(pg_total_relation_size(oid)) filter (where relname = 'inbox_transactions')::float8 as "its keys",
    sum(pg_total_relation_size(oid)) filter (where relname = 'trades')::float8 as "trades",
    sum(pg_total_relation_size(oid)) filter (where relname = 'index_changes')::float8 as "changes",
    sum(pg_total_relation_size(oid)) filter (where relname !~ '^(inbox_|trades$|index_changes$)')::float8 as "all other tables",
    (pg_current_wal_lsn() - '0/0')::float8 as "write-ahead log"
  from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`

const TRANSACTIONS = `
  select (xact_commit + xact_rollback)::float8 as transactions from pg_stat_database where datname = current_database()`

type Sizes = Readonly<Record<string, number>>

/** The embedded PostgreSQL of a service. */
const connected = async (dataFolder: string) => {
  const lines = readFileSync(join(dataFolder, "postgres/data/postmaster.pid"), "utf8").split("\n")
  const client = new pg.Client({ host: lines[4]!, user: "registry", database: "registry" })
  await client.connect()
  return { client, postmaster: lines[0]! }
}

const measure = async (checkout: string, rate: number, seed: number) => {
  const dataFolder = mkdtempSync(join(tmpdir(), "registry-cost-"))
  const start = () =>
    ServiceProcess.start({ checkout, port: Number(values.port), dataFolder, environment: TAKES_WEBHOOKS })
  let service = await start()
  try {
    if (values.statements) {
      const { client } = await connected(dataFolder)
      await client.query("alter system set shared_preload_libraries = 'pg_stat_statements'")
      await client.end()
      await service.stop()
      service = await start()
    }
    const { client, postmaster } = await connected(dataFolder)
    if (values.statements) await client.query("create extension pg_stat_statements")
    const { launches, swaps } = workload(rate * SECONDS, seed, true)
    for (const body of launches) await post(agent, service.url, body)
    await pause(SETTLE_MILLIS)
    const counted = async () => ({
      transactions: Number((await client.query(TRANSACTIONS)).rows[0].transactions),
      service: service.cpuMillis,
      database: databaseCpuMillis(postmaster) ?? 0,
      atMillis: performance.now(),
    })
    if (values.statements) await client.query("select pg_stat_statements_reset()")
    const { rows: before } = await client.query<Sizes>(SIZES)
    const began = await counted()
    const sending: Array<Promise<void>> = []
    if (rate === 0) await pause(SECONDS * 1_000)
    else await atRate(swaps, rate, ({ body }) => void sending.push(post(agent, service.url, body)))
    await Promise.all(sending)
    const ended = await counted()
    if (values.statements) {
      const { rows } = await client.query(
        `select calls::float8, total_exec_time as millis, left(regexp_replace(query, '\\s+', ' ', 'g'), 150) as query
         from pg_stat_statements order by calls desc limit ${STATEMENTS}`,
      )
      say(`\n${checkout}, ${rate} swaps/s: calls a second, ms a second, statement`)
      for (const { calls, millis, query } of rows)
        say(`${(calls / SECONDS).toFixed(2).padStart(8)} ${(millis / SECONDS).toFixed(2).padStart(8)}  ${query}`)
    }
    await pause(SETTLE_MILLIS)
    const { rows: after } = await client.query<Sizes>(SIZES)
    await client.end()
    const seconds = (ended.atMillis - began.atMillis) / 1_000
    const bytes = Object.entries(after[0]!).map(([name, size]): [string, number] => [
      name,
      (size - before[0]![name]!) / swaps.length,
    ])
    return Object.fromEntries([
      // Fewer than asked for where the machine is too busy.
      ["swaps a second", swaps.length / seconds],
      ["transactions a second", (ended.transactions - began.transactions) / seconds],
      ["service, % of a core", (ended.service - began.service) / seconds / 10],
      ["PostgreSQL, % of a core", (ended.database - began.database) / seconds / 10],
      ...(rate === 0 ? [] : bytes),
    ]) as Sizes
  } finally {
    await service.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

const contestants = [
  { name: "this checkout", checkout: ROOT },
  ...(values.against === undefined ? [] : [{ name: "the other one", checkout: values.against }]),
]
say(`${values.rounds} rounds of ${SECONDS} s; ${cpus().length} cores, Node ${process.version}.`)
for (const rate of values.rates.split(",").map(Number)) {
  const rounds = contestants.map(() => new Array<Sizes>())
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [at, { checkout }] of contestants.entries()) rounds[at]!.push(await measure(checkout, rate, round + 1))
  say(`\n| ${rate} swaps/s, medians | ${contestants.map(({ name }) => name).join(" | ")} |`)
  say(`|---|${contestants.map(() => "---:|").join("")}`)
  for (const name of Object.keys(rounds[0]![0]!))
    say(`| ${name} | ${rounds.map((all) => median(all.map((one) => one[name]!)).toFixed(1)).join(" | ")} |`)
}
agent.destroy()
