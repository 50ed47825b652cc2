import { type ChildProcess, fork } from "node:child_process"
import { writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { freePort } from "../../packages/service/test/RunningService.ts"
import { BenchDatabase, clientOf } from "../BenchDatabase.ts"
import { answerOf, ask } from "../Processes.ts"
import { median } from "../Quantiles.ts"
import { ServiceProcess } from "../ServiceProcess.ts"
import { drawLines, type Panel } from "./DrawLines.ts"
import type { Traffic } from "./TrafficMain.ts"

/**
 * Everything at once for an hour: two api processes and two indexers on one PostgreSQL, a node whose chain goes on, each of its
 * transactions a webhook, readers of streams, searches, pages and uploads. The leading indexer is killed every ten minutes. Prints memory of each
 * process, the size of each table and what was answered; `--picture` draws them.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    rate: { type: "string", default: "300" },
    readers: { type: "string", default: "200" },
    "kill-every": { type: "string", default: "10" },
    picture: { type: "string" },
  },
})
const MINUTES = Number(values.minutes)
const KILL_EVERY = Number(values["kill-every"])
const SAMPLE_MILLIS = 10_000
const TABLES_SHOWN = 14
const LINES_SHOWN = 7

interface Sample {
  readonly minute: number
  /** MiB, by process. */
  readonly memory: Readonly<Record<string, number>>
  /** Bytes with indexes, by table. */
  readonly tables: Readonly<Record<string, number>>
  /** Segments of the log that are not folded; null when nobody answered. */
  readonly pending: number | null
  /** Slots that the proof of the chain is behind what is final; null as above. */
  readonly unproven: number | null
  readonly traffic: Traffic
}

const say = (text: string) => void process.stdout.write(`${text}\n`)

const database = await BenchDatabase.start()
const traffic: ChildProcess = fork(join(import.meta.dirname, "TrafficMain.ts"), [
  values.rate,
  values.readers,
  values.minutes,
])
const processes = new Map<string, ServiceProcess>()
try {
  const rpcUrl = await answerOf<string>(traffic)
  await database.renew()
  const { database: name, socketDirectory, username } = database.address
  const start = async (process: string): Promise<void> => {
    const environment = {
      DATABASE_URL: `postgres://${username}@localhost/${name}?host=${socketDirectory}`,
      ...{ RUN_MODE: "production", HOST: "127.0.0.1", PUBLIC_URL: "https://api.example", ROLE: process.split(" ")[0]! },
      ...{ NETWORK: "localnet", RPC_URL: rpcUrl, RPC_GENESIS_HASH: "any", IPFS_BACKEND: "embedded" },
      ...{ HELIUS_WEBHOOK_SECRET: "the-secret-of-the-life-cycle-bench", LOG_LEVEL: "info" },
    }
    const checkout = join(import.meta.dirname, "../..")
    processes.set(
      process,
      await ServiceProcess.start({ checkout, port: await freePort(), dataFolder: "", environment }),
    )
  }
  for (const process of ["api 1", "api 2", "indexer 1", "indexer 2"]) await start(process)
  const urls = ["api 1", "api 2"].map((process) => processes.get(process)!.url)
  const client = clientOf(database.address)
  await client.connect()

  const sampled = async (minute: number): Promise<Sample> => {
    const { rows } = await client.query(
      "select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    )
    const report = await fetch(`${urls[0]}/api/system/indexer`).then(
      async (answer) => ((await answer.json()) as { readonly data?: Record<string, never> }).data,
      () => undefined,
    )
    const of = (field: string): number | null => (report?.[field] == null ? null : Number(report[field]))
    const [final, proven] = [of("finalizedSlot"), of("programWatermarkSlot")]
    return {
      minute,
      memory: {
        ...Object.fromEntries([...processes].map(([process, { residentMib }]) => [process, residentMib])),
        PostgreSQL: database.residentMib(),
      },
      tables: Object.fromEntries(rows.map(({ bytes, name: table }) => [table, bytes])),
      pending:
        (report as { readonly inbox?: { readonly pendingSegments: number } } | undefined)?.inbox?.pendingSegments ??
        null,
      unproven: final === null || proven === null ? null : final - proven,
      traffic: await ask<Traffic>(traffic, "counts"),
    }
  }

  /** Kills the indexer that leads, and starts it again. */
  const killLeader = async (): Promise<void> => {
    const { rows } = await client.query("select holder from leases where name = 'indexer'")
    const leads = [...processes].find(([, { output }]) => output.includes(`This process is ${rows[0]?.holder}`))
    if (leads === undefined) throw new Error("No process leads")
    leads[1].signal("SIGKILL")
    while (leads[1].isRunning) await pause(10)
    await start(leads[0])
  }

  traffic.send(urls)
  const from = performance.now()
  const minuteNow = () => (performance.now() - from) / 60_000
  const samples: Array<Sample> = []
  let kills = 0
  while (minuteNow() < MINUTES) {
    await pause(SAMPLE_MILLIS)
    samples.push(await sampled(minuteNow()))
    if (minuteNow() < (kills + 1) * KILL_EVERY || minuteNow() > MINUTES - 1) continue
    await killLeader()
    kills++
  }
  // What was sent last is given up or acknowledged, and then folded.
  await pause(SAMPLE_MILLIS)
  const last = await sampled(minuteNow())
  samples.push(last)
  await client.end()

  const mib = (bytes: number) => (bytes / 1024 ** 2).toFixed(1)
  const near = (minute: number) => samples.find((sample) => sample.minute >= minute) ?? last
  const shown = [0, MINUTES / 12, MINUTES / 4, MINUTES / 2, MINUTES].map(near)
  const row = (cells: ReadonlyArray<string | number>) => say(`| ${cells.join(" | ")} |`)
  const { delivered, events, lost, reconnects } = last.traffic
  say(
    `${values.rate} transactions a second for ${MINUTES} minutes, ${values.readers} readers, ${kills} leaders killed; ${cpus().length} cores, Node ${process.version}; ${database.settings}.`,
  )
  say(
    `${delivered} transactions acknowledged, ${lost} given up; ${events} events read, ${reconnects} streams read again.\n`,
  )
  row(["", ...shown.map(({ minute }) => `minute ${minute.toFixed(0)}`)])
  row(["---", ...shown.map(() => "---:")])
  for (const process of Object.keys(last.memory))
    row([`${process}, MiB`, ...shown.map(({ memory }) => memory[process] ?? "")])
  row(["segments to fold", ...shown.map(({ pending }) => pending ?? "unknown")])
  row(["slots to prove", ...shown.map(({ unproven }) => unproven ?? "unknown")])
  const largest = Object.entries(last.tables)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, TABLES_SHOWN)
  for (const [table] of largest) row([`\`${table}\`, MiB`, ...shown.map(({ tables }) => mib(tables[table] ?? 0))])
  say(`\nSegments to fold, median of all samples: ${median(samples.map(({ pending }) => pending ?? Number.NaN))}`)
  say("\n| table | bytes a transaction, second half |\n|---|---:|")
  const half = near(MINUTES / 2)
  for (const [table] of largest) {
    const grown = last.tables[table]! - (half.tables[table] ?? 0)
    say(`| \`${table}\` | ${(grown / (delivered - half.traffic.delivered)).toFixed(0)} |`)
  }
  say("\n| request | status | answers |\n|---|---:|---:|")
  for (const [key, count] of Object.entries(last.traffic.answers).toSorted(([a], [b]) => a.localeCompare(b))) {
    const at = key.lastIndexOf(" ")
    say(`| ${key.slice(0, at)} | ${key.slice(at + 1)} | ${count} |`)
  }

  const line = (of: (sample: Sample) => number | null) =>
    samples.flatMap((sample) => {
      const value = of(sample)
      return value === null || Number.isNaN(value) ? [] : [[sample.minute, value] as const]
    })
  const panels: ReadonlyArray<Panel> = [
    {
      title: "Memory, MiB",
      lines: Object.fromEntries(
        Object.keys(last.memory).map((process) => [process, line(({ memory }) => memory[process]!)]),
      ),
    },
    {
      title: "Tables with their indexes, MiB",
      lines: Object.fromEntries(
        largest.slice(0, LINES_SHOWN).map(([table]) => [table, line(({ tables }) => (tables[table] ?? 0) / 1024 ** 2)]),
      ),
    },
    { title: "Segments of the log that are not folded", lines: { segments: line(({ pending }) => pending) } },
    { title: "Final slots that are not proven", lines: { slots: line(({ unproven }) => unproven) } },
  ]
  if (values.picture !== undefined) writeFileSync(values.picture, drawLines(panels))
} finally {
  traffic.disconnect()
  for (const process of processes.values()) await process.stop()
  await database.stop()
}
