import { mkdtemp, rm, statfs } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { clickHouseClient } from "@launch-registry/clickhouse/ClickHouseClient"
import { createTables } from "@launch-registry/clickhouse/HistoryTables"
import { parseHistoryUrl } from "@launch-registry/clickhouse/HistoryUrl"
import { Effect } from "effect"
import { startClickHouseServer } from "../../packages/clickhouse/test/ClickHouseServer.ts"
import { HISTORY_READS, type HistoryRead } from "./HistoryReads.ts"
import { insertTrades, SLOTS, type SyntheticSizes } from "./SyntheticTrades.ts"

/**
 * Reads of history in ClickHouse's own engine (chdb in another process, behind HTTP on loopback), through our client, one at a
 * time. The engine makes the trades itself; merges have ended when reads begin. Deletes what it made.
 */
const { values } = parseArgs({
  options: {
    trades: { type: "string", default: "100000000" },
    mints: { type: "string", default: "1000000" },
    traders: { type: "string", default: "2000000" },
    samples: { type: "string", default: "200" },
  },
})

const TRADES_OF_INSERT = 1_000_000
/** Seconds without a merge. */
const QUIET_CHECKS = 5
/** Others use the disk as well. */
const FREE_BYTES_MIN = 8e9
const FILL_MILLIS = 3_600_000
const READ_MILLIS = 120_000

const say = (text: string) => void process.stdout.write(`${text}\n`)
const seconds = (since: number) => ((performance.now() - since) / 1_000).toFixed(0)

const fill = (clickhouse: ClickHouse, sizes: SyntheticSizes, folder: string) =>
  Effect.gen(function* () {
    for (let from = 0; from < sizes.trades; from += TRADES_OF_INSERT) {
      const { bavail, bsize } = yield* Effect.promise(() => statfs(folder))
      if (bavail * bsize < FREE_BYTES_MIN) return yield* Effect.die(new Error(`The disk is full after ${from} trades`))
      const count = Math.min(TRADES_OF_INSERT, sizes.trades - from)
      yield* clickhouse.command(insertTrades(sizes, from, count), {}, { timeoutMillis: FILL_MILLIS })
      if ((from / TRADES_OF_INSERT) % 10 === 9) say(`${(from + count) / 1e6} M trades`)
    }
  })

/** Background merges go on for a while. */
const merged = (clickhouse: ClickHouse) =>
  Effect.gen(function* () {
    for (let quiet = 0; quiet < QUIET_CHECKS;) {
      const [row] = yield* clickhouse.select<{ running: string }>("select count() as running from system.merges")
      quiet = row!.running === "0" ? quiet + 1 : 0
      yield* Effect.sleep(1_000)
    }
  })

const quantile = (sorted: ReadonlyArray<number>, share: number) =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!

const measure = (
  clickhouse: ClickHouse,
  sizes: SyntheticSizes,
  { name, parameters, share = 1, statement }: HistoryRead,
) =>
  Effect.gen(function* () {
    const samples = Math.max(5, Math.round(Number(values.samples) * share))
    const millis: Array<number> = []
    let rows = 0
    // The first ones are not counted.
    for (let sample = -3; sample < samples; sample++) {
      const startedAt = performance.now()
      const answer = yield* clickhouse.select(statement, parameters(sizes), { timeoutMillis: READ_MILLIS })
      if (sample < 0) continue
      millis.push(performance.now() - startedAt)
      rows += answer.length
    }
    const sorted = millis.sort((one, other) => one - other)
    const figures = [0.5, 0.99, 1].map((share) => quantile(sorted, share).toFixed(1))
    say(`| ${[name, samples, (rows / samples).toFixed(1), ...figures].join(" | ")} |`)
  })

const sizesOf = (clickhouse: ClickHouse) =>
  clickhouse.select<Record<"table" | "rows" | "bytes" | "parts" | "partitions" | "memory", string>>(
    `select table, sum(rows) as rows, sum(bytes_on_disk) as bytes, count() as parts, uniqExact(partition) as partitions,
      sum(primary_key_bytes_in_memory) as memory
     from system.parts where active and database = currentDatabase() group by table order by table`,
  )

const bench = Effect.gen(function* () {
  const [trades, mints, traders] = [values.trades, values.mints, values.traders].map(Number) as [number, number, number]
  const sizes = { trades, mints, traders, slots: SLOTS }
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "history-bench-"))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true })),
  )
  const server = yield* startClickHouseServer({ folder })
  const clickhouse = yield* clickHouseClient(parseHistoryUrl(server.url)!)
  yield* createTables(clickhouse)
  const startedAt = performance.now()
  yield* fill(clickhouse, sizes, folder)
  say(`Filled in ${seconds(startedAt)} s`)
  yield* merged(clickhouse)
  say(`Merged in ${seconds(startedAt)} s\n`)
  say("| read | samples | rows | p50 ms | p99 ms | max ms |\n|---|---:|---:|---:|---:|---:|")
  for (const read of HISTORY_READS) yield* measure(clickhouse, sizes, read)
  // The keys are in memory now.
  say(
    "\n| table | rows | bytes a row | GB | parts | partitions | key in memory, MB |\n|---|---:|---:|---:|---:|---:|---:|",
  )
  for (const { bytes, memory, parts, partitions, rows, table } of yield* sizesOf(clickhouse)) {
    const perRow = (Number(bytes) / Number(rows)).toFixed(0)
    const figures = [
      rows,
      perRow,
      (Number(bytes) / 1e9).toFixed(2),
      parts,
      partitions,
      (Number(memory) / 1e6).toFixed(1),
    ]
    say(`| ${[table, ...figures].join(" | ")} |`)
  }
})

await Effect.runPromise(Effect.scoped(bench))
