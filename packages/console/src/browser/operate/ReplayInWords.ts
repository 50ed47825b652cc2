import { formatWhole } from "../Format.ts"

const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

/** What the leader reports of a replay: another version may have reported other fields. */
export const replayInWords = (replay: Readonly<Record<string, unknown>>): string => {
  const [done, total] = [numberOf(replay["logOffset"]), numberOf(replay["headOffset"])]
  const rate = numberOf(replay["transactionsPerSecond"] ?? undefined)
  const ends = typeof replay["endsAt"] === "string" ? new Date(replay["endsAt"]) : undefined
  const isRunning = replay["state"] !== "done"
  const parts = [
    typeof replay["state"] === "string" ? replay["state"] : "",
    isRunning && done !== undefined && total !== undefined && total > 0
      ? `${Math.floor((100 * Math.min(done, total)) / total)} %`
      : "",
    isRunning && rate !== undefined ? `${formatWhole(rate)} transactions a second` : "",
    isRunning && ends !== undefined && !Number.isNaN(ends.getTime()) ? `until ${ends.toLocaleString()}` : "",
  ]
  return parts.filter((part) => part !== "").join(", ")
}
