import { median } from "./IngestReport.ts"
import type { Sent } from "./WebhookClientMain.ts"
import type { WebhookContestant } from "./WebhookServers.ts"

export interface Received extends Sent {
  readonly name: string
  /** Of the server. */
  readonly cpuMillis: number
}

interface Scene {
  readonly perPost: number
  readonly connections: number
}

const P99_MILLIS = 100

const quantile = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!

/** The table of medians of one scene, and whether the goals are met. */
export const webhookReport = (
  { connections, perPost }: Scene,
  contestants: ReadonlyArray<WebhookContestant>,
  received: ReadonlyArray<Received>,
  transactionsPerPost: number,
): string => {
  const medianOf = (name: string, value: (run: Received) => number): number =>
    median(received.filter((run) => run.name === name).map(value))
  const perSecond = (name: string): number =>
    medianOf(name, ({ latencies, millis }) => (latencies.length * transactionsPerPost * 1_000) / millis)
  const latency = (name: string, share: number): number => medianOf(name, ({ latencies }) => quantile(latencies, share))
  const known = new Set(contestants.map(({ name }) => name))
  const ratio = (name: string, to: string): string =>
    known.has(to) ? `${(perSecond(name) / perSecond(to)).toFixed(2)}x` : "-"
  const rows = contestants.map(({ about, name }) => {
    const cpuMicros = medianOf(
      name,
      ({ cpuMillis, latencies }) => (cpuMillis * 1_000) / (latencies.length * transactionsPerPost),
    )
    const cells = [
      about,
      Math.round(perSecond(name)).toLocaleString("en-US"),
      `${latency(name, 0.5).toFixed(1)} ms`,
      `${latency(name, 0.99).toFixed(1)} ms`,
      `${cpuMicros.toFixed(0)} µs`,
      String(medianOf(name, ({ refused }) => refused)),
      ratio(name, "insert"),
      ratio(name, "decode"),
    ]
    return `| ${cells.join(" | ")} |`
  })
  const what = `${perPost} a POST, ${connections} connections`
  const head = [what, "tx/s", "p50", "p99", "CPU of the server/tx", "refused", "against INSERT", "against decoding"]
  const table = [`| ${head.join(" | ")} |`, `|${head.map(() => "---").join("|")}|`, ...rows]
  if (!known.has("ours")) return `${table.join("\n")}\n`
  const p99 = latency("ours", 0.99)
  const verdict = (goal: string, isMet: boolean, measured: string) => `${goal}: ${isMet ? "yes" : "no"} (${measured})`
  const goals = [
    ["insert", "at least 2x an INSERT per POST", 2],
    ["decode", "at least 0.5x of decoding alone", 0.5],
  ] as const
  const verdicts = goals
    .filter(([to]) => known.has(to))
    .map(([to, goal, least]) => verdict(goal, perSecond("ours") / perSecond(to) >= least, ratio("ours", to)))
  verdicts.push(verdict(`p99 below ${P99_MILLIS} ms`, p99 < P99_MILLIS, `${p99.toFixed(1)} ms`))
  return [...table, "", ...verdicts, ""].join("\n")
}
