import { median, ratioText } from "./IngestReport.ts"
import type { Sent } from "./WebhookClientMain.ts"

/** A measured server. */
export interface Receiver {
  readonly name: string
  readonly about: string
}

export interface Received extends Sent {
  readonly name: string
  /** Of the server. */
  readonly cpuMillis: number
  readonly databaseCpuMillis: number
}

export interface Scene {
  readonly perPost: number
  readonly connections: number
  /** Transactions a second; 0: as fast as they are answered. */
  readonly rate: number
}

const P99_MILLIS = 100

const quantile = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!

/** The table of medians of one scene, the ratios of `pairs` round by round, and whether the goal is met. */
export const webhookReport = (
  { connections, perPost, rate }: Scene,
  receivers: ReadonlyArray<Receiver>,
  received: ReadonlyArray<Received>,
  transactionsPerPost: number,
  pairs: ReadonlyArray<readonly [name: string, without: string]>,
): string => {
  const each = (name: string, value: (run: Received) => number) =>
    received.filter((run) => run.name === name).map(value)
  const medianOf = (name: string, value: (run: Received) => number): number => median(each(name, value))
  const transactions = ({ latencies }: Received): number => latencies.length * transactionsPerPost
  const perSecond = (run: Received): number => (transactions(run) * 1_000) / run.millis
  const cpuMicros = (run: Received): number => (run.cpuMillis * 1_000) / transactions(run)
  const databaseMicros = (run: Received): number => (run.databaseCpuMillis * 1_000) / transactions(run)
  const p99 = ({ latencies }: Received): number => quantile(latencies, 0.99)
  const rows = receivers.map(({ about, name }) => {
    const cells = [
      about,
      Math.round(medianOf(name, perSecond)).toLocaleString("en-US"),
      `${medianOf(name, ({ latencies }) => quantile(latencies, 0.5)).toFixed(1)} ms`,
      `${medianOf(name, p99).toFixed(1)} ms`,
      `${medianOf(name, cpuMicros).toFixed(0)} µs + ${medianOf(name, databaseMicros).toFixed(0)} µs`,
      String(medianOf(name, ({ refused }) => refused)),
    ]
    return `| ${cells.join(" | ")} |`
  })
  const pace = rate === 0 ? "as fast as they are answered" : `${rate.toLocaleString("en-US")} tx/s`
  const what = `${perPost} a POST, ${connections} connections, ${pace}`
  const head = [what, "tx/s", "p50", "p99", "CPU/tx: server + PostgreSQL", "refused"]
  const ratios = pairs.flatMap(([name, without]) => {
    const ratioOf = (value: (run: Received) => number) => {
      const other = each(without, value)
      return ratioText(each(name, value).map((one, round) => one / other[round]!))
    }
    return [
      `${name} against ${without}: CPU of the server ${ratioOf(cpuMicros)}, of PostgreSQL ${ratioOf(databaseMicros)},`,
      `  tx/s ${ratioOf(perSecond)}, p99 ${ratioOf(p99)}`,
    ]
  })
  const measured = medianOf("ours", p99)
  const isGoal = rate > 0 && Number.isFinite(measured)
  const verdict = `p99 below ${P99_MILLIS} ms: ${measured < P99_MILLIS ? "yes" : "no"} (${measured?.toFixed(1)} ms)`
  const table = [`| ${head.join(" | ")} |`, `|${head.map(() => "---").join("|")}|`, ...rows, ""]
  return [...table, ...ratios, ...(isGoal ? [verdict] : []), ""].join("\n")
}
