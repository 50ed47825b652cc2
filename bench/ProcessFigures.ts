import { readFileSync } from "node:fs"

/** CPU time of a process so far, user and system, in milliseconds. Linux counts it in hundredths of a second. */
export const cpuMillisOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Resident memory of a process, now or at its peak, in MiB (Linux only). */
export const residentMibOf = (pid: number, field: "VmRSS" | "VmHWM" = "VmRSS"): number => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024)
}
