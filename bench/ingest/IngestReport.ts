import type { Contestant } from "./Contestant.ts"
import type { Taken } from "./RunMain.ts"

export interface Run extends Taken {
  readonly name: string
  readonly databaseCpuMillis: number
  readonly walBytes: number
  /** About the rows of `trades` afterwards; undefined for contestants that write nothing. */
  readonly digest: string | undefined
}

export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!

/** `1.20 (1.10 to 1.30, 5 pairs)`: the median and the spread of ratios. */
export const ratioText = (ratios: ReadonlyArray<number>): string => {
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)]
  return `${median(ratios).toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)}, ${ratios.length} pairs)`
}

/** The time of our runs over that of `without`, round by round. */
export const ingestRatios = (runs: ReadonlyArray<Run>, without: string): string => {
  const ratioOf = (value: (run: Run) => number): string => {
    const each = (of: string) => runs.filter(({ name }) => name === of).map(value)
    const others = each(without)
    return ratioText(each("ours").map((one, round) => one / others[round]!))
  }
  const [node, postgres] = [ratioOf(({ cpuMillis }) => cpuMillis), ratioOf((run) => run.databaseCpuMillis)]
  return `CPU of Node ${node}, of PostgreSQL ${postgres}, time ${ratioOf(({ millis }) => millis)}`
}

const thousands = (value: number): string => Math.round(value).toLocaleString("en-US")

/** The table of medians, and whether the goals are met. */
export const report = (
  contestants: ReadonlyArray<Contestant>,
  runs: ReadonlyArray<Run>,
  transactions: number,
): string => {
  const medianOf = (name: string, value: (run: Run) => number): number =>
    median(runs.filter((run) => run.name === name).map(value))
  const perSecond = (name: string): number => medianOf(name, ({ millis }) => (transactions * 1_000) / millis)
  const sqd = contestants.some(({ name }) => name === "sqd") ? perSecond("sqd") : Number.NaN
  const byHand = Math.max(...contestants.filter(({ isByHand }) => isByHand).map(({ name }) => perSecond(name)))
  const ratio = (value: number, to: number): string => (Number.isFinite(to) ? `${(value / to).toFixed(2)}x` : "-")
  const rows = contestants.map(({ about, name, writes }) => {
    const micros = (value: (run: Run) => number): string =>
      `${medianOf(name, (run) => (value(run) * 1_000) / transactions).toFixed(0)} µs`
    const cells = [
      about,
      thousands(perSecond(name)),
      thousands(medianOf(name, ({ cpuMillis }) => (transactions * 1_000) / cpuMillis)),
      `${micros(({ cpuMillis }) => cpuMillis)} + ${micros(({ databaseCpuMillis }) => databaseCpuMillis)}`,
      writes ? thousands(medianOf(name, ({ walBytes }) => walBytes / transactions)) : "-",
      ratio(perSecond(name), sqd),
      ratio(perSecond(name), byHand),
    ]
    return `| ${cells.join(" | ")} |`
  })
  const head = [
    ...["", "tx/s", "tx/s of CPU in Node", "CPU/tx: Node + PostgreSQL", "WAL bytes/tx"],
    ...["against SQD", "against the best by hand"],
  ]
  const table = [`| ${head.join(" | ")} |`, `|${head.map(() => "---").join("|")}|`, ...rows]
  const ours = perSecond("ours")
  const goals = [
    ["at least 2x SQD", ours / sqd, 2],
    ["at least 0.8x the best by hand", ours / byHand, 0.8],
  ] as const
  const verdicts = goals
    .filter(([, measured]) => Number.isFinite(measured) && measured > 0)
    .map(([goal, measured, least]) => `${goal}: ${measured >= least ? "yes" : "no"} (${measured.toFixed(2)}x)`)
  return [...table, "", ...verdicts].join("\n")
}
