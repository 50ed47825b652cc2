import { parseArgs } from "node:util"
import { tradingWindowStatements } from "@launch-registry/indexer/sink/TradingWindows"
import { WINDOW_LENGTHS } from "@launch-registry/domain/tokens/TradingWindow"
import * as Database from "@launch-registry/postgres/Database"
import { countRecords } from "../../packages/server/src/transactions/RecordedWindows.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type BenchAddress, BenchDatabase, clientOf } from "../ingest/BenchDatabase.ts"
import { compareTokens } from "./ComparedTokens.ts"
import { countRecordsOf } from "./CountedRecords.ts"
import { COMMON_TAG, fillTokens, RARE_TAG } from "./ManyTokens.ts"
import { addTrades, fillRecords, fillTrades, markTokens, QUIET_TAG, SOME_TAG } from "./ManyTrades.ts"
import { ask, quantiles, type RequestKind, startServices, table, type TimedService } from "./ServicesInTurn.ts"

/**
 * Lists of popular tokens over loopback in a small and a large registry, one request at a time, and what it costs to keep
 * the windows: moved on, and recounted; figures are medians of `--runs`, each of `--rounds`. There are `--rows` times as many trades, and records, of the last week as
 * tokens. Requests to both registries, and to the service of another checkout (`--against`), alternate. With `--keep <folder>` the
 * registries stay there and are not filled again the next time: windows of trades stay as they were, those of records move on to now,
 * with as many in the last minutes as before. `--kinds` takes scopes, and kinds as they are printed, with semicolons between them.
 */
const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "100000,1000000" },
    rows: { type: "string", default: "10" },
    rounds: { type: "string", default: "100" },
    runs: { type: "string", default: "5" },
    refreshes: { type: "string", default: "60" },
    against: { type: "string" },
    keep: { type: "string" },
    kinds: { type: "string", default: "" },
  },
})

const REFRESH_SECONDS = 5
const WEEK_SECONDS = 7 * 86_400
const FENCE = { name: "indexer", token: 1n }

const say = (text: string) => void process.stdout.write(`${text}\n`)

type Query = Readonly<Record<string, string>>

/** Filters by name, where the newest token is of a time. */
const FILTERS: Readonly<Record<string, (newest: Date) => Query>> = {
  all: () => ({}),
  "a common tag": () => ({ tag: COMMON_TAG }),
  "a rare tag": () => ({ tag: RARE_TAG }),
  "an absent tag": () => ({ tag: "absent" }),
  "a tag that is hardly traded": () => ({ tag: QUIET_TAG }),
  "a tag of one in fifty": () => ({ tag: SOME_TAG }),
  "a launchpad": () => ({ launchpad: "launchpad_b" }),
  "active ones": () => ({ active: "true" }),
  "ended ones": () => ({ active: "false" }),
  "ended ones of a launchpad": () => ({ active: "false", launchpad: "launchpad_b" }),
  "since today": (newest) => ({ startDate: new Date(newest.getTime() - 3_600_000).toISOString() }),
  "a page of 100": () => ({ limit: "100" }),
}
const asked = new Set(values.kinds.split(";"))
const KINDS = Object.keys(WINDOW_LENGTHS).flatMap((interval) =>
  Object.entries(FILTERS)
    .filter(([name]) => values.kinds === "" || asked.has(name) || asked.has(`${interval}, ${name}`))
    .map(([name, filter]) => ({
      kind: `${interval}, ${name}`,
      queryOf: (newest: Date): Query => ({ ...filter(newest), interval }),
    })),
)

const askFor = async ({ service }: TimedService, kind: string, query: Query) => {
  const startedAt = performance.now()
  const answer = await fetch(`${service.url}/api/tokens/popular?${new URLSearchParams(query)}`)
  await answer.arrayBuffer()
  // One that takes longer than a statement may is 503.
  if (answer.status !== 200 && answer.status !== 503) throw new Error(`${kind}: ${answer.status}`)
  return performance.now() - startedAt
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const refreshed: Array<string> = []
const run = <A, E>(address: BenchAddress, work: Effect.Effect<A, E, SqlClient>) =>
  Effect.runPromise(Effect.provide(work, Database.layer(address)))
const refresh = (time: Date) => Effect.flatMap(SqlClient, (sql) => tradingWindowStatements(sql).refresh(FENCE, time))

/** Fills a registry and an index, and measures how long its windows take to be counted, and to be moved on while more is traded. */
const fill = async (address: BenchAddress, size: number) => {
  const rows = size * Number(values.rows)
  const client = clientOf(address)
  // The server ends it when another step fails.
  client.on("error", () => undefined)
  await client.connect()
  const startedAt = performance.now()
  await fillTokens(client, size)
  // The clock of the refreshes runs ahead to now.
  const refreshes = Number(values.refreshes)
  const begin = Math.floor(Date.now() / 1_000) - refreshes * REFRESH_SECONDS
  const among = await fillTrades(client, rows, begin)
  await fillRecords(client, rows, begin)
  say(`${size} tokens, ${rows} trades and records, filled in ${Math.round((performance.now() - startedAt) / 1_000)} s`)

  const tradesAgain = await timed(() => run(address, refresh(new Date(begin * 1_000))))
  const recordsAgain = await timed(() => run(address, countRecords(0, new Date(begin * 1_000))))
  const count = Math.max(1, Math.round((rows * REFRESH_SECONDS) / WEEK_SECONDS))
  const [trades, records]: [Array<number>, Array<number>] = [[], []]
  let [rollCpu, rollTimes] = [0, 0]
  await run(
    address,
    Effect.gen(function* () {
      for (let nth = 0; nth < refreshes; nth++) {
        const from = begin + nth * REFRESH_SECONDS
        const batch = {
          count,
          from,
          logOffset: among.offset + nth + 1,
          seconds: REFRESH_SECONDS,
          start: rows + nth * count,
        }
        yield* Effect.promise(() => addTrades(client, batch, among))
        yield* Effect.promise(() =>
          client.query(
            `insert into transactions select gen_random_uuid(), user_address, 'new', action, base_token, quote_token, amount_in,
               amount_out, price_per_token, slippage_bps, fee, fee_token, 'success', chain, pool_address, to_timestamp($1), to_timestamp($1)
             from transactions order by created_at desc limit $2`,
            [from, count],
          ),
        )
        const time = new Date((from + REFRESH_SECONDS) * 1_000)
        const cpu = database.cpuMillis()
        const before = performance.now()
        yield* refresh(time)
        const between = performance.now()
        yield* countRecords(0, time)
        trades.push(between - before)
        records.push(performance.now() - between)
        rollCpu += database.cpuMillis() - cpu
        rollTimes++
      }
    }),
  )
  const cells = [
    tradesAgain.toFixed(0),
    quantiles(trades),
    recordsAgain.toFixed(0),
    quantiles(records),
    (rollCpu / rollTimes).toFixed(1),
  ]
  refreshed.push(`| ${size} | ${rows} | ${count} | ${cells.join(" | ")} |`)
  await compareTokens(address)
  await client.end()
}

const newestOf = async (address: BenchAddress): Promise<Date> => {
  const client = clientOf(address)
  await client.connect()
  const { rows } = await client.query("select max(created_at) as newest from tokens")
  await client.end()
  return rows[0].newest
}

const database = await BenchDatabase.start(values.keep)
const services: Array<TimedService> = []
try {
  const newest = new Map<TimedService, Date>()
  for (const size of values.sizes.split(",").map(Number)) {
    const address = await database.filled(`popular_${size}`, (empty) => fill(empty, size))
    await countRecordsOf(address, (size * Number(values.rows)) / WEEK_SECONDS)
    const client = clientOf(address)
    await client.connect()
    await markTokens(client)
    await client.end()
    const registered = await newestOf(address)
    for (const service of await startServices(address, size, values.against)) {
      services.push(service)
      newest.set(service, registered)
    }
  }
  const header =
    "\n| tokens | trades and records | new in 5 s | trades recounted, ms | moved on, p50 / p99 ms | records recounted | moved on | CPU of both, ms |\n|---:|---:|---:|---:|---:|---:|---:|---:|"
  if (refreshed.length > 0) say(`${header}\n${refreshed.join("\n")}`)

  const kinds: ReadonlyArray<RequestKind> = KINDS.map(({ kind, queryOf }) => ({
    name: kind,
    requests: [(service) => askFor(service, kind, queryOf(newest.get(service)!))],
  }))
  await ask(services, kinds, Number(values.runs), Number(values.rounds))
  say(`\n${table(services, kinds)}`)
} finally {
  for (const { service } of services) await service.stop()
  await database.stop()
}
