import type { DurabilityFigures } from "../../packages/service/test/durability/DurabilityRound.ts"

const counted = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([name, times]) => `${name} ${times}`).join(", ")

const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, one) => sum + one, 0)

/** The results of a round, as a table. */
export const durabilityReport = ({ kills, ledger, seed, slowestRestartMillis }: DurabilityFigures): string => {
  const rows: ReadonlyArray<readonly [string, string]> = [
    ["kill -9", `${total(kills)} (${counted(kills)})`],
    ["acknowledged writes", `${ledger.total} (${counted(ledger.acknowledged)})`],
    ["lost", String(ledger.lost.size)],
    ["doubled", String(ledger.doubled.size)],
    ["answers of 500", String(ledger.serverErrors.length)],
    ["slowest restart, from the kill to the first answer", `${(slowestRestartMillis / 1_000).toFixed(1)} s`],
    ["seed", String(seed)],
  ]
  return ["| | |", "|---|---|", ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n")
}
