import { readdirSync, readFileSync } from "node:fs"

/** Linux counts processor time in hundredths of a second, whatever the machine. */
const TICK_MILLIS = 10

/** Fields of /proc/<pid>/stat from the state on: the name before may contain anything. */
const statOf = (pid: string): ReadonlyArray<string> | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  } catch {
    return undefined
  }
}

const sumOf = (fields: ReadonlyArray<string>, from: number, to: number): number =>
  fields.slice(from, to).reduce((sum, ticks) => sum + Number(ticks), 0)

/** The parent process of `pid`; empty where there is no /proc. */
export const parentOf = (pid: string): string => statOf(pid)?.[1] ?? ""

/**
 * Processor time in milliseconds of a PostgreSQL server: its postmaster and all its current and former children.
 * `undefined` where there is no /proc.
 */
export const databaseCpuMillis = (postmaster: string): number | undefined => {
  // State is the first of these, so its parent's is 1, utime and stime are 11 and 12, those of ended children 13 and 14.
  const own = statOf(postmaster)
  if (own === undefined) return undefined
  let ticks = sumOf(own, 11, 15)
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue
    const fields = statOf(pid)
    if (fields?.[1] === postmaster) ticks += sumOf(fields, 11, 13)
  }
  return ticks * TICK_MILLIS
}
