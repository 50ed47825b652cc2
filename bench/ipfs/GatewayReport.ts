import { median } from "../ingest/IngestReport.ts"
import type { Fetched } from "./GatewayClientMain.ts"
import { GATEWAY_CONTESTANTS, type GatewayContestant } from "./GatewayServers.ts"

/** One run of one contestant. */
export interface Run extends Fetched {
  readonly name: GatewayContestant
  readonly sizeBytes: number
  readonly round: number
  /** Of the server, per request. */
  readonly cpuMicros: number
}

const MIB = 1_048_576
/** Of the file server's requests in the same round. */
const GOAL = 0.8

const perSecond = ({ millis, requests }: Run): number => (requests * 1_000) / millis

const sizeText = (bytes: number): string => (bytes < MIB ? `${bytes / 1_024} KiB` : `${bytes / MIB} MiB`)

/** Medians of all rounds; ratios are taken within each round, because the load of a machine changes between them. */
export const gatewayReport = (runs: ReadonlyArray<Run>, connections: number): string => {
  const head = ["content", "server", "requests/s", "MiB/s", "CPU/request", "against the file server"]
  const rows: Array<string> = []
  const verdicts: Array<string> = []
  for (const size of new Set(runs.map(({ sizeBytes }) => sizeBytes))) {
    const ofSize = runs.filter(({ sizeBytes }) => sizeBytes === size)
    for (const name of new Set(ofSize.map((run) => run.name))) {
      const mine = ofSize.filter((run) => run.name === name)
      const rate = median(mine.map(perSecond))
      const ratios = mine.flatMap((run) => {
        const other = ofSize.find(({ name: of, round }) => of === "files" && round === run.round)
        return other === undefined ? [] : [perSecond(run) / perSecond(other)]
      })
      const ratio = ratios.length === 0 ? Number.NaN : median(ratios)
      const { about } = GATEWAY_CONTESTANTS[name]
      const cells = [
        sizeText(size),
        about,
        Math.round(rate).toLocaleString("en-US"),
        Math.round((rate * size) / MIB).toLocaleString("en-US"),
        `${Math.round(median(mine.map(({ cpuMicros }) => cpuMicros))).toLocaleString("en-US")} µs`,
        name === "files" ? "-" : `${ratio.toFixed(2)}x`,
      ]
      rows.push(`| ${cells.join(" | ")} |`)
      if (name !== "files") verdicts.push(`${sizeText(size)}, ${about}: ${ratio >= GOAL ? "yes" : "no"}`)
    }
  }
  const wrong = runs.reduce((sum, run) => sum + run.wrong, 0)
  return [
    `| ${head.join(" | ")} |`,
    `|${head.map(() => "---").join("|")}|`,
    ...rows,
    "",
    `${connections} connections, kept alive. Answers that were not the content byte for byte: ${wrong}.`,
    `At least ${GOAL}x of the file server:`,
    ...verdicts.map((verdict) => `- ${verdict}`),
  ].join("\n")
}
