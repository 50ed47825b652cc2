import { readFileSync } from "node:fs"

/** CPU time of a process so far, user and system, in milliseconds (Linux counts it in hundredths of a second). */
export const cpuMillisOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10
}
